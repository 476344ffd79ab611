// SPDX-License-Identifier: MIT
/// Shader modules and graphics pipelines. A pipeline keeps its compiled programs, one per texture variant (compiler.h,
/// TextureFacts), and the fixed state; the atoms turn both into registers.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "compiler/compiler.h"
#include "icd/device.h"
#include "icd/pipeline_cache.h"
#include "icd/recent_programs.h"

namespace pumice::icd {

class ShaderModule : public DeviceObject {
 public:
  using Handle = VkShaderModule;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SHADER_MODULE;
  ShaderModule(Device& d, const VkShaderModuleCreateInfo& i)
      : DeviceObject(d, kType), code(d.codes.get(std::span(i.pCode, i.codeSize / 4))) {}
  std::shared_ptr<const ShaderCode> code;
};

using TextureVariant = std::vector<std::pair<compiler::TexturePair, compiler::TextureFacts>>;

/// State that may be dynamic, as a bit per VkDynamicState: 0..8 of Vulkan 1.0, then those of VK_EXT_extended_dynamic_state and its
/// successors.
/// No loop over a table: pipelines are bound often, and the compiler folds this.
inline constexpr uint64_t dynamic_bit(VkDynamicState s) {
  constexpr uint32_t kSecond = VK_DYNAMIC_STATE_CULL_MODE, kThird = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                     kFourth = VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT;
  const auto value = static_cast<uint32_t>(s);
  const auto bit = [](uint32_t n) { return uint64_t{1} << n; };
  return value < 9                                          ? bit(value)
         : value - kSecond < 12                             ? bit(9 + value - kSecond)
         : value - kThird < 4                               ? bit(21 + value - kThird)
         : value == VK_DYNAMIC_STATE_VERTEX_INPUT_EXT       ? bit(25)
         : value == VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT ? bit(26)
         : value - kFourth < 20                             ? bit(27 + value - kFourth)
         : value == VK_DYNAMIC_STATE_LINE_STIPPLE_EXT       ? bit(47)
                                                            : 0;
}

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
  uint32_t samples = 1, sample_mask = ~0u;
  bool alpha_to_coverage = false;
  uint64_t dynamic = 0;
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
};

class Pipeline : public DeviceObject {
 public:
  using Handle = VkPipeline;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE;
  /// `cache` may be null.
  Pipeline(Device& d, PipelineCache* cache, const VkGraphicsPipelineCreateInfo& info);

  FixedState fixed;
  /// The program for these texture facts, looked up or compiled at first need; null (reported) when it does not fit the chip.
  const compiler::Program* variant(const TextureVariant& textures);

 private:
  struct Stage {
    std::shared_ptr<const ShaderCode> code;
    std::string entry_point;
    std::vector<compiler::Specialization> specializations;
  };
  struct Variant {
    TextureVariant key;
    ProgramCache::ProgramPtr program;
  };
  static Stage make_stage(const VkPipelineShaderStageCreateInfo& info);
  compiler::PipelineSource source(const TextureVariant& textures) const;
  /// From the application's cache, the device's own, or the compiler, in this order; then both caches know it.
  ProgramCache::ProgramPtr find_or_compile(const TextureVariant& textures);
  ProgramCache::ProgramPtr compile(const compiler::PipelineSource& source);

  std::weak_ptr<ProgramCache> cache_;
  Stage vertex_;
  std::unique_ptr<Stage> fragment_;
  uint32_t color_attachments_ = 0;
  std::mutex mutex_;
  std::vector<Variant> variants_;
  std::atomic<const compiler::Program*> base_ = nullptr;  ///< of variants_: without textures' facts
};

}  // namespace pumice::icd
