// SPDX-License-Identifier: MIT
#include "examples/common/context.h"

#include <algorithm>
#include <cstring>

namespace example {

Context::Context(const Options& options, std::span<const char* const> instance_extensions, std::span<const char* const> device_extensions,
                 VkQueueFlags queue_flags) {
  VK_CHECK(volkInitialize());
  create_instance(options, instance_extensions);
  create_device(device_extensions, queue_flags);
}

Context::~Context() {
  vkDestroyCommandPool(device, command_pool, nullptr);
  vkDestroyDevice(device, nullptr);
  if (messenger_) vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
  vkDestroyInstance(instance, nullptr);
}

VKAPI_ATTR VkBool32 VKAPI_CALL Context::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT,
                                                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  // The layer says so of every extension that is not in its registry.
  const bool unknown_extension = std::strstr(data->pMessage, "is not supported by this layer");
  if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT && !unknown_extension) {
    ++static_cast<Context*>(user)->validation_messages_;
    std::fprintf(stderr, "validation: %s\n", data->pMessage);
  }
  return VK_FALSE;
}

void Context::create_instance(const Options& options, std::span<const char* const> extensions) {
  std::vector<const char*> names(extensions.begin(), extensions.end());
  if (options.validation) names.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const VkApplicationInfo app{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                              .pApplicationName = options.title.c_str(),
                              .applicationVersion = 1,
                              .pEngineName = "pumice examples",
                              .engineVersion = 1,
                              .apiVersion = VK_API_VERSION_1_0};
  VkDebugUtilsMessengerCreateInfoEXT messenger{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  messenger.pfnUserCallback = on_message;
  messenger.pUserData = this;
  const VkValidationFeatureDisableEXT wrapping = VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT;
  VkValidationFeaturesEXT features{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.disabledValidationFeatureCount = 1;
  features.pDisabledValidationFeatures = &wrapping;
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
  info.enabledExtensionCount = static_cast<uint32_t>(names.size());
  info.ppEnabledExtensionNames = names.data();
  if (options.validation) {
    info.pNext = &messenger;  // also covers vkCreateInstance and vkDestroyInstance
    if (options.unwrapped_handles) messenger.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
  }
  VK_CHECK(vkCreateInstance(&info, nullptr, &instance));
  volkLoadInstance(instance);
  messenger.pNext = nullptr;
  if (options.validation) VK_CHECK(vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_));
}

bool Context::choose_device(std::span<const char* const> extensions, VkQueueFlags queue_flags) {
  uint32_t count = 0;
  VK_CHECK(vkEnumeratePhysicalDevices(instance, &count, nullptr));
  std::vector<VkPhysicalDevice> devices(count);
  VK_CHECK(vkEnumeratePhysicalDevices(instance, &count, devices.data()));
  for (const VkPhysicalDevice candidate : devices) {
    VK_CHECK(vkEnumerateDeviceExtensionProperties(candidate, nullptr, &count, nullptr));
    std::vector<VkExtensionProperties> has(count);
    VK_CHECK(vkEnumerateDeviceExtensionProperties(candidate, nullptr, &count, has.data()));
    const bool all = std::all_of(extensions.begin(), extensions.end(), [&](const char* name) {
      return std::any_of(has.begin(), has.end(), [&](const VkExtensionProperties& e) { return !std::strcmp(e.extensionName, name); });
    });
    if (!all) continue;
    vkGetPhysicalDeviceQueueFamilyProperties(candidate, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(candidate, &count, families.data());
    for (uint32_t i = 0; i < count; ++i) {
      if ((families[i].queueFlags & queue_flags) != queue_flags) continue;
      physical_device = candidate;
      queue_family = i;
      return true;
    }
  }
  return false;
}

void Context::create_device(std::span<const char* const> extensions, VkQueueFlags queue_flags) {
  if (!choose_device(extensions, queue_flags)) {
    std::fprintf(stderr, "no Vulkan device that can do this\n");
    std::exit(1);
  }
  const float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info};
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VK_CHECK(vkCreateDevice(physical_device, &info, nullptr, &device));
  volkLoadDevice(device);
  vkGetDeviceQueue(device, queue_family, 0, &queue);
  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = queue_family};
  VK_CHECK(vkCreateCommandPool(device, &pool, nullptr, &command_pool));
}

VkDeviceMemory Context::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if (!(needs.memoryTypeBits & (1u << i)) || (memory.memoryTypes[i].propertyFlags & wanted) != wanted) continue;
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = i};
    VkDeviceMemory result;
    VK_CHECK(vkAllocateMemory(device, &info, nullptr, &result));
    return result;
  }
  std::fprintf(stderr, "no memory type has properties 0x%x\n", wanted);
  std::exit(1);
}

