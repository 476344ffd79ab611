// SPDX-License-Identifier: MIT
/// See pixel_block.h. Loops over eight are vectorised by the compiler.
#include "hw/radeon/fast/extended/pack_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using extended::BlockRoutines;
using extended::kMostBlocks;
constexpr uint32_t kViews = sizeof(PixelArgs::Views) / sizeof(lane::BufferView);

namespace {

typedef uint8_t Bytes __attribute__((vector_size(kDoubles)));
typedef int64_t Longs __attribute__((vector_size(kDoubles * sizeof(int64_t))));

void make(Planes& p, PixelArgs& args, const raster::Record& r, const uint8_t* linear) {
  const double w0 = r.inv_w[0], w1 = r.inv_w[1], w2 = r.inv_w[2], unit = r.unit;
  const double b1x = r.b1x, b1y = r.b1y, b2x = r.b2x, b2y = r.b2y;
  const double dw1 = w1 - w0, dw2 = w2 - w0;
  p.w = w0;
  p.w_dx = dw1 * b1x + dw2 * b2x;
  p.w_dy = dw1 * b1y + dw2 * b2y;
  args.w_step_x = static_cast<float>(p.w_dx * unit);
  args.w_step_y = static_cast<float>(p.w_dy * unit);
  const float* value = r.values();
  const uint32_t stride = r.stride;
  const auto doubles = [](const float* from) {
    HalfF v;
    __builtin_memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, D);
  };
  const auto put = [](auto* to, auto v) { __builtin_memcpy(to, &v, sizeof v); };
  for (uint32_t n = 0; n < stride; n += kDoubles) {
    const D v0 = doubles(value + n), v1 = doubles(value + stride + n), v2 = doubles(value + 2 * stride + n);
    Bytes is_linear;
    __builtin_memcpy(&is_linear, linear + n, sizeof is_linear);
    const auto straight = __builtin_convertvector(is_linear, Longs) != 0;
    const D e1 = v1 - v0, e2 = v2 - v0, zero = {};
    const D d1 = straight ? e1 : v1 == v0 ? zero : e1 * w1, d2 = straight ? e2 : v2 == v0 ? zero : e2 * w2;
    const D dx = d1 * b1x + d2 * b2x, dy = d1 * b1y + d2 * b2y;
    put(p.origin + n, straight ? v0 : zero);
    put(p.dx + n, dx);
    put(p.dy + n, dy);
    put(args.step_x + n, narrow(dx * unit));
    put(args.step_y + n, narrow(dy * unit));
  }
}

/// Evaluates planes at the first kWide blocks, the last of which may not exist.
template <uint32_t kWide>
void places(BlockState& s) {
  const BlockDraw& d = *s.draw;
  const raster::Record& r = *s.record;
  PixelArgs& a = s.args;
  const Planes& p = s.planes;
  double x[kWide], y[kWide];
  for (uint32_t i = 0; i < kWide; ++i) {
    x[i] = s.x[i] * r.unit - r.from_x, y[i] = s.y[i] * r.unit - r.from_y;
    a.x[i] = static_cast<float>(s.x[i]) + 0.5f, a.y[i] = static_cast<float>(s.y[i]) + 0.5f;
  }
  if (d.uses_z)
    for (uint32_t n = 0; n < d.samples; ++n) {
      const double sx = s.sample_x[n], sy = s.sample_y[n], z = r.z, dx = r.z_dx, dy = r.z_dy;
      for (uint32_t i = 0; i < kWide; ++i) a.z[n][i] = static_cast<float>((z + (x[i] + sx) * dx) + (y[i] + sy) * dy);
    }
  if (!d.uses_w) return;
  const double w = p.w, w_dx = p.w_dx, w_dy = p.w_dy;
  for (uint32_t i = 0; i < kWide; ++i) a.w[i] = static_cast<float>((w + x[i] * w_dx) + y[i] * w_dy);
  for (uint32_t n = 0; n < s.plane_count; ++n) {
    const double origin = p.origin[n], dx = p.dx[n], dy = p.dy[n];
    for (uint32_t i = 0; i < kWide; ++i) a.base[n][i] = static_cast<float>((origin + x[i] * dx) + y[i] * dy);
  }
}

