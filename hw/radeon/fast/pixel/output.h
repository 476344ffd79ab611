// SPDX-License-Identifier: MIT
/// The back end of the fast executor: fog and alpha tests, depth and stencil, colour blending and stores for 4x4 blocks. All register
/// state is decoded once, by prepare(); the routines then touch only memory, lanes and the State, so that blocks of different
/// screen tiles may run on different threads at once. Call with FTZ and DAZ set; two calls for the same pixel must not overlap.
///
/// Order per block (hw/radeon/ref/pipeline/pixel.cpp): depth_stencil() first when `early`, then the program, fog_alpha() with the mask
/// after TEXKILL, depth_stencil() when not `early`, color().
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/decode/fg/setup.h"
#include "hw/radeon/decode/rb3d/resolve.h"
#include "hw/radeon/decode/rb3d/target.h"
#include "hw/radeon/decode/sc/samples.h"
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast::output {

/// Pixels x0 <= x < x1, y0 <= y < y1.
struct Rect {
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x1 <= x0 || y1 <= y0; }
};

/// The rectangle that a draw of `r` may touch because of the colour mask.
inline Rect whole_blocks(const Rect& r) {
  constexpr int32_t kRest = rb3d::ColorMask::kSide - 1;
  return {r.x0 & ~kRest, r.y0 & ~kRest, (r.x1 + kRest) & ~kRest, (r.y1 + kRest) & ~kRest};
}

struct State;
struct Target;

using DepthRoutine = LaneMask (*)(const State& state, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing);
using FogAlphaRoutine = LaneMask (*)(const State& state, LaneMask mask, const Lanes& z, Lanes (&color)[4]);
/// Multisampling with alpha-to-mask: the pixels whose sample remains. `color`: of target 0.
using SampleMaskRoutine = LaneMask (*)(const State& state, const Lanes (&color)[4], uint32_t sample);
using ColorRoutine = void (*)(const State& state, const Target& target, int32_t x, int32_t y, LaneMask mask, const Lanes (&color)[4]);

/// Where a surface lies on the host. Only for surfaces that are backed for the whole Rect of the draw.
struct HostSurface {
  std::byte* base = nullptr;
  uint64_t pitch_bytes = 0;  ///< of a linear surface
  surface::Layout layout;
  bool linear = false;
  /// Microtiles of 2 or 4 bytes per pixel without macrotiles: bytes per row of tiles. Otherwise 0.
  uint64_t tile_row_bytes = 0;
};

/// RB3D in resolve mode.
struct Resolving {
  /// `count` pixels in a row from sample 0's `from`; the samples are `stride` bytes apart.
  using Row = void (*)(const Resolving& r, const std::byte* from, uint64_t stride, std::byte* to, size_t count);
  Row row = nullptr;  ///< null: resolved by the reference, pixel by pixel
  rb3d::Resolve reference;
  HostSurface from, to;  ///< valid with `row`; from: sample 0
  // Inputs of the SIMD routines, without containers.
  enum class Kind : uint8_t { other, unorm, half, srgb } kind = Kind::other;  ///< srgb: four bytes with some `gamma`
  uint32_t samples = 1, bytes = 0;
  /// Fields of `period` bytes (1, 2, 4); the pixel size is a multiple of it.
  uint32_t period = 0, fields = 0;
  uint8_t shift[4] = {}, width[4] = {};
  bool gamma[4] = {};
  const float* srgb = nullptr;
};

