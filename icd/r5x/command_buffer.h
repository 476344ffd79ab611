// SPDX-License-Identifier: MIT
/// VkCommandBuffer of an r5x: recording writes PM4 at once. The vkCmd* functions live in cmd_*.cpp by topic.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "icd/r5x/device.h"
#include "icd/r5x/pipeline.h"

namespace pumice::icd::r5x {

/// A set as it is bound: where its words are, and the descriptors of its dynamic buffers with their offsets.
struct BoundSet {
  hw::GpuAddress address = 0;
  std::vector<BufferWords> dynamic;
};

/// The bindings of draws, or of dispatches.
struct BindPoint {
  /// vkCmdPushDescriptorSetKHR: the last copy of a set that is not in a pool, in the stream's memory.
  struct Pushed {
    std::shared_ptr<const SetShape> shape;
    const std::byte* last = nullptr;
  };
  std::array<Pushed, kSets> pushed;
  const Pipeline* pipeline = nullptr;
  std::array<BoundSet, kSets> sets;
  bool pipeline_dirty = true, sets_dirty = true, push_dirty = true;
};

/// State of draws besides the pipeline, with a dirty bit per item.
enum Dirty : uint32_t {
  kViewports = 1 << 0,
  kScissors = 1 << 1,
  kLineWidth = 1 << 2,
  kDepthBias = 1 << 3,
  kBlendConstants = 1 << 4,
  kDepthBounds = 1 << 5,
  kStencilState = 1 << 6,
  kVertexBuffers = 1 << 7,
  kTargetsDirty = 1 << 8,
  kPrimitives = 1 << 9,
  kBlendState = 1 << 10,
  kRaster = 1 << 11,
  kVertexInput = 1 << 12,
  kAllDirty = (1 << 13) - 1
};

/// An attachment of the current subpass; image null: none, or not known yet (secondary command buffers without a framebuffer).
struct Target {
  const FormatInfo* format = nullptr;
  const Image* image = nullptr;
  Plane plane;  ///< of the first layer
  uint32_t first_layer = 0, layers = 1;
  uint64_t layer_stride = 0;         ///< bytes from one layer (of volumes: slice) to the next
  VkImageAspectFlags aspects = ~0u;  ///< of a depth attachment: those in use
};
/// What a view names as an attachment.
Target target_of(const ImageView& view);

/// vkCmdSetVertexInputEXT; strides are the vertex buffers'.
struct VertexInput {
  struct Attribute {
    xr::X_VTX_ATTR_FORMAT format;
    uint32_t rate = 0;
  };
  std::array<Attribute, 32> attributes;  ///< by location; zeros: none
  uint32_t bindings = 0;                 ///< bit n: binding n exists
};

struct DrawState {
  uint32_t dirty = kAllDirty;
  PrimitiveState primitives;
  RasterState raster;
  BlendState blend;  ///< of pipelines with `dynamic_blend`
  VertexInput input;
  DepthState depth_state;
  uint32_t viewport_count = 1;
  std::array<VkViewport, kViewportCount> viewports{};
  std::array<VkRect2D, kViewportCount> scissors{};
  float line_width = 1, bias_constant = 0, bias_clamp = 0, bias_slope = 0, bounds_min = 0, bounds_max = 1;
  LineStipple stipple;
  std::array<float, 4> blend_constants{};
  std::array<uint32_t, 2> stencil_compare{}, stencil_write{}, stencil_reference{};  ///< front, back
  struct VertexBuffer {
    const Buffer* buffer = nullptr;
    uint64_t offset = 0;
    uint64_t bytes = VK_WHOLE_SIZE;
    uint32_t stride = 0;  ///< where the pipeline has none; stays when another buffer is bound without one
  };
  std::array<VertexBuffer, kVertexBufferCount> vertex{};
  struct {
    const Buffer* buffer = nullptr;
    uint64_t offset = 0;
    uint32_t bytes = 2;  ///< of an index
  } index;

