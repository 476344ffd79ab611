// SPDX-License-Identifier: MIT
/// The data passed between the pipeline blocks of one draw, front to back, and the entry point of each block (reference executor).
///   CP -> vap::run -> ga::primitive -> su/sc (raster) -> rs -> us::run -> fg -> zb -> rb3d -> memory
/// Each block reads registers from DrawContext::state only and passes on the plain structures below.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hw/radeon/draw/resolve.h"
#include "hw/radeon/memory/memory.h"
#include "hw/radeon/regfile/changes.h"
#include "hw/radeon/regfile/chip_state.h"
#include "hw/radeon/regfile/register_value.h"

namespace pumice::hw {

using Vec4 = std::array<float, 4>;

/// Counters of the pipeline, which advance while X_QUERY_CTRL.STATISTICS is set (docs/r5x.md s.9).
struct PipelineCounts {
  uint64_t vertices = 0, primitives = 0;  ///< that the sequence of a draw has, those of adjacency included
  uint64_t vertex_invocations = 0;
  uint64_t clip_invocations = 0, clip_primitives = 0;  ///< primitives before and behind the clipper
  uint64_t fragment_invocations = 0, compute_invocations = 0;
  bool operator==(const PipelineCounts&) const = default;
};

/// State that draws modify besides memory. Owned by the CP, lives as long as the chip.
struct DrawCounters {
  uint32_t zpass = 0;              ///< ZB_ZPASS_DATA
  uint64_t instructions_left = 0;  ///< watchdog budget of the current draw; a block that finds 0 stops and sets `hung`
  bool hung = false;
  PipelineCounts counts;
  uint32_t stipple = 0;   ///< GA_LINE_STIPPLE_VALUE: grid steps along the lines since the last reset; with X_RS_STIPPLE 1/256 pixels
  uint32_t reported = 0;  ///< already reported in this draw: bits 0..7 Unsupported, 8..19 hw/radeon/ref/us, 20..31 hw/radeon/ref/tx.
                          ///< Cleared when a draw begins
};

/// Features that the pixel blocks lack. They run per quad and would report them thousands of times: see DrawContext::report_once.
enum class Unsupported : uint8_t {
  fog_source,    ///< reserved GB_SELECT.FOG_SELECT
  zb_format,     ///< reserved DEPTHFORMAT
  color_format,  ///< COLORFORMAT and OUT_FMT do not match or are not modelled
  blend_code,    ///< reserved blend factor
  sample_tiles,  ///< a multisampled surface is tiled
  resolve,       ///< RB3D_AARESOLVE_CTL in resolve mode, with a format that cannot be averaged
};

namespace x {
class Programs;  // hw/radeon/decode/us/program.h
}
namespace us {
class StrictPrograms;  // hw/radeon/decode/us/strict.h
}
class Reporter;   // hw/radeon/cp/reporter.h
class Inspector;  // inspector.h
struct Shape;     // hw/radeon/draw/shape.h
struct DrawContext;

/// Receives GA's shapes instead of SU: the fast executor's rasterizer.
class ShapeSink {
 public:
  virtual void shape(DrawContext& ctx, const Shape& shape) = 0;

 protected:
  ~ShapeSink() = default;
};

struct DrawContext {
  const ChipState& state;
  Memory& memory;
  DrawCounters& counters;
  const Listener& config;        ///< of the chip
  Reporter* reporter = nullptr;  ///< names the draw and limits the rate; without it (block tests) texts go to config.on_report unmodified
  ShapeSink* sink = nullptr;     ///< null: shapes go to SU, and the pixels are finished when ga::primitive returns
  uint64_t draw = 0;             ///< number of the draw since the chip was made
  Changes* changes = nullptr;    ///< of `state` since the executor cleared them; null: anything may have changed
  x::Programs* programs = nullptr;              ///< extended programs read so far; null (block tests): each is read when it runs
  us::StrictPrograms* strict = nullptr;         ///< of this thread, for the interpreter; null (block tests): decodes as it runs
  const std::atomic<bool>* stopping = nullptr;  ///< set: long work ends now, its results are undefined (reset, destruction)
  Inspector* inspector = nullptr;               ///< the reference reports each step to it; null: no reports
  bool stopped() const { return stopping && stopping->load(std::memory_order_relaxed); }
  /// Reports (kind, text) with the name of the current draw in front.
  void report(ReportKind kind, const std::string& text) const;
  /// report(), unless `what` was reported since counters.reported was last cleared.
  void report_once(Unsupported what, ReportKind kind, const char* text) const {
    const uint32_t bit = 1u << uint32_t(what);
    if (counters.reported & bit) return;
    counters.reported |= bit;
    report(kind, text);
  }
};

/// The data of a draw packet besides registers (cp-pm4 s.5.2): packed indices for PRIM_WALK 1, vertex dwords for PRIM_WALK 3.
struct DrawInput {
  regs::VAP_VF_CNTL vf_cntl;
  std::span<const uint32_t> data;
};

/// A draw that follows another one directly and differs from it in X_DRAW_BASE_VERTEX, X_DRAW_NUMBER, VAP_VF_CNTL.NUM_VERTICES, its
/// data, in that some vertex buffers begin later, and in descriptor sets and push constants only.
struct NextDraw {
  DrawInput input;
  uint32_t base_vertex = 0, number = 0;
  uint32_t moved = 0;          ///< vertices by which the buffers begin later; no number of a vertex wraps with it
  uint32_t moved_buffers = 0;  ///< mask, the same in all draws that are drawn together
  /// X_GFX_SET_LO to X_GFX_PUSH_SIZE: what is written in front of it. Not where buffers move.
  std::span<const RegisterValue> bindings;
};

/// The registers of the draws that DrawExecutor::draw_more() draws together.
class NextBindings {
 public:
  /// Writes draw.bindings to DrawContext::state and tells DrawContext::changes.
  virtual void write(const NextDraw& draw) = 0;

