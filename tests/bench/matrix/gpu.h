// SPDX-License-Identifier: MIT
/// A device with everything it supports enabled, and the objects of one line of the matrix: what a line makes belongs to the Gpu and goes
/// when the line ends (release()). What the driver cannot do throws Unsupported, and the line is "-".
#pragma once
#include <volk.h>

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pumice::bench::matrix {

/// The driver lacks something that a line requires; the text names it.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;  ///< host-visible, coherent
  VkDeviceSize size = 0;
};

struct ImageInfo {
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImageViewType view = VK_IMAGE_VIEW_TYPE_2D;
  VkExtent3D extent{1, 1, 1};
  uint32_t levels = 1, layers = 1;
  VkImageUsageFlags usage = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  ImageInfo info;
};

/// One binding of a descriptor set: of the members, those that its type uses.
struct Binding {
  VkDescriptorType type;
  VkShaderStageFlags stages = VK_SHADER_STAGE_ALL_GRAPHICS;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize range = VK_WHOLE_SIZE;
  VkImageView view = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
  VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  uint32_t count = 1;  ///< of an array whose elements are the same
};

struct Set {
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

class Gpu {
 public:
  Gpu();
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// Destroys all that was made since the last call, newest first.
  void release();
  /// `destroy` is called by release().
  void later(std::function<void()> destroy) { owned_.push_back(std::move(destroy)); }

  /// Throws Unsupported unless the format has all of `features` with optimal tiling.
  void need(VkFormat format, VkFormatFeatureFlags features) const;
  void need(VkBool32 feature, const char* what) const;
  void need_compute() const;
  /// VK_KHR_buffer_device_address.
  void need_addresses() const;
  /// VK_KHR_shader_atomic_int64, of buffers.
  void need_atomics_64() const;

  Buffer buffer(VkDeviceSize size, VkBufferUsageFlags usage, const void* data = nullptr);
  template <class T>
  Buffer buffer(const std::vector<T>& data, VkBufferUsageFlags usage) {
    return buffer(data.size() * sizeof(T), usage, data.data());
  }
  /// Of a buffer that may be reached by its address (need_addresses()).
  VkDeviceAddress address(const Buffer& buffer) const;
  Image image(const ImageInfo& info);
  /// Fills every level and layer with what `bytes(level, layer)` returns, tightly packed; the image is ready for sampling afterwards.
  void upload(const Image& image, const std::function<std::vector<uint8_t>(uint32_t level, uint32_t layer)>& bytes);
  VkSampler sampler(const VkSamplerCreateInfo& info);
  Set set(std::span<const Binding> bindings);
  VkPipelineLayout layout(std::span<const VkDescriptorSetLayout> sets, uint32_t push_bytes, VkShaderStageFlags push_stages);
  VkShaderModule shader(std::string_view name);
  VkRenderPass render_pass(const VkRenderPassCreateInfo& info);
  VkFramebuffer framebuffer(VkRenderPass pass, std::span<const VkImageView> views, VkExtent2D extent);
  VkPipeline graphics(const VkGraphicsPipelineCreateInfo& info);
  VkPipeline compute(std::string_view shader, VkPipelineLayout layout);
  VkCommandPool pool();
  VkCommandBuffer commands(VkCommandPool pool, VkCommandBufferLevel level);

  /// Submits and waits.
  void submit(VkCommandBuffer commands);
  void run_once(const std::function<void(VkCommandBuffer)>& record);

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  uint32_t family = 0;
  VkQueueFlags queue_flags = 0;
  VkPhysicalDeviceFeatures features{};
  VkPhysicalDeviceProperties properties{};
  bool addresses = false, atomics_64 = false, minmax = false;

 private:
  VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted, bool has_address = false);

  VkFence fence_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<std::function<void()>> owned_;
};

/// Throws Unsupported for any error but a lost device, which ends the program.
void check(VkResult result, const char* what);

/// Makes what was written before visible to everything that comes after.
void barrier(VkCommandBuffer commands);
void transition(VkCommandBuffer commands, const Image& image, VkImageLayout from, VkImageLayout to);
VkImageAspectFlags aspects(VkFormat format);

/// SPIR-V of shaders/; the names are those of make_shaders.py's table. Throws std::logic_error if there is none.
std::span<const uint32_t> shader_words(std::string_view name);

}  // namespace pumice::bench::matrix
