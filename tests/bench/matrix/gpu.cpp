// SPDX-License-Identifier: MIT
#include "tests/bench/matrix/gpu.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pumice::bench::matrix {

namespace {

/// Ends the program: without a device there is nothing to measure.
void must(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s failed: VkResult %d\n", what, static_cast<int>(result));
  std::exit(3);
}

bool has_extension(VkPhysicalDevice device, std::string_view name) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
  return std::any_of(all.begin(), all.end(), [&](const VkExtensionProperties& e) { return e.extensionName == name; });
}

}  // namespace

void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  if (result == VK_ERROR_DEVICE_LOST) must(result, what);
  throw Unsupported(std::string(what) + ": VkResult " + std::to_string(static_cast<int>(result)));
}

Gpu::Gpu() {
  must(volkInitialize(), "volkInitialize");
  const VkApplicationInfo app{
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "bench-matrix", .apiVersion = VK_API_VERSION_1_1};
  const VkInstanceCreateInfo instance_info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
  must(vkCreateInstance(&instance_info, nullptr, &instance), "vkCreateInstance");
  volkLoadInstance(instance);
  uint32_t count = 1;
  const VkResult found = vkEnumeratePhysicalDevices(instance, &count, &physical);
  must(found == VK_INCOMPLETE ? VK_SUCCESS : found, "vkEnumeratePhysicalDevices");
  if (!count) must(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
  vkGetPhysicalDeviceProperties(physical, &properties);
  vkGetPhysicalDeviceFeatures(physical, &features);
  features.robustBufferAccess = VK_FALSE;  // costs, and few applications enable it
  VkQueueFamilyProperties families[8];
  count = 8;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  while (family < count && !(families[family].queueFlags & VK_QUEUE_GRAPHICS_BIT)) ++family;
  if (family == count) must(VK_ERROR_FEATURE_NOT_PRESENT, "finding a graphics queue");
  queue_flags = families[family].queueFlags;
  const float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue_info{
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &priority};
  // What no feature of 1.0 says, where there is such an extension.
  VkPhysicalDeviceShaderAtomicInt64Features wide{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES};
  VkPhysicalDeviceBufferDeviceAddressFeatures by_address{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  void* chain = nullptr;
  std::vector<const char*> extensions;
  const auto ask = [&](const char* extension, auto& of, VkBool32& feature) {
    if (!has_extension(physical, extension)) return false;
    VkPhysicalDeviceFeatures2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &of};
    vkGetPhysicalDeviceFeatures2(physical, &all);
    if (!feature) return false;
    extensions.push_back(extension);
    of.pNext = chain, chain = &of;
    return true;
  };
  if (properties.apiVersion >= VK_API_VERSION_1_1) {
    addresses = ask(VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, by_address, by_address.bufferDeviceAddress);
    atomics_64 = ask(VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME, wide, wide.shaderBufferInt64Atomics) && features.shaderInt64;
  }
  minmax = has_extension(physical, VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME);
  if (minmax) extensions.push_back(VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME);
  by_address.bufferDeviceAddressCaptureReplay = by_address.bufferDeviceAddressMultiDevice = VK_FALSE;
  const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                .pNext = chain,
                                .queueCreateInfoCount = 1,
                                .pQueueCreateInfos = &queue_info,
                                .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                .ppEnabledExtensionNames = extensions.data(),
                                .pEnabledFeatures = &features};
  must(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  volkLoadDevice(device);
  vkGetDeviceQueue(device, family, 0, &queue);
  const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  must(vkCreateFence(device, &fence, nullptr, &fence_), "vkCreateFence");
  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = family};
  must(vkCreateCommandPool(device, &pool, nullptr, &pool_), "vkCreateCommandPool");
}

Gpu::~Gpu() {
  release();
  vkDestroyCommandPool(device, pool_, nullptr);
  vkDestroyFence(device, fence_, nullptr);
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
}

void Gpu::release() {
  vkDeviceWaitIdle(device);
  for (; !owned_.empty(); owned_.pop_back()) owned_.back()();
}