/// The same for more blocks, by vectors: of loops over arrays of these the compiler makes scalar operations.
template <uint32_t kVectors>
void places_of_vectors(BlockState& s) {
  const BlockDraw& d = *s.draw;
  const raster::Record& r = *s.record;
  PixelArgs& a = s.args;
  const Planes& p = s.planes;
  typedef int32_t Ints __attribute__((vector_size(kDoubles * sizeof(int32_t))));
  const auto ints = [](const int32_t* from) {
    Ints v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  };
  const auto put = [](float* to, HalfF v) { __builtin_memcpy(to, &v, sizeof v); };
  D x[kVectors], y[kVectors];
  for (uint32_t i = 0; i < kVectors; ++i) {
    const Ints at_x = ints(s.x + kDoubles * i), at_y = ints(s.y + kDoubles * i);
    x[i] = __builtin_convertvector(at_x, D) * r.unit - r.from_x, y[i] = __builtin_convertvector(at_y, D) * r.unit - r.from_y;
    put(a.x + kDoubles * i, __builtin_convertvector(at_x, HalfF) + 0.5f);
    put(a.y + kDoubles * i, __builtin_convertvector(at_y, HalfF) + 0.5f);
  }
  if (d.uses_z)
    for (uint32_t n = 0; n < d.samples; ++n) {
      const double sx = s.sample_x[n], sy = s.sample_y[n];
      for (uint32_t i = 0; i < kVectors; ++i) put(a.z[n] + kDoubles * i, narrow((r.z + (x[i] + sx) * r.z_dx) + (y[i] + sy) * r.z_dy));
    }
  if (!d.uses_w) return;
  for (uint32_t i = 0; i < kVectors; ++i) put(a.w + kDoubles * i, narrow((p.w + x[i] * p.w_dx) + y[i] * p.w_dy));
  for (uint32_t n = 0; n < s.plane_count; ++n) {
    const double origin = p.origin[n], dx = p.dx[n], dy = p.dy[n];
    for (uint32_t i = 0; i < kVectors; ++i) put(a.base[n] + kDoubles * i, narrow((origin + x[i] * dx) + y[i] * dy));
  }
}

void settle(BlockState& s) {
  if (s.collected) settle_collected(s);
  if (s.packed) settle_packed(s);
}

/// Draws what waits in other layers and viewports.
void settle_others(BlockState& s, const raster::Extended& e) {
  const auto turn_to = [&](auto* waiting) {
    if (!waiting || (waiting->layer == e.layer && waiting->viewport == e.viewport)) return;
    settle(s);
    waiting->layer = e.layer, waiting->viewport = e.viewport;
    waiting->extended = &e;
  };
  turn_to(s.collected);
  turn_to(s.packed);
}

void use_own_targets(BlockState& s) {
  const BlockDraw& d = *s.draw;
  for (uint32_t n = 0; n < s.own_targets.count; ++n) {
    const uint64_t base = s.own_targets.base[n];
    if (d.depth_surface.base == base) s.depth = s.own_targets.to[n];
    for (uint32_t i = 0; i < d.colors; ++i)
      if (d.color[i].base == base) s.color[i] = s.own_targets.to[n];
  }
}

