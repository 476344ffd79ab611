// SPDX-License-Identifier: MIT
/// A device of this driver through the real loader, and helpers short enough that a test reads like what it tests.
#pragma once
#include <gtest/gtest.h>
#include <volk.h>

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace vktest {

#define VK_OK(call) ASSERT_EQ(VK_SUCCESS, call)

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint8_t* map = nullptr;
  VkDeviceSize size = 0;
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(map);
  }
};

struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkFormat format{};
  VkExtent3D extent{};
  VkImageAspectFlags aspects = 0;
};

struct ImageOptions {
  VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  uint32_t levels = 1, depth = 1;
  bool cube = false, view = false;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

/// Instance, device and queue; everything made by its helpers goes with it.
class Vk : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Buffer buffer(VkDeviceSize size, VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  Image image(VkFormat format, uint32_t width, uint32_t height, const ImageOptions& o = {});
  VkCommandBuffer command_buffer(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  /// A new secondary command buffer that is being recorded, for subpass 0 of a render pass.
  VkCommandBuffer begin_secondary(VkRenderPass pass, VkFramebuffer framebuffer = VK_NULL_HANDLE);
  /// A new primary command buffer with what `record` records, which may be submitted more than once.
  VkCommandBuffer recorded(const std::function<void(VkCommandBuffer)>& record);
  VkEvent event();
  /// Submits a command buffer that waits for a new event, which the host sets (or not) to let the queue go on.
  VkEvent hold_queue();
  /// Records, submits, waits.
  void run(const std::function<void(VkCommandBuffer)>& record);
  /// What follows sees everything before.
  static void barrier(VkCommandBuffer c);
  /// Takes all of a new image to VK_IMAGE_LAYOUT_GENERAL, in which the tests leave it.
  void to_general(VkImage i, VkImageAspectFlags aspects);
  VkShaderModule shader(const uint32_t* words, size_t bytes);
  VkBufferImageCopy whole(const Image& i, uint32_t level = 0, VkImageAspectFlags aspect = 0) const;
  /// A level of an image as bytes.
  std::vector<uint8_t> read(const Image& i, uint32_t bytes_per_pixel, uint32_t level = 0, VkImageAspectFlags aspect = 0);
  void write(const Image& i, const std::vector<uint8_t>& bytes, uint32_t level = 0, VkImageAspectFlags aspect = 0);
  /// Called when everything of the device goes.
  void defer(std::function<void()> f) { deferred_.push_back(std::move(f)); }

  /// Set before SetUp: what the instance and the device are made with.
  std::vector<const char*> instance_extensions, device_extensions;
  const void* device_next = nullptr;
  uint32_t api_version = VK_API_VERSION_1_0;

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;

 private:
  std::vector<std::function<void()>> deferred_;
};

}  // namespace vktest