Buffer Context::create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, const void* data) {
  Buffer b;
  b.size = size;
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
  VK_CHECK(vkCreateBuffer(device, &info, nullptr, &b.buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, b.buffer, &needs);
  b.memory = allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  VK_CHECK(vkBindBufferMemory(device, b.buffer, b.memory, 0));
  VK_CHECK(vkMapMemory(device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped));
  if (data) std::memcpy(b.mapped, data, size);
  return b;
}

void Context::destroy(Buffer& b) {
  vkDestroyBuffer(device, b.buffer, nullptr);
  vkFreeMemory(device, b.memory, nullptr);
  b = {};
}

Image Context::create_image(const ImageInfo& in) {
  Image i;
  i.format = in.format;
  i.extent = {in.width, in.height, 1};
  const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .flags = in.cube ? VkImageCreateFlags{VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT} : 0,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = in.format,
                               .extent = i.extent,
                               .mipLevels = in.mip_levels,
                               .arrayLayers = in.layers,
                               .samples = in.samples,
                               .tiling = VK_IMAGE_TILING_OPTIMAL,
                               .usage = in.usage};
  VK_CHECK(vkCreateImage(device, &info, nullptr, &i.image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, i.image, &needs);
  i.memory = allocate(needs, 0);
  VK_CHECK(vkBindImageMemory(device, i.image, i.memory, 0));
  const VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                   .image = i.image,
                                   .viewType = in.cube ? VK_IMAGE_VIEW_TYPE_CUBE : VK_IMAGE_VIEW_TYPE_2D,
                                   .format = in.format,
                                   .subresourceRange = {in.aspect, 0, in.mip_levels, 0, in.layers}};
  VK_CHECK(vkCreateImageView(device, &view, nullptr, &i.view));
  return i;
}

void Context::destroy(Image& i) {
  vkDestroyImageView(device, i.view, nullptr);
  vkDestroyImage(device, i.image, nullptr);
  vkFreeMemory(device, i.memory, nullptr);
  i = {};
}

VkShaderModule Context::create_shader(std::span<const uint32_t> spirv) {
  const VkShaderModuleCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = spirv.size_bytes(), .pCode = spirv.data()};
  VkShaderModule module;
  VK_CHECK(vkCreateShaderModule(device, &info, nullptr, &module));
  return module;
}

void Context::run_once(const std::function<void(VkCommandBuffer)>& commands) {
  const VkCommandBufferAllocateInfo allocate_info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = command_pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
  VkCommandBuffer buffer;
  VK_CHECK(vkAllocateCommandBuffers(device, &allocate_info, &buffer));
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VK_CHECK(vkBeginCommandBuffer(buffer, &begin));
  commands(buffer);
  VK_CHECK(vkEndCommandBuffer(buffer));
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &buffer};
  VK_CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  VK_CHECK(vkQueueWaitIdle(queue));
  vkFreeCommandBuffers(device, command_pool, 1, &buffer);
}

void Context::upload(const Image& image, std::span<const uint8_t> pixels, uint32_t mip_level, uint32_t layer) {
  Buffer staging = create_buffer(pixels.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, pixels.data());
  run_once([&](VkCommandBuffer commands) {
    transition(commands, image.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_ASPECT_COLOR_BIT, mip_level,
               1, layer, 1);
    const VkBufferImageCopy region{
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip_level, layer, 1},
        .imageExtent = {std::max(1u, image.extent.width >> mip_level), std::max(1u, image.extent.height >> mip_level), 1}};
    vkCmdCopyBufferToImage(commands, staging.buffer, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    transition(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
               VK_IMAGE_ASPECT_COLOR_BIT, mip_level, 1, layer, 1);
  });
  destroy(staging);
}

VkFormat Context::choose_format(std::span<const VkFormat> candidates, VkFormatFeatureFlags feature) const {
  for (const VkFormat format : candidates) {
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(physical_device, format, &properties);
    if ((properties.optimalTilingFeatures & feature) == feature) return format;
  }
  std::fprintf(stderr, "none of the %zu candidate formats has feature 0x%x\n", candidates.size(), feature);
  std::exit(1);
}

void transition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to, VkImageAspectFlags aspect, uint32_t base_mip,
                uint32_t mips, uint32_t base_layer, uint32_t layers) {
  const VkImageMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                     .oldLayout = from,
                                     .newLayout = to,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = image,
                                     .subresourceRange = {aspect, base_mip, mips, base_layer, layers}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
}

}  // namespace example