bool begin(BlockState& s, const raster::Record& r) {
  settle_others(s, r.extended());
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.args;
  s.record = &r;
  s.now = &s.code[r.back_facing];
  a.group.views = s.now->views;
  a.group.textures = s.now->textures;
  a.group.images = s.now->images;
  a.front = r.back_facing ? 0 : ~0u;
  const BlockDraw::Face& face = d.face[r.back_facing];
  a.reference = face.reference, a.compare = face.compare, a.write = face.write;
  const raster::Extended& e = r.extended();
  a.extended = &e;
  // Without colour targets the number of layers is open.
  if (d.depth && e.layer >= d.depth_surface.layers) {
    s.now = nullptr;
    return false;
  }
  s.depth = s.memory + d.depth_surface.base + e.layer * d.depth_surface.layer_pitch;
  for (uint32_t i = 0; i < d.colors; ++i) s.color[i] = s.memory + d.color[i].base + e.layer * d.color[i].layer_pitch;
  if (s.own_targets.count && e.layer == 0) use_own_targets(s);
  if (d.uses_z) {
    a.z_step_x = static_cast<float>(r.z_dx * r.unit), a.z_step_y = static_cast<float>(r.z_dy * r.unit);
    const BlockDraw::Range& range = d.z_range[e.viewport & 15];
    a.z_low = range.low, a.z_high = range.high;
    if (s.unit != r.unit) {
      s.unit = r.unit;
      for (uint32_t i = 0; i < d.samples; ++i) {
        s.sample_x[i] = static_cast<double>(a.constants->sample_x[i]) * r.unit;
        s.sample_y[i] = static_cast<double>(a.constants->sample_y[i]) * r.unit;
      }
    }
  }
  if (!d.uses_w) return true;
  a.values = r.values();
  make(s.planes, a, r, d.linear);
  return true;
}

/// Invocations of the program for a block.
uint32_t runs_of(const BlockDraw& d, const LaneMask* samples) {
  uint32_t any = 0, all = 0;
  for (uint32_t i = 0; i < d.samples; ++i) any |= samples[i], all += ones(samples[i]);
  return d.runs_per_sample ? all : ones(any);
}

void count_passed_runs(BlockState& s, uint32_t blocks) {
  LaneMask passed[extended::kMostSamples];
  for (uint32_t b = 0; b < blocks; ++b) {
    for (uint32_t i = 0; i < s.draw->samples; ++i) passed[i] = static_cast<LaneMask>(s.args.passed[i][b]);
    s.runs += runs_of(*s.draw, passed);
  }
}

void run(BlockState& s) {
  GroupArgs& g = s.args.group;
  // A budget below one slice has to be accounted for.
  if (!s.now->native || (s.group_budget && s.group_budget < s.slice)) return s.call(s);
  charge(s, s.args.count);
  if (!g.stop) s.now->native(&s.args);
  if (g.stop || g.stopped) s.stopped(s);
}

void finish(BlockState& s) {
  PixelArgs& a = s.args;
  const uint32_t n = a.count;
  if (!n) return;
  const BlockDraw& d = *s.draw;
  if (n == 1)
    places<1>(s);
  else if (n <= 4)
    places<4>(s);
  else if (n <= 8)
    places_of_vectors<8 / kDoubles>(s);
  else
    places_of_vectors<kMostBlocks / kDoubles>(s);
  run(s);
  if (s.has_scratch) s.clear_scratch(s);
  a.count = 0;
  if (s.counts_runs && d.runs_passed) count_passed_runs(s, n);
  if (d.counts_covered) return;
  if (d.counts_bits) {
    for (const float bits : a.passed_bits.v) s.zpass += ones(__builtin_bit_cast(uint32_t, bits));
    return;
  }
  for (uint32_t i = 0; i < d.samples; ++i)
    for (uint32_t b = 0; b < n; ++b) s.zpass += ones(a.passed[i][b] & 0xFFFF);
}

