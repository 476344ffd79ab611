// SPDX-License-Identifier: MIT
/// The part of Vulkan that is the same in every example: instance, device, one queue, memory. Nothing here hides a concept;
/// it only saves each example from repeating two hundred lines.
#pragma once
#include <volk.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "examples/common/check.h"
#include "examples/common/options.h"

namespace example {

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;  ///< host-visible, coherent
  VkDeviceSize size = 0;
};

struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent3D extent{};
};

struct ImageInfo {
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  uint32_t width = 1, height = 1;
  VkImageUsageFlags usage = 0;
  uint32_t mip_levels = 1;
  uint32_t layers = 1;
  bool cube = false;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

class Context {
 public:
  /// Takes the first physical device that has the extensions and a queue family with the flags.
  Context(const Options& options, std::span<const char* const> instance_extensions, std::span<const char* const> device_extensions,
          VkQueueFlags queue_flags = VK_QUEUE_GRAPHICS_BIT);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Buffer create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, const void* data = nullptr);
  void destroy(Buffer& b);
  Image create_image(const ImageInfo& info);
  void destroy(Image& i);
  VkShaderModule create_shader(std::span<const uint32_t> spirv);

  /// Records `commands` into a one-time command buffer, submits it and waits.
  void run_once(const std::function<void(VkCommandBuffer)>& commands);
  /// Copies tightly packed pixels of one mip level and layer into `image` and leaves it ready for sampling.
  void upload(const Image& image, std::span<const uint8_t> pixels, uint32_t mip_level = 0, uint32_t layer = 0);
  /// The first of `candidates` that has `feature` with optimal tiling; ends the program when none has.
  VkFormat choose_format(std::span<const VkFormat> candidates, VkFormatFeatureFlags feature) const;

  /// Number of errors and warnings the validation layer reported (0 without --validate).
  int validation_messages() const { return validation_messages_; }

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  uint32_t queue_family = 0;
  VkCommandPool command_pool = VK_NULL_HANDLE;

 private:
  void create_instance(const Options& options, std::span<const char* const> extensions);
  bool choose_device(std::span<const char* const> extensions, VkQueueFlags queue_flags);
  void create_device(std::span<const char* const> extensions, VkQueueFlags queue_flags);
  VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags properties);
  static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                   const VkDebugUtilsMessengerCallbackDataEXT*, void*);

  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  int validation_messages_ = 0;
};

/// Moves an image between layouts, with the widest barrier: examples favour clarity.
void transition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to,
                VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT, uint32_t base_mip = 0, uint32_t mips = VK_REMAINING_MIP_LEVELS,
                uint32_t base_layer = 0, uint32_t layers = VK_REMAINING_ARRAY_LAYERS);

}  // namespace example
