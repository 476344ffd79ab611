// SPDX-License-Identifier: MIT
#include "tests/vk/fixture.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace vktest {

void Vk::SetUp() {
  VK_OK(volkInitialize());
  VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = api_version;
  ii.pApplicationInfo = &application;
  ii.enabledExtensionCount = static_cast<uint32_t>(instance_extensions.size());
  ii.ppEnabledExtensionNames = instance_extensions.data();
  VK_OK(vkCreateInstance(&ii, nullptr, &instance));
  volkLoadInstance(instance);
  uint32_t count = 1;
  VK_OK(vkEnumeratePhysicalDevices(instance, &count, &physical));
  ASSERT_EQ(count, 1u);
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1;
  qi.pQueuePriorities = &priority;
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(physical, &features);
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1;
  di.pQueueCreateInfos = &qi;
  di.pEnabledFeatures = &features;
  di.pNext = device_next;
  di.enabledExtensionCount = static_cast<uint32_t>(device_extensions.size());
  di.ppEnabledExtensionNames = device_extensions.data();
  VK_OK(vkCreateDevice(physical, &di, nullptr, &device));
  volkLoadDevice(device);
  vkGetDeviceQueue(device, 0, 0, &queue);
  VkCommandPoolCreateInfo pi{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VK_OK(vkCreateCommandPool(device, &pi, nullptr, &pool));
}

void Vk::TearDown() {
  if (device) {
    vkDeviceWaitIdle(device);
    for (auto it = deferred_.rbegin(); it != deferred_.rend(); ++it) (*it)();
    vkDestroyCommandPool(device, pool, nullptr);
    // PUMICE_DEBUG=leaks: the driver counts what is left.
    const char* debug = std::getenv("PUMICE_DEBUG");
    const bool counted = debug && std::strstr(debug, "leaks");
    if (counted) testing::internal::CaptureStderr();
    vkDestroyDevice(device, nullptr);
    if (counted) {
      const std::string said = testing::internal::GetCapturedStderr();
      EXPECT_NE(said.find("vkDestroyDevice: 0 objects alive"), std::string::npos) << said;
    }
  }
  if (instance) vkDestroyInstance(instance, nullptr);
}

Buffer Vk::buffer(VkDeviceSize size, VkBufferUsageFlags usage) {
  Buffer b;
  b.size = size;
  VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  bi.size = size;
  bi.usage = usage;
  EXPECT_EQ(VK_SUCCESS, vkCreateBuffer(device, &bi, nullptr, &b.handle));
  VkMemoryRequirements r;
  vkGetBufferMemoryRequirements(device, b.handle, &r);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  ai.allocationSize = r.size;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  if (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) ai.pNext = &flags;
  EXPECT_EQ(VK_SUCCESS, vkAllocateMemory(device, &ai, nullptr, &b.memory));
  EXPECT_EQ(VK_SUCCESS, vkBindBufferMemory(device, b.handle, b.memory, 0));
  EXPECT_EQ(VK_SUCCESS, vkMapMemory(device, b.memory, 0, VK_WHOLE_SIZE, 0, reinterpret_cast<void**>(&b.map)));
  defer([this, b] {
    vkDestroyBuffer(device, b.handle, nullptr);
    vkFreeMemory(device, b.memory, nullptr);
  });
  return b;
}

Image Vk::image(VkFormat format, uint32_t width, uint32_t height, const ImageOptions& o) {
  Image i;
  i.format = format;
  i.extent = {width, height, o.depth};
  i.aspects = o.aspects;
  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  ii.flags = o.cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  ii.imageType = o.depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
  ii.format = format;
  ii.extent = i.extent;
  ii.mipLevels = o.levels;
  ii.arrayLayers = o.cube ? 6 : 1;
  ii.samples = o.samples;
  ii.usage = o.usage;
  EXPECT_EQ(VK_SUCCESS, vkCreateImage(device, &ii, nullptr, &i.handle));
  VkMemoryRequirements r;
  vkGetImageMemoryRequirements(device, i.handle, &r);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  ai.allocationSize = r.size;
  EXPECT_EQ(VK_SUCCESS, vkAllocateMemory(device, &ai, nullptr, &i.memory));
  EXPECT_EQ(VK_SUCCESS, vkBindImageMemory(device, i.handle, i.memory, 0));
  if (o.view) {
    VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    vi.image = i.handle;
    vi.viewType = o.cube ? VK_IMAGE_VIEW_TYPE_CUBE : o.depth > 1 ? VK_IMAGE_VIEW_TYPE_3D : VK_IMAGE_VIEW_TYPE_2D;
    vi.format = format;
    vi.subresourceRange = {o.aspects, 0, o.levels, 0, ii.arrayLayers};
    EXPECT_EQ(VK_SUCCESS, vkCreateImageView(device, &vi, nullptr, &i.view));
  }
  const bool both =
      format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D16_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
  to_general(i.handle, both ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT : o.aspects);
  defer([this, i] {
    vkDestroyImageView(device, i.view, nullptr);
    vkDestroyImage(device, i.handle, nullptr);
    vkFreeMemory(device, i.memory, nullptr);
  });
  return i;
}

VkCommandBuffer Vk::command_buffer(VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo ai{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  ai.commandPool = pool;
  ai.level = level;
  ai.commandBufferCount = 1;
  VkCommandBuffer c = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, vkAllocateCommandBuffers(device, &ai, &c));
  return c;
}

VkCommandBuffer Vk::begin_secondary(VkRenderPass pass, VkFramebuffer framebuffer) {
  const VkCommandBuffer c = command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo ii{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  ii.renderPass = pass;
  ii.framebuffer = framebuffer;
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  bi.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT | VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  bi.pInheritanceInfo = &ii;
  EXPECT_EQ(vkBeginCommandBuffer(c, &bi), VK_SUCCESS);
  return c;
}

VkCommandBuffer Vk::recorded(const std::function<void(VkCommandBuffer)>& record) {
  VkCommandBuffer c = command_buffer();
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  bi.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  EXPECT_EQ(VK_SUCCESS, vkBeginCommandBuffer(c, &bi));
  record(c);
  EXPECT_EQ(VK_SUCCESS, vkEndCommandBuffer(c));
  return c;
}

VkEvent Vk::event() {
  VkEventCreateInfo ei{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent e = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, vkCreateEvent(device, &ei, nullptr, &e));
  defer([this, e] { vkDestroyEvent(device, e, nullptr); });
  return e;
}

VkEvent Vk::hold_queue() {
  const VkEvent e = event();
  const VkCommandBuffer c = recorded([&](VkCommandBuffer to) {
    vkCmdWaitEvents(to, 1, &e, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
  });
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  EXPECT_EQ(VK_SUCCESS, vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
  return e;
}

void Vk::run(const std::function<void(VkCommandBuffer)>& record) {
  VkCommandBuffer c = command_buffer();
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  record(c);
  VK_OK(vkEndCommandBuffer(c));
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  VK_OK(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
  VK_OK(vkQueueWaitIdle(queue));
  vkFreeCommandBuffers(device, pool, 1, &c);
}

void Vk::barrier(VkCommandBuffer c) {
  const VkMemoryBarrier m{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &m, 0, nullptr, 0, nullptr);
}

void Vk::to_general(VkImage i, VkImageAspectFlags aspects) {
  VkImageMemoryBarrier m{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  m.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  m.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  m.srcQueueFamilyIndex = m.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  m.image = i;
  m.subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  run([&](VkCommandBuffer c) {
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &m);
  });
}

VkShaderModule Vk::shader(const uint32_t* words, size_t bytes) {
  VkShaderModuleCreateInfo si{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  si.codeSize = bytes;
  si.pCode = words;
  VkShaderModule m = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, vkCreateShaderModule(device, &si, nullptr, &m));
  defer([this, m] { vkDestroyShaderModule(device, m, nullptr); });
  return m;
}

VkBufferImageCopy Vk::whole(const Image& i, uint32_t level, VkImageAspectFlags aspect) const {
  VkBufferImageCopy r{};
  r.imageSubresource = {aspect ? aspect : i.aspects, level, 0, 1};
  r.imageExtent = {std::max(1u, i.extent.width >> level), std::max(1u, i.extent.height >> level), std::max(1u, i.extent.depth >> level)};
  return r;
}

std::vector<uint8_t> Vk::read(const Image& i, uint32_t bytes_per_pixel, uint32_t level, VkImageAspectFlags aspect) {
  const VkBufferImageCopy r = whole(i, level, aspect);
  const VkDeviceSize size = VkDeviceSize{r.imageExtent.width} * r.imageExtent.height * r.imageExtent.depth * bytes_per_pixel;
  Buffer b = buffer(size);
  run([&](VkCommandBuffer c) { vkCmdCopyImageToBuffer(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, 1, &r); });
  return {b.map, b.map + size};
}

void Vk::write(const Image& i, const std::vector<uint8_t>& bytes, uint32_t level, VkImageAspectFlags aspect) {
  const VkBufferImageCopy r = whole(i, level, aspect);
  Buffer b = buffer(bytes.size());
  std::memcpy(b.map, bytes.data(), bytes.size());
  run([&](VkCommandBuffer c) { vkCmdCopyBufferToImage(c, b.handle, i.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r); });
}

}  // namespace vktest
