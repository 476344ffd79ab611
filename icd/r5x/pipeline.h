// SPDX-License-Identifier: MIT
/// Graphics and compute pipelines: X programs in memory, and the registers that follow from the pipeline alone as a list.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "icd/cs.h"
#include "icd/pipeline.h"
#include "icd/r5x/code.h"
#include "icd/r5x/descriptor.h"
#include "icd/r5x/registers.h"
#include "icd/render_pass.h"

namespace pumice::icd::r5x {

inline constexpr uint32_t kTargets = 8, kViewportCount = 16, kVertexBufferCount = 32, kMostViews = 32;
inline constexpr uint32_t kSubgroup = 16;  ///< lanes of the only size

/// How vertices become primitives and which of them are drawn.
struct PrimitiveState {
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool restart = false, discard = false, bias = false;
  VkCullModeFlags cull = 0;
  VkFrontFace front = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  bool operator==(const PrimitiveState&) const = default;
};
struct LineStipple {
  uint32_t factor = 1;
  uint16_t pattern = 0xFFFF;
  bool operator==(const LineStipple&) const = default;
};
struct StencilOps {
  VkStencilOp fail{}, pass{}, depth_fail{};
  VkCompareOp compare{};
  bool operator==(const StencilOps&) const = default;
};
struct DepthState {
  bool test = false, write = false, stencil = false, bounds = false;
  VkCompareOp compare = VK_COMPARE_OP_ALWAYS;
  std::array<StencilOps, 2> ops;  ///< front, back
  bool operator==(const DepthState&) const = default;
};

/// How primitives become samples.
struct RasterState {
  VkPolygonMode polygon = VK_POLYGON_MODE_FILL;
  uint32_t samples = 1, sample_mask = ~0u;
  bool depth_clamp = false, alpha_to_coverage = false, alpha_to_one = false, last_provoking = false;
  bool negative_depth = false, depth_unrestricted = false, stipples = false;
  uint32_t depth_clip = xr::X_RS_CTRL::DEPTH_CLIP__UNLESS_CLAMPED;
  bool operator==(const RasterState&) const = default;
};
/// What is stored of a colour, and how.
struct BlendState {
  std::array<VkColorBlendEquationEXT, kTargets> equations{};
  std::array<uint8_t, kTargets> write_masks{};
  uint32_t blends = 0;                    ///< bit n: target n blends
  uint32_t writes = (1 << kTargets) - 1;  ///< bit n: target n is written (VK_EXT_color_write_enable)
  bool logic = false;
  VkLogicOp logic_op = VK_LOGIC_OP_COPY;
};

/// The state of a pipeline that may be dynamic, and what draws need besides `registers`.
struct GraphicsState {
  PrimitiveState primitives;
  DepthState depth;
  RasterState raster;
  uint32_t viewport_count = 1;
  std::array<VkViewport, kViewportCount> viewports{};
  std::array<VkRect2D, kViewportCount> scissors{};
  float line_width = 1, bias_constant = 0, bias_clamp = 0, bias_slope = 0;
  LineStipple stipple;
  std::array<float, 4> blend_constants{};
  BlendState blend;
  uint32_t targets = 0;        ///< bit n: target n exists and programs write colours
  bool dynamic_blend = false;  ///< the registers of `blend` are not among the pipeline's, because part of it is dynamic
  float bounds_min = 0, bounds_max = 1;
  std::array<uint32_t, 2> stencil_compare{}, stencil_write{}, stencil_reference{};  ///< front, back
  float sample_shading = 0;                                                         ///< minSampleShading; 0: off
  xr::X_FS_CTRL fs_control;                                                         ///< of the program alone
  uint64_t dynamic = 0;                                                             ///< dynamic_bit()
  bool may_stipple() const { return raster.stipples || is_dynamic(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT); }
  bool is_dynamic(VkDynamicState s) const { return dynamic & dynamic_bit(s); }
  uint32_t view_mask = 0;   ///< of the subpass
  uint32_t attributes = 0;  ///< bit n: X_VTX_ATTR[n] is read
  struct Binding {
    uint32_t binding, stride;
    bool operator==(const Binding&) const = default;
  };
  std::vector<Binding> bindings;
};

class GraphicsParts;

class Pipeline : public DeviceObject {
 public:
  using Handle = VkPipeline;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE;
  /// `layout` null: a library without one.
  Pipeline(Device& d, VkPipelineBindPoint point, const PipelineLayout* layout);

