// SPDX-License-Identifier: MIT
/// Shader modules, pipeline caches and graphics pipelines. A pipeline keeps its compiled programs, one per texture variant (compiler.h,
/// TextureFacts), and the fixed state; the atoms turn both into registers.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "compiler/compiler.h"
#include "icd/device.h"

namespace pumice::icd {

class ShaderModule : public DeviceObject {
 public:
  using Handle = VkShaderModule;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SHADER_MODULE;
  ShaderModule(Device& d, const VkShaderModuleCreateInfo& i) : DeviceObject(d, kType), words(i.pCode, i.pCode + i.codeSize / 4) {}
  std::vector<uint32_t> words;
};

class PipelineCache : public DeviceObject {
 public:
  using Handle = VkPipelineCache;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE_CACHE;
  explicit PipelineCache(Device& d) : DeviceObject(d, kType) {}
};

using TextureVariant = std::vector<std::pair<compiler::TexturePair, compiler::TextureFacts>>;

/// State that may be dynamic, as a bit per VkDynamicState 0..8.
inline constexpr uint32_t dynamic_bit(VkDynamicState s) { return 1u << s; }

struct FixedState {
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool restart = false;
  VkPolygonMode polygon_mode = VK_POLYGON_MODE_FILL;
  VkCullModeFlags cull = 0;
  VkFrontFace front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  bool discard = false, depth_bias_enable = false;
  float depth_bias_constant = 0, depth_bias_slope = 0, line_width = 1;
  VkViewport viewport{};
  VkRect2D scissor{};
  bool depth_test = false, depth_write = false, stencil_test = false;
  VkCompareOp depth_compare = VK_COMPARE_OP_ALWAYS;
  VkStencilOpState front{}, back{};
  bool logic_op_enable = false;
  VkLogicOp logic_op = VK_LOGIC_OP_COPY;
  std::array<VkPipelineColorBlendAttachmentState, 4> blend{};
  uint32_t blend_count = 0;
  float blend_constants[4] = {0, 0, 0, 0};
  uint32_t sample_mask = ~0u;
  bool alpha_to_coverage = false;
  uint32_t dynamic = 0;
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
};

class Pipeline : public DeviceObject {
 public:
  using Handle = VkPipeline;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE;
  Pipeline(Device& d, const VkGraphicsPipelineCreateInfo& info);

  FixedState fixed;
  /// The program for these texture facts, compiled at first need; null (reported) when it does not fit the chip.
  const compiler::Program* variant(const TextureVariant& textures);

 private:
  struct Stage {
    std::vector<uint32_t> words;
    std::string entry_point;
    std::vector<compiler::Specialization> specializations;
  };
  struct Variant {
    TextureVariant key;
    std::unique_ptr<compiler::Program> program;
  };
  static Stage make_stage(const VkPipelineShaderStageCreateInfo& info);
  std::unique_ptr<compiler::Program> compile(const TextureVariant& textures);

  Stage vertex_;
  std::unique_ptr<Stage> fragment_;
  uint32_t color_attachments_ = 0;
  std::mutex mutex_;
  std::vector<Variant> variants_;
};

}  // namespace pumice::icd