void Gpu::need(VkFormat format, VkFormatFeatureFlags wanted) const {
  VkFormatProperties has;
  vkGetPhysicalDeviceFormatProperties(physical, format, &has);
  if ((has.optimalTilingFeatures & wanted) != wanted) throw Unsupported("the format has not all features");
}

void Gpu::need(VkBool32 feature, const char* what) const {
  if (!feature) throw Unsupported(std::string("no ") + what);
}

void Gpu::need_compute() const { need(queue_flags & VK_QUEUE_COMPUTE_BIT, "compute queue"); }

void Gpu::need_addresses() const { need(addresses, "bufferDeviceAddress"); }
void Gpu::need_atomics_64() const { need(atomics_64, "shaderBufferInt64Atomics"); }

VkDeviceAddress Gpu::address(const Buffer& buffer) const {
  const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer.buffer};
  return vkGetBufferDeviceAddressKHR(device, &info);
}

VkDeviceMemory Gpu::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted, bool has_address) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if (!(needs.memoryTypeBits & (1u << i)) || (memory.memoryTypes[i].propertyFlags & wanted) != wanted) continue;
    const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                          .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = has_address ? &flags : nullptr,
                                    .allocationSize = needs.size,
                                    .memoryTypeIndex = i};
    VkDeviceMemory result;
    check(vkAllocateMemory(device, &info, nullptr, &result), "vkAllocateMemory");
    later([this, result] { vkFreeMemory(device, result, nullptr); });
    return result;
  }
  throw Unsupported("no memory type fits");
}

Buffer Gpu::buffer(VkDeviceSize size, VkBufferUsageFlags usage, const void* data) {
  Buffer b{.size = size};
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
  check(vkCreateBuffer(device, &info, nullptr, &b.buffer), "vkCreateBuffer");
  later([this, buffer = b.buffer] { vkDestroyBuffer(device, buffer, nullptr); });
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, b.buffer, &needs);
  b.memory = allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                      usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  check(vkBindBufferMemory(device, b.buffer, b.memory, 0), "vkBindBufferMemory");
  check(vkMapMemory(device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped), "vkMapMemory");
  if (data)
    std::memcpy(b.mapped, data, size);
  else
    std::memset(b.mapped, 0, size);
  return b;
}

Image Gpu::image(const ImageInfo& in) {
  const bool volume = in.view == VK_IMAGE_VIEW_TYPE_3D, line = in.view == VK_IMAGE_VIEW_TYPE_1D || in.view == VK_IMAGE_VIEW_TYPE_1D_ARRAY,
             cube = in.view == VK_IMAGE_VIEW_TYPE_CUBE || in.view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                         .flags = cube ? VkImageCreateFlags{VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT} : 0,
                         .imageType = volume ? VK_IMAGE_TYPE_3D
                                      : line ? VK_IMAGE_TYPE_1D
                                             : VK_IMAGE_TYPE_2D,
                         .format = in.format,
                         .extent = in.extent,
                         .mipLevels = in.levels,
                         .arrayLayers = in.layers,
                         .samples = in.samples,
                         .tiling = VK_IMAGE_TILING_OPTIMAL,
                         .usage = in.usage};
  VkImageFormatProperties limits;
  check(vkGetPhysicalDeviceImageFormatProperties(physical, info.format, info.imageType, info.tiling, info.usage, info.flags, &limits),
        "image format and kind");
  if (limits.maxExtent.width < in.extent.width || limits.maxExtent.height < in.extent.height || limits.maxExtent.depth < in.extent.depth ||
      limits.maxMipLevels < in.levels || limits.maxArrayLayers < in.layers || !(limits.sampleCounts & in.samples))
    throw Unsupported("the image is beyond the limits");
  Image i{.info = in};
  check(vkCreateImage(device, &info, nullptr, &i.image), "vkCreateImage");
  later([this, image = i.image] { vkDestroyImage(device, image, nullptr); });
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, i.image, &needs);
  check(vkBindImageMemory(device, i.image, allocate(needs, 0), 0), "vkBindImageMemory");
  VkImageAspectFlags aspect = aspects(in.format);
  if (in.usage & VK_IMAGE_USAGE_SAMPLED_BIT && aspect & VK_IMAGE_ASPECT_DEPTH_BIT) aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  const VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                   .image = i.image,
                                   .viewType = in.view,
                                   .format = in.format,
                                   .subresourceRange = {aspect, 0, in.levels, 0, in.layers}};
  check(vkCreateImageView(device, &view, nullptr, &i.view), "vkCreateImageView");
  later([this, v = i.view] { vkDestroyImageView(device, v, nullptr); });
  return i;
}