  const RenderPass* pass = nullptr;
  std::optional<VkExtent3D> extent;  ///< width, height and layers that draws may reach; none: not known while recording
  std::vector<const ImageView*> attachments;
  uint32_t subpass = 0;
  VkRect2D render_area{};
  std::vector<VkClearValue> clear_values;
  std::array<Target, kTargets> color{};
  Target depth;
  uint32_t samples = 1;
  bool counting = false;  ///< an occlusion query is active
  /// Layers that the current subpass may draw to.
  uint32_t layers() const {
    if (const uint32_t views = view_mask()) return static_cast<uint32_t>(std::bit_width(views));
    return extent ? std::max(extent->depth, 1u) : 1u;
  }
  uint32_t view_mask() const { return pass ? pass->subpasses[subpass].view_mask : 0; }
};

/// Assigns a value to an item of the state, which is dirty if the value differs.
template <class T>
void assign(DrawState& g, T& to, const T& value, uint32_t bit) {
  if (std::memcmp(&to, &value, sizeof(T)) == 0) return;
  to = value;
  g.dirty |= bit;
}

class CommandBuffer : public RadeonCommands {
 public:
  CommandBuffer(R5xDevice& d, CommandPool& p, VkCommandBufferLevel l) : RadeonCommands(d, p, l) {}

  /// vkCmdClearAttachments in a secondary command buffer without known targets: the primary clears before it runs step `at`.
  struct OpenClear {
    size_t at;
    std::vector<VkClearAttachment> attachments;
    std::vector<VkClearRect> rects;
    bool conditional = false;
  };
  std::vector<OpenClear> open_clears;

  DrawState draw;
  std::array<BindPoint, 2> bind;  ///< by VkPipelineBindPoint: graphics, compute
  alignas(16) std::array<std::byte, kPushBytes> push{};

  void reset() override;
  /// vkCmdBeginConditionalRenderingEXT, here or in the primary command buffer: draws, dispatches and clears of attachments depend on
  /// R5xDevice::condition.
  bool conditional = false;
  /// The next `dwords` dwords, which lie together, are executed only if the condition holds. Nothing where `conditional` is false.
  void on_condition(uint32_t dwords);
  /// The driver's own fills and dispatches are clears of attachments by the application.
  bool clears_attachments = false;
  /// Writes back and invalidates caches and waits for the engines, so that later commands see earlier results.
  void barrier();
  /// Invalidates all register shadows, after foreign packets.
  void forget_state();

  /// Programs, sets and push constants of a bind point into registers; false: there is no pipeline.
  bool flush_bindings(VkPipelineBindPoint point);
  /// Emits all state of a draw.
  bool flush_draw();

  /// New memory for set `set` of the layout with what was pushed to it before; bound.
  SetMemory push_set(VkPipelineBindPoint point, const PipelineLayout& layout, uint32_t set);

  void begin_pass(const VkRenderPassBeginInfo& info);
  void begin_rendering(const VkRenderingInfo& info);
  void end_rendering();
  /// A secondary command buffer inside of vkCmdBeginRendering.
  void inherit_rendering(const VkCommandBufferInheritanceRenderingInfo& info);
  void next_subpass();
  void end_pass();
  void clear_attachments(std::span<const VkClearAttachment> attachments, std::span<const VkClearRect> rects);
  void begin_condition(hw::GpuAddress value, bool inverted);
  void end_condition();
  void enter_subpass();
  /// X_CB and X_ZB surfaces of the subpass, and the clip rectangle.
  void emit_targets();

 private:
  std::unique_ptr<const RenderPass> own_pass_;  ///< vkCmdBeginRendering as a render pass of one subpass
  void clear_on_load();
  void resolve_attachments();
  void fill_unstored_targets();
};

/// CommandBuffer::barrier() of a stream.
void barrier(Cs& cs);
/// COND_EXEC: the next `dwords` dwords, which lie together, are executed if the dword at `address` is 0, or if it is not.
void if_dword(Cs& cs, hw::GpuAddress address, bool is_zero, uint32_t dwords);

inline R5xDevice& device_of(CommandBuffer& c) { return r5x_of(c.device); }

}  // namespace pumice::icd::r5x