void draw(BlockState& s, const raster::Record& r, int32_t x, int32_t y, const LaneMask* covered) {
  if (s.record != &r) begin(s, r);
  if (!s.now) return;
  if ((s.collected && collect(s, r, x, y, covered[0])) || (s.packed && pack(s, r, x, y, covered[0]))) return;
  if (s.counts_alone) s.alone += covered[0] != 0xFFFF && is_small(r);
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.args;
  const uint32_t b = a.count;
  uint32_t any = 0;
  for (uint32_t i = 0; i < d.samples; ++i) {
    const uint32_t c = covered[i];
    a.covered[i][b] = c;
    any |= c;
    a.passed[i][b] = 0;
    if (d.counts_covered) s.zpass += ones(c);
  }
  if (s.counts_runs && !d.runs_passed) s.runs += runs_of(d, covered);
  a.quads[b] = with_helpers(static_cast<LaneMask>(any));
  s.x[b] = x, s.y[b] = y;
  if (d.depth) a.depth[b] = view(s.depth, d.depth_surface, x, y, d.whole_blocks);
  for (uint32_t i = 0; i < d.colors; ++i) a.color[d.color_number[i]][b] = view(s.color[i], d.color[i], x, y, d.whole_blocks);
  if (++a.count == s.batch) finish(s);
}

/// view() of the pending blocks from `from` on, which are in one row in ascending order.
void views(lane::BufferView (&to)[kViews], std::byte* first, const Surface& surface, const BlockState& s, uint32_t from) {
  const uint32_t last = s.args.count - 1;
  to[last] = view(first, surface, s.x[last], s.y[last], s.draw->whole_blocks);
  if (to[last].size != surface.block_bytes) {
    for (uint32_t b = from; b < last; ++b) to[b] = view(first, surface, s.x[b], s.y[b], false);
    return;
  }
  const std::byte* const row = first + static_cast<uint64_t>(s.y[last]) * surface.row_pitch;
  for (uint32_t b = from; b < last; ++b) to[b] = {row + static_cast<uint64_t>(s.x[b]) * surface.pixel_bytes, surface.block_bytes};
}

/// views() of `n` pending blocks side by side, by vectors.
void views_side_by_side(lane::BufferView (&to)[kViews], std::byte* first, const Surface& surface, const BlockState& s, uint32_t from,
                        uint32_t n) {
  const int32_t x = s.x[from], y = s.y[from];
  const lane::BufferView last = view(first, surface, x + 4 * static_cast<int32_t>(n - 1), y, s.draw->whole_blocks);
  if (last.size != surface.block_bytes) return views(to, first, surface, s, from);
  static_assert(sizeof last == 16 && offsetof(lane::BufferView, size) == 8);
  typedef uint64_t Words __attribute__((vector_size(kDoubles * sizeof(uint64_t))));
  constexpr uint32_t kTogether = kDoubles / 2;  // of a vector
  static_assert(kViews >= kMostBlocks + kTogether - 1);
  // Broadcasts and constants: vectors made of scalars would go through memory in parts.
  Words number, is_base;
  for (uint32_t l = 0; l < kDoubles; ++l) number[l] = l / 2, is_base[l] = l % 2 ? 0 : ~uint64_t{0};
  const uint64_t step = uint64_t{4} * surface.pixel_bytes;
  const uint64_t at =
      reinterpret_cast<uint64_t>(first) + static_cast<uint64_t>(y) * surface.row_pitch + static_cast<uint64_t>(x) * surface.pixel_bytes;
  Words v = ((number * step + at) & is_base) | (~is_base & uint64_t{surface.block_bytes});
  const Words next = is_base & (kTogether * step);
  for (uint32_t b = from; b < from + n; b += kTogether, v += next) __builtin_memcpy(static_cast<void*>(&to[b]), &v, sizeof v);
}

void views_of_row(BlockState& s, uint32_t from, uint32_t n) {
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.args;
  if (d.depth) views_side_by_side(a.depth, s.depth, d.depth_surface, s, from, n);
  for (uint32_t i = 0; i < d.colors; ++i) views_side_by_side(a.color[d.color_number[i]], s.color[i], d.color[i], s, from, n);
}

