// SPDX-License-Identifier: MIT
/// API-level state of a command buffer, with a dirty bit per item. Setters mark their item dirty; each atom (atoms.h) lists the items it
/// reads, and the flush before each draw runs the atoms with dirty items.
#pragma once
#include <array>
#include <cstdint>

#include "icd/chip_tables.h"
#include "icd/descriptor.h"
#include "icd/pipeline.h"
#include "icd/render_pass.h"

namespace pumice::icd {

enum Dirty : uint32_t {
  kPipeline = 1 << 0,  ///< another pipeline: all its fixed state
  kProgram = 1 << 1,   ///< another program (pipeline or texture variant)
  kViewport = 1 << 2,
  kScissor = 1 << 3,
  kLineWidth = 1 << 4,
  kDepthBias = 1 << 5,
  kBlendConstants = 1 << 6,
  kStencilState = 1 << 7,
  kVertexBuffers = 1 << 8,  ///< index buffer too
  kDescriptors = 1 << 9,
  kPushConstants = 1 << 10,
  kTargets = 1 << 11,  ///< another subpass or framebuffer
  kMemory = 1 << 12,   ///< memory may have changed under the chip: uniform data is loaded again
  kAllDirty = (1 << 13) - 1
};

struct BoundSet {
  DescriptorSet* set = nullptr;
  std::vector<uint32_t> dynamic;
};

/// A colour or depth attachment of the current subpass, in the form needed for the registers. format null: none.
struct Target {
  const FormatInfo* format = nullptr;
  Plane plane;
};

/// What the colour mask does for the colour targets of a subpass (color_mask.cpp).
struct ColorMask {
  bool on = false;
  std::array<uint32_t, 4> first{};  ///< dword of a target's blocks; beyond the RAM: it takes no part
  std::array<uint32_t, 4> rows{};   ///< so many rows of pixels of the target are cleared by the mask; 0: none
  uint32_t clear = 0, clear_gb = 0, clear_ar = 0;
};

struct GfxState {
  uint32_t dirty = kAllDirty;
  Pipeline* pipeline = nullptr;
  const compiler::Program* program = nullptr;
  TextureVariant variant;  ///< of the program: what it must know of the textures that are bound
  VkViewport viewport{};
  VkRect2D scissor{};
  float line_width = 1;
  float depth_bias_constant = 0, depth_bias_slope = 0;
  std::array<float, 4> blend_constants{};
  std::array<uint32_t, 2> stencil_compare{}, stencil_write{}, stencil_reference{};  ///< front, back

  struct VertexBuffer {
    Buffer* buffer = nullptr;
    uint64_t offset = 0;
  };
  std::array<VertexBuffer, hw::most::vertex_arrays> vertex{};
  struct {
    Buffer* buffer = nullptr;
    uint64_t offset = 0;
    bool wide = false;
  } index;
  std::array<BoundSet, 4> sets{};
  static_assert(kR300_VkPhysicalDeviceLimits.maxPushConstantsSize == kR500_VkPhysicalDeviceLimits.maxPushConstantsSize);
  alignas(16) std::array<std::byte, kR500_VkPhysicalDeviceLimits.maxPushConstantsSize> push{};

  RenderPass* pass = nullptr;
  Framebuffer* framebuffer = nullptr;
  uint32_t subpass = 0;
  VkRect2D render_area{};
  std::vector<VkClearValue> clear_values;
  std::array<Target, hw::most::color_targets> color{};
  Target depth;
  ColorMask color_mask;
  uint32_t samples = 1;     ///< per pixel, in the current subpass
  bool fast_depth = false;  ///< the Z mask holds for `depth`: it was cleared when the pass began
  bool counting = false;    ///< an occlusion query is active

  void set_dirty(uint32_t bits) { dirty |= bits; }
  /// The descriptor at (set, binding, element); null when nothing is bound there.
  const Descriptor* descriptor(const compiler::TextureBinding& b) const {
    return b.set < sets.size() && sets[b.set].set ? sets[b.set].set->at(b.binding, b.element) : nullptr;
  }
};

}  // namespace pumice::icd