 protected:
  ~NextBindings() = default;
};

/// X_FILL, X_FILL_ROWS (docs/r5x.md s.9): rows of memory that repeat a pattern, each from its beginning.
struct FillInput {
  GpuAddress address = 0;
  uint64_t row_bytes = 0, pitch = 0, rows = 1;
  std::array<uint32_t, 4> pattern{};
  /// Not 0: what has written the memory since the last fill with this number went through this executor (wrote(), too), and nothing lies
  /// between the rows.
  uint32_t surface = 0;
  /// What the rows hold now and afterwards is not needed: they may hold anything.
  bool unstored = false;
  /// Bytes from the first to the last.
  uint64_t range() const { return (rows - 1) * pitch + row_bytes; }
  /// Whether what lies between the rows may be filled too, and is little: one long run is up to 3 times as fast as its rows where another
  /// core has read the memory.
  bool is_run() const {
    const bool one_value = pattern[0] == pattern[1] && pattern[0] == pattern[2] && pattern[0] == pattern[3];
    return surface && one_value && row_bytes % sizeof(uint32_t) == 0 && pitch % sizeof pattern == 0 && pitch >= row_bytes &&
           (pitch - row_bytes) * 8 <= row_bytes;
  }
};

/// X_SCALE (docs/r5x.md s.9): texels of four bytes, in host memory.
struct ScaleInput {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  uint64_t from_pitch = 0, pitch = 0;          ///< bytes
  uint32_t width = 0, height = 0;              ///< of the source
  uint32_t columns = 0, rows = 0;              ///< of the destination
  float s = 0, s_step = 0, t = 0, t_step = 0;  ///< column i looks up s + i * s_step
  bool linear = false, swap = false;           ///< swap: bytes 0 and 2 change places
  bool passes = false;                         ///< a hint: the destination is larger than caches and is not soon touched again
};
/// Columns and rows of a destination.
struct RowsPart {
  uint32_t x = 0, y = 0, columns = 0, rows = 0;
};

/// X_DISPATCH (docs/r5x.md s.9).
struct DispatchInput {
  std::array<uint32_t, 3> groups{};  ///< workgroups in x, y, z
  std::array<uint32_t, 3> first{};   ///< number of the first
};

inline constexpr uint32_t kMaxTexcoords = most::texcoord_sets;  ///< VAP sets 0..7 and colours 2,3 turned into sets 8,9 (R5xx)
inline constexpr uint32_t kPlainTexcoords = 8;                  ///< those of VAP
inline constexpr uint32_t kMaxColors = 4;

/// A vertex after PVS, clipping, perspective divide and viewport (VTE). x, y in pixels (y down), z as the VTE leaves it
/// (0..1 by default), inv_w = 1/w of the clip position.
struct WindowVertex {
  float x = 0, y = 0, z = 0, inv_w = 1;
  float point_size = 0;  ///< pixels; valid when VAP_OUT_VTX_FMT_0.PT_SIZE is set
  std::array<Vec4, kMaxColors> color{};
  std::array<Vec4, kMaxTexcoords> tex{};
};

enum class PrimitiveKind : uint8_t { point, line, triangle };

/// A half of the window: dx*x + dy*y + c >= 0 at the distance (dx, dy) in pixels from a point's centre. What lies outside is cut off.
struct CutPlane {
  double x = 0, y = 0, c = 0;
};

/// One primitive in window space. `provoking` is the vertex that flat shading reads: it points to the original vertex even when
/// clipping replaced it. Bit i of `edge_flags`: the edge v[i] -> v[i+1] is drawn by polygon mode (line).
struct Primitive {
  PrimitiveKind kind;
  std::array<const WindowVertex*, 3> v{};
  const WindowVertex* provoking = nullptr;
  uint8_t edge_flags = 7;
  std::span<const CutPlane> cut;  ///< of points only: user clip planes (VAP_CLIP_CNTL.PS_UCP_MODE)
};

/// Per-sample data of a multisampled quad (GB_AA_CONFIG).
struct QuadSamples {
  uint8_t count = 1;
  std::array<uint8_t, 8> coverage{};        ///< by sample: its pixels
  std::array<std::array<float, 4>, 8> z{};  ///< [sample][pixel], at the sample
};

/// A 2x2 pixel block, x and y even. Pixel order everywhere: 0 (x,y), 1 (x+1,y), 2 (x,y+1), 3 (x+1,y+1). Bit i of a mask: pixel i.
struct Quad {
  int32_t x = 0, y = 0;
  uint8_t coverage = 0;
  bool back_facing = false;
  bool parallelogram = false;            ///< made from a point or a line
  std::array<float, 4> z{};              ///< 0..1 after depth scale to the unit range, per pixel (plane equation, polygon offset added)
  const QuadSamples* samples = nullptr;  ///< null: one sample; else `coverage` are the pixels with any
};

/// The fragment program's view of a quad. RS fills `temp` before us::run; us::run leaves the outputs.
struct PixelQuad {
  Quad quad;
  std::array<std::array<Vec4, 4>, most::us_temps> temp{};        ///< [register][pixel]
  std::array<std::array<Vec4, 4>, most::color_targets> color{};  ///< [target][pixel] r,g,b,a as written by OUT
  std::array<float, 4> depth{};                                  ///< W_OMASK result
  std::array<float, 4> w{};                                      ///< from RS; 0 unless a step of it produces W
  std::array<float, 4> fog{};                                    ///< what GB_SELECT.FOG_SELECT names, where that is not Z
  uint8_t killed = 0;                                            ///< TEXKILL
};

namespace vap {
void run(DrawContext& ctx, const DrawInput& input);
}  // namespace vap
namespace ga {
void primitive(DrawContext& ctx, const Primitive& p);
}  // namespace ga
namespace us {
void run(DrawContext& ctx, PixelQuad& q);
}  // namespace us
namespace pixel {
void quad(DrawContext& ctx, PixelQuad& q);
}  // namespace pixel

/// One depth/stencil pass over sample `sample` of q. `z` is the depth of each pixel 0..1. Returns the mask of pixels that pass; updates
/// memory and zpass.
namespace zb {
uint8_t test_and_write(DrawContext& ctx, const Quad& q, uint8_t mask, const std::array<float, 4>& z, uint32_t sample = 0);
}  // namespace zb
/// Fog and alpha test on target 0's alpha; returns the mask of surviving pixels, may change colours.
namespace fg {
uint8_t run(DrawContext& ctx, PixelQuad& q, uint8_t mask);
/// When multisampled: the pixels of which alpha-to-mask keeps this sample.
uint8_t sample_mask(DrawContext& ctx, const PixelQuad& q, uint32_t sample);
}  // namespace fg
/// Blends and stores the pixels of `mask`, by sample, of all enabled targets; in resolve mode pixels with any sample are resolved.
namespace rb3d {
void write(DrawContext& ctx, const PixelQuad& q, std::span<const uint8_t> mask);
inline void write(DrawContext& ctx, const PixelQuad& q, uint8_t mask) { write(ctx, q, {&mask, 1}); }
}  // namespace rb3d

namespace tx {
enum class Lookup : uint8_t { ld, proj, lod_bias, lod, dxdy };
/// A texture instruction for a quad; coordinates S,T,R,Q per pixel already swizzled (us-isa A8).
struct Request {
  uint32_t unit = 0;
  Lookup lookup = Lookup::ld;
  bool unscaled = false;
  std::array<Vec4, 4> coord{};
  std::array<Vec4, 4> dx{}, dy{};  ///< dxdy only
};
/// out[pixel] = r,g,b,a after TX_FORMAT1's channel select. Returns the mask of pixels that the chroma key kills.
uint8_t sample(DrawContext& ctx, const Request& request, std::array<Vec4, 4>& out);  // hw/radeon/ref/tx
}  // namespace tx

/// Executes a whole draw immediately, on the calling thread (the CP's), with the reference blocks; with ctx.sink only up to GA.
void execute_draw(DrawContext& ctx, const DrawInput& input);  // hw/radeon/draw
/// Executes all workgroups in ascending order (x fastest), immediately.
void execute_dispatch(DrawContext& ctx, const DispatchInput& input);    // hw/radeon/ref/xk
void execute_scale(const ScaleInput& input, const RowsPart& part);      // hw/radeon/ref/xk
void execute_resolve(const ResolveInput& input, const RowsPart& part);  // hw/radeon/ref/xk
/// Checks before vertex processing: reports unmodelled state. False: nothing is drawn.
bool begin_draw(DrawContext& ctx);

/// A deferred report of a queued draw, available when it is finished.
struct DrawReport {
  uint64_t draw;  ///< DrawContext::draw
  ReportKind kind;
  std::string text;
};

/// Executes the draws of a chip. All calls come from the chip's thread.
class DrawExecutor {
 public:
  virtual ~DrawExecutor() = default;
  /// Executes or queues a draw. ctx.state, ctx.counters and input are valid during the call only. A lockup, possibly of an earlier draw,
  /// sets ctx.counters.hung.
  virtual void draw(DrawContext& ctx, const DrawInput& input) = 0;
  /// Further draws of the state of the last draw(), numbered from ctx.draw on; ctx.counters.instructions_left is for all of them.
  /// X_DRAW_BASE_VERTEX and X_DRAW_NUMBER in ctx.state are not those of any; `bindings` is told about each draw that has some, in turn.
  /// Returns how many of them are drawn, from the first on; where none has bindings all or none. The others must be drawn one by one;
  /// bindings of the first of them may have been written.
  virtual size_t draw_more(DrawContext&, std::span<const NextDraw>, NextBindings&) { return 0; }
  /// Executes a dispatch after everything queued; its results are in memory when it returns.
  virtual void dispatch(DrawContext& ctx, const DispatchInput& input) {
    finish(ctx);
    if (!ctx.counters.hung) execute_dispatch(ctx, input);
  }
  /// execute_scale(), on any thread, for several parts of a destination at once. False: PUMICE_EXEC=check found a difference.
  virtual bool scale(const ScaleInput& input, const RowsPart& part) const {
    execute_scale(input, part);
    return true;
  }
  /// execute_resolve(), likewise.
  virtual bool resolve_part(const ResolveInput& input, const RowsPart& part) const {
    execute_resolve(input, part);
    return true;
  }
  /// Queues a resolve of backed memory, as a draw is queued. False, and nothing is queued: the caller resolves, after finish().
  virtual bool resolve(DrawContext&, const ResolveInput&) { return false; }
  /// Queues a fill of backed memory, as a draw is queued. False, and nothing is queued: the caller fills, after finish().
  virtual bool fill(DrawContext&, const FillInput&) { return false; }
  /// Fills at once; for executors that queue fills. Set by the CP.
  std::function<void(const FillInput&)> fill_now;
  /// After finish(): something else than draws, dispatches and fills writes these bytes now.
  virtual void wrote(GpuAddress /*address*/, uint64_t /*size*/) {}
  /// TX_INVALTAGS: reads whose place only the program knows (descriptors that registers choose, addresses, strict lookups of extended
  /// programs) are ordered with what draws on the other side write. All other reads always are.
  virtual void order() {}
  /// Returns when everything queued is in memory and in ctx.counters.
  virtual void finish(DrawContext&) {}
  /// Drops all queued draws, for a reset; any part of their results may be in memory. The chip's thread is stopped.
  virtual void abandon() {}
  /// From any thread: makes running draw() and finish() calls return soon, with undefined memory contents, until abandon(). May be
  /// repeated.
  virtual void interrupt() {}
  /// Reports of draws finished since the last call.
  virtual std::vector<DrawReport> take_reports() { return {}; }
  /// Whether a queued draw may still write some of these bytes.
  virtual bool writes(GpuAddress, uint64_t) const { return false; }
  /// Dwords of the Z or colour mask RAM that queued draws may read or write.
  struct RamRange {
    uint32_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
  };
  virtual RamRange in_use(OnChipRam) const { return {}; }
  /// The number (DrawContext::draw) of the draw that hung the chip; 0: the last one.
  virtual uint64_t lost_draw() const { return 0; }
  /// hw/radeon/statistics.h; from any thread.
  virtual uint64_t stretched_pixels() const { return 0; }
};

class ReferenceExecutor final : public DrawExecutor {
 public:
  void draw(DrawContext& ctx, const DrawInput& input) override { execute_draw(ctx, input); }
};

}  // namespace pumice::hw
