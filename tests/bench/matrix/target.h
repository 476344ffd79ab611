// SPDX-License-Identifier: MIT
/// What lines draw to and with: targets with their render pass, pipelines with plain state, the triangle that covers a target.
#pragma once
#include "tests/bench/matrix/line.h"

namespace pumice::bench::matrix {

constexpr uint32_t kSize = 512;  ///< a target's width and height where nothing else is said
constexpr double kMegapixels = kSize * kSize * 1e-6;

struct TargetInfo {
  std::vector<VkFormat> colors{VK_FORMAT_R8G8B8A8_UNORM};
  VkFormat depth = VK_FORMAT_UNDEFINED;
  uint32_t width = kSize, height = kSize;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;  ///< more: the first colour is resolved
  bool sampled = false;                                   ///< left for sampling instead of TRANSFER_SRC
  bool keep_depth = false;                                ///< stored, and left like colours
  bool clears_stencil = true;                             ///< with the depth; else what it has been does not matter
};

struct Target {
  TargetInfo info;
  std::vector<Image> colors;
  Image depth, resolved;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;

  /// Begins the pass, cleared, with a viewport and scissor of the whole target.
  void begin(VkCommandBuffer commands, VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE) const;
  void whole_viewport(VkCommandBuffer commands) const;
  Picture picture() const;  ///< of what the pass leaves: resolved, first colour, or depth
};
Target make_target(Gpu& gpu, const TargetInfo& info);

/// What all vertex and some fragment shaders have as push constants: rows of a matrix, and `extra`.
struct Push {
  float u[4]{0.5f, 0, 0.5f, 0}, v[4]{0, 0.5f, 0.5f, 0}, w[4]{0.25f, -0.25f, 0.5f, 0}, extra[4]{0.5f, 0, 0.5f, 0};
};
constexpr VkShaderStageFlags kPushStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
VkPipelineLayout make_layout(Gpu& gpu, const Set& set = {});
void push(VkCommandBuffer commands, VkPipelineLayout layout, const Push& values);

struct PipelineInfo {
  std::string vertex = "screen.vert", fragment = "color";  ///< without `fragment`: depth alone
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkRenderPass pass = VK_NULL_HANDLE;
  uint32_t subpass = 0, colors = 1;
  std::vector<VkVertexInputBindingDescription> bindings{{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}};
  std::vector<VkVertexInputAttributeDescription> attributes{{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkPipelineDepthStencilStateCreateInfo depth{.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                              .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL};
  VkPipelineColorBlendAttachmentState blend{.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                                                              VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT};
  bool logic = false;  ///< XOR
  bool discard = false;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};
/// Viewport and scissor are dynamic.
VkPipeline make_pipeline(Gpu& gpu, const PipelineInfo& info);

/// The blend state of what is drawn over what is there by alpha.
void blend_by_alpha(VkPipelineColorBlendAttachmentState& blend);

/// Three vertices of two floats that cover the target.
Buffer screen_vertices(Gpu& gpu);
void draw_screen(VkCommandBuffer commands, const Buffer& vertices, VkPipelineLayout layout, const Push& values);

/// Triangles of two floats, two in each cell of `cell` pixels square, over a target of kSize.
std::vector<float> grid(uint32_t cell);

/// The case of one full-screen draw per pass with `fragment`, and one set of descriptors if there is one.
Case screen_case(Gpu& gpu, const std::string& fragment, const Set& set = {}, const Push& values = {}, const TargetInfo& target = {});

}  // namespace pumice::bench::matrix