void Gpu::upload(const Image& image, const std::function<std::vector<uint8_t>(uint32_t, uint32_t)>& bytes) {
  std::vector<uint8_t> all;
  std::vector<VkBufferImageCopy> regions;
  const VkExtent3D e = image.info.extent;
  for (uint32_t level = 0; level < image.info.levels; ++level)
    for (uint32_t layer = 0; layer < image.info.layers; ++layer) {
      const std::vector<uint8_t> part = bytes(level, layer);
      regions.push_back(
          {.bufferOffset = all.size(),
           .imageSubresource = {aspects(image.info.format) & ~VkImageAspectFlags{VK_IMAGE_ASPECT_STENCIL_BIT}, level, layer, 1},
           .imageExtent = {std::max(1u, e.width >> level), std::max(1u, e.height >> level), std::max(1u, e.depth >> level)}});
      all.insert(all.end(), part.begin(), part.end());
      all.resize((all.size() + 15) & ~size_t{15});
    }
  const Buffer staging = buffer(all, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  run_once([&](VkCommandBuffer commands) {
    transition(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, staging.buffer, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           static_cast<uint32_t>(regions.size()), regions.data());
    transition(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  });
}

VkSampler Gpu::sampler(const VkSamplerCreateInfo& info) {
  VkSampler result;
  check(vkCreateSampler(device, &info, nullptr, &result), "vkCreateSampler");
  later([this, result] { vkDestroySampler(device, result, nullptr); });
  return result;
}

Set Gpu::set(std::span<const Binding> bindings) {
  std::vector<VkDescriptorSetLayoutBinding> slots;
  std::vector<VkDescriptorPoolSize> sizes;
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    slots.push_back({i, bindings[i].type, bindings[i].count, bindings[i].stages, nullptr});
    sizes.push_back({bindings[i].type, bindings[i].count});
  }
  Set s;
  const VkDescriptorSetLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = static_cast<uint32_t>(slots.size()),
                                               .pBindings = slots.data()};
  check(vkCreateDescriptorSetLayout(device, &layout, nullptr, &s.layout), "vkCreateDescriptorSetLayout");
  later([this, l = s.layout] { vkDestroyDescriptorSetLayout(device, l, nullptr); });
  const VkDescriptorPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                             .pPoolSizes = sizes.data()};
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  later([this, pool] { vkDestroyDescriptorPool(device, pool, nullptr); });
  const VkDescriptorSetAllocateInfo allocate_info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &s.layout};
  check(vkAllocateDescriptorSets(device, &allocate_info, &s.set), "vkAllocateDescriptorSets");
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    const Binding& b = bindings[i];
    const std::vector<VkDescriptorBufferInfo> buffer_infos(b.count, {b.buffer, 0, b.range});
    const std::vector<VkDescriptorImageInfo> image_infos(b.count, {b.sampler, b.view, b.layout});
    const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                     .dstSet = s.set,
                                     .dstBinding = i,
                                     .descriptorCount = b.count,
                                     .descriptorType = b.type,
                                     .pImageInfo = image_infos.data(),
                                     .pBufferInfo = buffer_infos.data()};
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  return s;
}

VkPipelineLayout Gpu::layout(std::span<const VkDescriptorSetLayout> sets, uint32_t push_bytes, VkShaderStageFlags push_stages) {
  const VkPushConstantRange push{push_stages, 0, push_bytes};
  const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                        .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                        .pSetLayouts = sets.data(),
                                        .pushConstantRangeCount = push_bytes ? 1u : 0u,
                                        .pPushConstantRanges = &push};
  VkPipelineLayout result;
  check(vkCreatePipelineLayout(device, &info, nullptr, &result), "vkCreatePipelineLayout");
  later([this, result] { vkDestroyPipelineLayout(device, result, nullptr); });
  return result;
}

