// SPDX-License-Identifier: MIT
/// A render pass with a colour target and, on request, depth; pipelines by a few settings.
#pragma once
#include <array>
#include <optional>

#include "tests/vk/fixture.h"

namespace vktest {

struct Spirv {
  const uint32_t* words;
  size_t bytes;
};
/// SPIRV(name) names the array that glslangValidator --vn made.
#define SPIRV(name) \
  vktest::Spirv { name, sizeof name }

struct PushConstants {
  float tint[4] = {1, 1, 1, 1};
  float z = 0.5f;
  int32_t number = 0;
};

/// A descriptor of a set with several.
struct Slot {
  VkDescriptorType type;
  uint32_t binding = 0, element = 0;
  VkDescriptorImageInfo image{};
  VkDescriptorBufferInfo buffer{};
};

struct PipelineOptions {
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool restart = false;
  VkPolygonMode polygon_mode = VK_POLYGON_MODE_FILL;
  VkCullModeFlags cull = VK_CULL_MODE_NONE;
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::optional<VkPipelineDepthStencilStateCreateInfo> depth_stencil;
  std::vector<VkPipelineColorBlendAttachmentState> blend = {{VK_FALSE, {}, {}, {}, {}, {}, {}, 0xF}};
  std::optional<VkLogicOp> logic_op;
  float depth_bias = 0, depth_bias_clamp = 0, line_width = 1;
  uint32_t subpass = 0;
  uint32_t sample_mask = ~0u;
  bool alpha_to_coverage = false;
  VkPipelineCache cache = VK_NULL_HANDLE;
  const VkSpecializationInfo* special = nullptr;  ///< of both stages
  const void* vertex_input_next = nullptr;
  const void* blend_next = nullptr;
  std::vector<VkDynamicState> dynamic;  ///< besides viewport and scissor
  VkPipelineCreateFlags flags = 0;
  bool discard = false;        ///< rasterizerDiscardEnable
  const void* next = nullptr;  ///< VkPipelineRenderingCreateInfo in place of the pass
  VkResult expected = VK_SUCCESS;
};

/// For passes that follow each other, and copies and reads of textures before and after them.
std::array<VkSubpassDependency, 2> between_passes(uint32_t last_subpass);

class Render : public Vk {
 protected:
  static constexpr uint32_t kSize = 16;

  /// Colour formats (one attachment each) and an optional depth format, all cleared on load and stored. Of several samples: colours are
  /// resolved at the end, into `resolved`.
  void make_pass(std::vector<VkFormat> colors = {VK_FORMAT_R8G8B8A8_UNORM}, VkFormat depth = VK_FORMAT_UNDEFINED,
                 VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT, VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR);
  VkPipelineLayout layout(VkDescriptorType type = VK_DESCRIPTOR_TYPE_MAX_ENUM);
  VkPipeline pipeline(Spirv vertex, Spirv fragment, VkPipelineLayout l, const PipelineOptions& o = {});
  /// What pipeline() creates one with, for as long as the call lasts.
  void with_pipeline_info(Spirv vertex, Spirv fragment, VkPipelineLayout l, const PipelineOptions& o,
                          const std::function<void(const VkGraphicsPipelineCreateInfo&)>& use);
  /// A layout of one set, with bindings as large as the slots need, and that set.
  VkPipelineLayout layout(const std::vector<Slot>& slots);
  VkDescriptorSet set_of(const std::vector<Slot>& slots);
  /// A set with one descriptor at binding 0 for the last layout().
  VkDescriptorSet descriptor(VkDescriptorType type, const VkDescriptorBufferInfo* b, const VkDescriptorImageInfo* i);
  /// A set for the last layout().
  VkResult allocate(VkDescriptorPool p, VkDescriptorSet* set);
  VkSampler sampler(VkFilter filter, VkSamplerAddressMode wrap, std::optional<VkCompareOp> compare = {});
  void begin(VkCommandBuffer c, std::array<float, 4> clear = {0, 0, 0, 0}, float depth = 1, uint32_t stencil = 0,
             VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE);
  void push(VkCommandBuffer c, VkPipelineLayout l, const PushConstants& p = {});
  /// Draws in the pass and ends it.
  void render(const std::function<void(VkCommandBuffer)>& record, std::array<float, 4> clear = {0, 0, 0, 0}, float depth = 1,
              uint32_t stencil = 0);
  /// Pixel (x, y) of the last picture() call.
  std::array<uint8_t, 4> at(uint32_t x, uint32_t y) const {
    return {pixels[(y * kSize + x) * 4], pixels[(y * kSize + x) * 4 + 1], pixels[(y * kSize + x) * 4 + 2], pixels[(y * kSize + x) * 4 + 3]};
  }
  void picture() { pixels = read(resolved.empty() ? color[0] : resolved[0], pixel_bytes); }
  uint32_t count(std::array<uint8_t, 4> value) const;

  VkRenderPass pass = VK_NULL_HANDLE;
  uint32_t clear_count = 0;  ///< clear values that begin() passes: of make_pass(); a test with a pass of its own sets it
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  std::vector<Image> color, resolved;
  Image depth;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;  ///< of the pass
  uint32_t pixel_bytes = 4;                               ///< of the picture
  std::vector<uint8_t> pixels;

 private:
  VkPipelineLayout layout_of(const std::vector<VkDescriptorSetLayoutBinding>& bindings);
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
};

}  // namespace vktest