/// One colour target.
struct Target {
  ColorRoutine routine = nullptr;
  uint8_t source = 0;       ///< ShadeArgs::color[source]
  uint8_t channel[4] = {};  ///< of `source`, by component C0..C3: 0 = r .. 3 = a
  bool reads_destination = false;
  bool fillable = false;  ///< a uniform colour stores the same bits in every pixel, independent of the destination (see fill())
  HostSurface host;
  rb3d::Target reference;
  rb3d::ColorMask color_mask;  ///< of sample 0's State
  // Inputs of the SIMD routines, without containers (simd/, meson.build). By stored field:
  struct Field {
    uint8_t component = 0, word = 0, shift = 0, width = 0;
    rb3d::Kind kind = rb3d::Kind::unorm;
    rb3d::Dither dither = rb3d::Dither::round;
    uint32_t max = 0;              ///< largest code (of the magnitude for snorm)
    float scale = 0, inverse = 0;  ///< max and 1/max
  };
  Field field[4];
  int fields = 0;
  // By dword of the stored pixel.
  uint32_t stored[4] = {};  ///< bits that belong to a field
  uint32_t keep[4] = {};    ///< bits that the channel mask protects
  // By component C0..C3.
  rb3d::Kind kind[4] = {};
  uint8_t read_from[4] = {};  ///< as in PixelFormat
  bool encode_gamma[4] = {};
  float constant[4] = {};
  float discard_limit[4] = {};
  uint8_t discard = 0;  ///< bit 0 tests alpha, bit 1 colour, bit 2: at or above the limit, not at or below. 0: none
  bool blends = false, blend_reads = false, rop = false, compare_color = false;
  uint8_t bytes = 0;
};

struct State {
  DepthRoutine depth = nullptr;         ///< null: every pixel passes, memory is not touched
  FogAlphaRoutine fog_alpha = nullptr;  ///< null: nothing to do
  /// Multisampled: this State is sample 0's, and each of the others has its own (with `samples` 1), of the surfaces that the
  /// sample is for itself.
  uint32_t samples = 1;
  const State* of_sample[sc::Samples::kMost] = {};
  uint32_t sample = 0, of_samples = 1;  ///< the sample this State is for, and the number of samples
  std::unique_ptr<State[]> others;
  SampleMaskRoutine sample_mask = nullptr;  ///< null: nothing to do
  bool resolves = false;                    ///< color() and fill() resolve instead
  Resolving resolving;
  int target_count = 0;
  std::array<Target, rb3d::kTargets> target;  ///< the first target_count

  // Hints.
  bool early = false;            ///< the registers put ZB before the shader
  bool early_z_allowed = false;  ///< ZB may run before a program without TEXKILL: results are the same. Always true if `early`
  bool shader_depth =
      false;  ///< late ZB takes ShadeArgs::depth (clamped as in pixel.cpp; depth_stencil() clamps) instead of the interpolated z
  bool zero_output = false;   ///< no pixel reaches color()
  bool depth_writes = false;  ///< depth or stencil may change
  bool kills = false;         ///< fog_alpha() may discard pixels
  bool reads_destination = false;
  uint8_t sources =
      0;  ///< bit i: color() or fog_alpha() read the shader's output i. 0: only TEXKILL and depth of the program have an effect

  /// Pixels share memory: surfaces that overlap each other, or rows that are longer than the pitch. The result depends on the order of
  /// pixels, so such a draw must run on the reference executor. (Memory that textures read is not considered.)
  bool shared_memory = false;

  /// Bit i: the shader's output i goes to an FP32 target, which stores every bit: NaN must be the reference's (0x7FC00000 from arithmetic,
  /// any payload from an exact copy), and so must denormals of exact copies. Other targets take any NaN for any other.
  uint8_t exact_sources = 0;

  // Reports: 1 << Unsupported. Blocks raise the bits, take_reports() reports them.
  uint32_t color_reports = 0;  ///< raised when a block reaches color()
  mutable std::atomic<uint32_t> raised = 0;
  void raise(uint32_t bits) const {
    if ((raised.load(std::memory_order_relaxed) & bits) != bits) raised.fetch_or(bits, std::memory_order_relaxed);
  }

  zb::Setup zb;
  /// For a draw with fast fill: `depth` of blocks that are not cleared, and the owner of zb.fast_fill.ram.
  DepthRoutine depth_expanded = nullptr;
  /// Where US_W_FMT makes the program's depth zero: what `depth` calls with it.
  DepthRoutine depth_of_zero = nullptr;
  OnChipRams::Words zmask;
  OnChipRams::Words cmask;  ///< owns ColorMask::ram
  fg::Setup fg;
  rb3d::Shared rb3d;
  HostSurface depth_host;
  Rect rect;  ///< as passed to prepare()
  Memory* memory = nullptr;
  Cpu cpu = Cpu::portable;

  State() = default;
  State(const State&) = delete;  // large: prepared in place
};