VkShaderModule Gpu::shader(std::string_view name) {
  const std::span<const uint32_t> words = shader_words(name);
  const VkShaderModuleCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = words.size_bytes(), .pCode = words.data()};
  VkShaderModule result;
  check(vkCreateShaderModule(device, &info, nullptr, &result), "vkCreateShaderModule");
  later([this, result] { vkDestroyShaderModule(device, result, nullptr); });
  return result;
}

VkRenderPass Gpu::render_pass(const VkRenderPassCreateInfo& info) {
  VkRenderPass result;
  check(vkCreateRenderPass(device, &info, nullptr, &result), "vkCreateRenderPass");
  later([this, result] { vkDestroyRenderPass(device, result, nullptr); });
  return result;
}

VkFramebuffer Gpu::framebuffer(VkRenderPass pass, std::span<const VkImageView> views, VkExtent2D extent) {
  const VkFramebufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                     .renderPass = pass,
                                     .attachmentCount = static_cast<uint32_t>(views.size()),
                                     .pAttachments = views.data(),
                                     .width = extent.width,
                                     .height = extent.height,
                                     .layers = 1};
  VkFramebuffer result;
  check(vkCreateFramebuffer(device, &info, nullptr, &result), "vkCreateFramebuffer");
  later([this, result] { vkDestroyFramebuffer(device, result, nullptr); });
  return result;
}

VkPipeline Gpu::graphics(const VkGraphicsPipelineCreateInfo& info) {
  VkPipeline result;
  check(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &result), "vkCreateGraphicsPipelines");
  later([this, result] { vkDestroyPipeline(device, result, nullptr); });
  return result;
}

VkPipeline Gpu::compute(std::string_view name, VkPipelineLayout pipeline_layout) {
  const VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                         .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                   .module = shader(name),
                                                   .pName = "main"},
                                         .layout = pipeline_layout};
  VkPipeline result;
  check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &result), "vkCreateComputePipelines");
  later([this, result] { vkDestroyPipeline(device, result, nullptr); });
  return result;
}

VkCommandPool Gpu::pool() {
  const VkCommandPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = family};
  VkCommandPool result;
  check(vkCreateCommandPool(device, &info, nullptr, &result), "vkCreateCommandPool");
  later([this, result] { vkDestroyCommandPool(device, result, nullptr); });
  return result;
}

VkCommandBuffer Gpu::commands(VkCommandPool pool, VkCommandBufferLevel level) {
  const VkCommandBufferAllocateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .level = level, .commandBufferCount = 1};
  VkCommandBuffer result;
  check(vkAllocateCommandBuffers(device, &info, &result), "vkAllocateCommandBuffers");
  return result;
}

void Gpu::submit(VkCommandBuffer commands) {
  const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  must(vkQueueSubmit(queue, 1, &info, fence_), "vkQueueSubmit");
  must(vkWaitForFences(device, 1, &fence_, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  must(vkResetFences(device, 1, &fence_), "vkResetFences");
}

void Gpu::run_once(const std::function<void(VkCommandBuffer)>& record) {
  const VkCommandBuffer buffer = commands(pool_, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  check(vkBeginCommandBuffer(buffer, &begin), "vkBeginCommandBuffer");
  record(buffer);
  check(vkEndCommandBuffer(buffer), "vkEndCommandBuffer");
  submit(buffer);
  vkFreeCommandBuffers(device, pool_, 1, &buffer);
}

void barrier(VkCommandBuffer commands) {
  const VkMemoryBarrier all{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, nullptr, 0,
                       nullptr);
}

void transition(VkCommandBuffer commands, const Image& image, VkImageLayout from, VkImageLayout to) {
  const VkImageMemoryBarrier info{
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image.image,
      .subresourceRange = {aspects(image.info.format), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &info);
}

VkImageAspectFlags aspects(VkFormat format) {
  switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT: return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT: return VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT: return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default: return VK_IMAGE_ASPECT_COLOR_BIT;
  }
}

}  // namespace pumice::bench::matrix