  const VkPipelineBindPoint point;
  std::vector<uint32_t> first_dynamic;  ///< of each set in X_*_SET[8]
  uint32_t dynamic_descriptors = 0;
  uint32_t push_bytes = 0;  ///< that programs read
  std::vector<Cs::Stated> registers;
  GraphicsState graphics;
  std::shared_ptr<const GraphicsParts> parts;  ///< of a library, which has nothing else

  /// Compiles, or finds the program in one of the caches, and puts it into memory; an error is reported.
  /// VK_PIPELINE_COMPILE_REQUIRED: it would have to compile and may not.
  VkResult build(const compiler::PipelineSource& source, const std::array<std::shared_ptr<const ShaderCode>, compiler::kStages>& code,
                 const std::shared_ptr<ProgramCache>& cache, bool may_compile);
  bool of_application_cache = false;  ///< the program was in the VkPipelineCache
  const compiler::XProgram* program(compiler::Stage stage) const {
    const auto& p = program_->x[static_cast<size_t>(stage)];
    return p ? &*p : nullptr;
  }
  const CodeRange& code(compiler::Stage stage) const { return code_[static_cast<size_t>(stage)]; }

 private:
  ProgramCache::ProgramPtr program_;
  std::array<CodeRange, compiler::kStages> code_;
};

/// The registers of a pipeline, collected as atoms collect them.
class RegisterList {
 public:
  explicit RegisterList(std::vector<Cs::Stated>& list) : list_(list) {}
  template <class R>
  void state(R value, uint32_t i = 0) {
    list_.push_back({R::at(i) / 4, value.raw});
  }
  template <class R>
  void raw(uint32_t value, uint32_t i = 0) {
    list_.push_back({R::at(i) / 4, value});
  }

 private:
  std::vector<Cs::Stated>& list_;
};

/// A stage of a pipeline with its inputs for compilation; the words live as long as `code`.
struct StageSource {
  std::shared_ptr<const ShaderCode> code;
  compiler::ShaderSource source;
};
StageSource stage_source(Device& device, const VkPipelineShaderStageCreateInfo& info, const char* label);
struct Stage {
  VkShaderStageFlagBits stage;
  StageSource source;
};

/// X_{VS,FS,CS}_CODE_*: LO, HI, SIZE, RSRC follow one another.
template <class Lo, class Hi, class Size, class Rsrc>
void state_code(RegisterList& r, const CodeRange& c) {
  r.raw<Lo>(static_cast<uint32_t>(c.address));
  r.raw<Hi>(static_cast<uint32_t>(c.address >> 32));
  r.raw<Size>(c.size);
  r.raw<Rsrc>(c.rsrc);
}

/// The targets of a graphics pipeline: a subpass, or the attachments of vkCmdBeginRendering.
struct PassFacts {
  uint32_t color = 0;  ///< bit n: target n exists
  bool depth = false;
  uint32_t view_mask = 0;
};
PassFacts pass_facts(const VkGraphicsPipelineCreateInfo& info);
bool has_dynamic(const VkGraphicsPipelineCreateInfo& info, VkDynamicState state);
/// Whether nothing is ever rasterized, in which case much of `info` must not be read.
bool always_discards(const VkGraphicsPipelineCreateInfo& info);

/// X_FS_CTRL with as many samples as there are.
xr::X_FS_CTRL fragment_control(const GraphicsState& p, uint32_t samples);
/// The rate of X_VTX_ATTR_RATE for a binding's.
uint32_t attribute_rate(VkVertexInputRate rate, uint32_t divisor);

/// X_CB_CONTROL and X_CB_BLEND of target `i`.
struct TargetWords {
  xr::X_CB_CONTROL control;
  xr::X_CB_BLEND blend;
};
TargetWords target_words(const BlendState& s, uint32_t targets, uint32_t i);

/// The registers and the state of a graphics pipeline; its programs are there.
void make_graphics_state(Pipeline& p, const VkGraphicsPipelineCreateInfo& info, const PassFacts& pass);

}  // namespace pumice::icd::r5x