/// What row() does where all blocks of it are there and none are pending.
void whole_row(BlockState& s, int32_t x, int32_t y) {
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.args;
  a.count = kMostBlocks;
  for (uint32_t b = 0; b < kMostBlocks; ++b) s.x[b] = x + 4 * static_cast<int32_t>(b), s.y[b] = y, a.quads[b] = 0xFFFF;
  for (uint32_t i = 0; i < d.samples; ++i) {
    for (uint32_t& covered : a.covered[i]) covered = 0xFFFF;
    for (uint32_t& passed : a.passed[i]) passed = 0;
  }
  views_of_row(s, 0, kMostBlocks);
}

/// Adds `n` blocks side by side of a draw of one sample.
void add_row(BlockState& s, int32_t x, int32_t y, uint32_t n) {
  PixelArgs& a = s.args;
  const uint32_t from = a.count;
  a.count = from + n;
  // As many as there may be: what is behind them belongs to no block.
  for (uint32_t i = 0; i < kMostBlocks; ++i) s.x[from + i] = x + 4 * static_cast<int32_t>(i);
  for (uint32_t i = 0; i < kMostBlocks; ++i) s.y[from + i] = y;
  for (uint32_t i = 0; i < kMostBlocks; ++i) a.quads[from + i] = 0xFFFF;
  uint32_t *const covered = a.covered[0] + from, *const passed = a.passed[0] + from;  // reach into those of other samples
  for (uint32_t i = 0; i < kMostBlocks; ++i) covered[i] = 0xFFFF;
  for (uint32_t i = 0; i < kMostBlocks; ++i) passed[i] = 0;
  views_of_row(s, from, n);
}

void row(BlockState& s, const raster::Record& r, int32_t x, int32_t y, uint32_t blocks) {
  if (s.record != &r) begin(s, r);
  if (!s.now || !blocks) return;
  if (s.collected) draw_collected_of(s, y, blocks);
  if (s.packed) draw_packed_of_row(s, x, y, blocks);
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.args;
  if (s.batch < kMostBlocks) {
    LaneMask all[extended::kMostSamples];
    for (LaneMask& of_sample : all) of_sample = 0xFFFF;
    for (; blocks; blocks &= blocks - 1) draw(s, r, x + 4 * __builtin_ctz(blocks), y, all);
    return;
  }
  const uint32_t n = ones(blocks);
  if (a.count + n > kMostBlocks) finish(s);
  if (d.counts_covered) s.zpass += uint64_t{kLanes} * n * d.samples;
  if (s.counts_runs && !d.runs_passed) s.runs += uint64_t{kLanes} * n * (d.runs_per_sample ? d.samples : 1);
  if (n == kMostBlocks) {
    whole_row(s, x, y);
    return finish(s);
  }
  const uint32_t first = static_cast<uint32_t>(__builtin_ctz(blocks));
  if (d.samples == 1 && (blocks >> first & ((blocks >> first) + 1)) == 0) {
    add_row(s, x + 4 * static_cast<int32_t>(first), y, n);
    if (a.count == kMostBlocks) finish(s);
    return;
  }
  const uint32_t from = a.count, end = a.count = from + n;
  for (uint32_t b = from; b < end; ++b, blocks &= blocks - 1) {
    s.x[b] = x + 4 * __builtin_ctz(blocks), s.y[b] = y;
    a.quads[b] = 0xFFFF;
  }
  for (uint32_t i = 0; i < d.samples; ++i)
    for (uint32_t b = from; b < end; ++b) a.covered[i][b] = 0xFFFF, a.passed[i][b] = 0;
  if (d.depth) views(a.depth, s.depth, d.depth_surface, s, from);
  for (uint32_t i = 0; i < d.colors; ++i) views(a.color[d.color_number[i]], s.color[i], d.color[i], s, from);
  if (end == kMostBlocks) finish(s);
}

}  // namespace

extern const BlockRoutines kBlockRoutines;
const BlockRoutines kBlockRoutines{draw, row, finish, settle, begin};

}  // namespace pumice::hw::fast::PUMICE_SIMD