/// Fills `out` for a draw. `rect` holds every pixel that the draw may touch (scissor and clip rectangles): surfaces that are fully backed
/// in it get direct routines, others go through the reference blocks, which drop and count faults. `memory` and the pages must stay valid
/// until the draw is done.
void prepare(State& out, const ChipState& state, Memory& memory, const Rect& rect, Cpu cpu);

/// Reports what blocks raised (reserved codes and the like), once per draw; on the thread that owns ctx, after the draw's blocks.
void take_reports(const State& state, const DrawContext& ctx);

/// Returns the pixels that pass. `z`: as interpolated or from the shader. Adds ZB's count to `zpass`.
inline LaneMask depth_stencil(const State& state, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing, uint64_t& zpass) {
  if (state.depth) mask = state.depth(state, x, y, mask, z, back_facing);
  zpass += static_cast<uint64_t>(std::popcount(mask));
  return state.zero_output ? LaneMask{0} : mask;
}

/// Returns the pixels that remain; applies fog to the colours of target 0. `z`: as interpolated.
inline LaneMask fog_alpha(const State& state, LaneMask mask, const Lanes& z, Lanes (&color)[4][4]) {
  return state.fog_alpha ? state.fog_alpha(state, mask, z, color[0]) : mask;
}

/// Resolves pixels: `mask` of a block, or all of a rectangle.
void resolve(const State& state, int32_t x, int32_t y, LaneMask mask);
void resolve(const State& state, const Rect& rect);

/// Blends and stores all samples; `mask` per sample.
void color_of_samples(const State& state, int32_t x, int32_t y, const LaneMask* mask, const Lanes (&color)[4][4]);

/// Blends and stores, for single-sampled draws.
inline void color(const State& state, int32_t x, int32_t y, LaneMask mask, const Lanes (&color)[4][4]) {
  if (mask == 0) return;
  if (state.color_reports) state.raise(state.color_reports);
  if (state.resolves) return resolve(state, x, y, mask);
  for (int i = 0; i < state.target_count; ++i) {
    const Target& t = state.target[static_cast<size_t>(i)];
    t.routine(state, t, x, y, mask, color[t.source]);
  }
}

/// A linear surface of four unorm bytes, C0 lowest, that stores colours unchanged: byte i of a pixel is the nearest code of
/// color[source][channel[i]], clamped to 0..1.
bool stores_codes(const Target& target);

// ---- Whole rectangles ------------------------------------------------------------------------------------------------------------

/// A uniform colour as stored bits, ready to fill rectangles.
struct Fill {
  bool usable = false;  ///< every target is fillable and no blender discard rejects the colour
  std::array<rb3d::PixelBits, rb3d::kTargets> bits{};
};

/// `color` as the shader wrote it, after fog: [output][r,g,b,a]. Usable fills equal color() with these lanes for every pixel.
Fill make_fill(const State& state, const float (&color)[4][4]);

/// The same if every target stores_codes(), without handling of formats; FTZ and DAZ may be set or not.
bool all_store_codes(const State& state);
Fill make_fill_of_codes(const State& state, const float (&color)[4][4]);

/// Stores the fill in every pixel, all samples of it, of `rect` (any rectangle inside prepare()'s, no alignment) of every target, or
/// resolves them.
void fill(const State& state, const Fill& fill, const Rect& rect);

/// Draws without depth whose targets are linear rows: `count` rows (at most 16) from `y` on, of row i the pixels from x + from[i] to
/// x + end[i], none if that is not greater. Returns the number of pixels. Equivalent to fill() of each.
bool can_fill_spans(const State& state);
uint64_t fill_spans(const State& state, const Fill& fill, int32_t x, int32_t y, int32_t count, const int32_t* from, const int32_t* end);

/// Depth and stencil for a rectangle whose pixels are fully covered, all samples of them, at the same z, if no pixel can fail: see
/// can_fill_depth(). Equal to depth_stencil() for all of them; adds to zpass.
bool can_fill_depth(const State& state, bool back_facing);
void fill_depth(const State& state, const Rect& rect, float z, bool back_facing, uint64_t& zpass);

/// No pixel passes at any depth; the only effect is that touched cleared tiles are expanded (the documented way to decompress depth to
/// memory).
bool only_expands(const State& state);
void expand(const State& state, const Rect& rect);

}  // namespace pumice::hw::fast::output
