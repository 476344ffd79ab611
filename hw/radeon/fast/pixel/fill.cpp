// SPDX-License-Identifier: MIT
/// Fills of rectangles with one colour or depth: rows of a repeated pixel.
#include <algorithm>

#include "hw/radeon/fast/pixel/routines.h"

namespace pumice::hw::fast::output {
namespace {

/// for_rows() of microtiles (HostSurface::tile_row_bytes): two rows of pixels at once where the rectangle contains whole tiles.
template <class F>
void for_micro_rows(const HostSurface& s, const Rect& r, F f) {
  const uint32_t bytes = s.layout.bytes_per_pixel;
  const int32_t width = bytes == 4 ? 4 : 8;
  const int32_t whole0 = std::min((r.x0 + width - 1) & -width, r.x1), whole1 = std::max(r.x1 & -width, whole0);
  for (int32_t y = r.y0; y < r.y1;) {
    std::byte* row = s.base + static_cast<uint64_t>(y >> 1) * s.tile_row_bytes;
    const auto pixels = [&](int32_t line, int32_t x0, int32_t x1) {  // inside one tile
      if (x0 < x1) f(row + x0 / width * 32 + (line & 1) * 16 + x0 % width * static_cast<int32_t>(bytes), static_cast<size_t>(x1 - x0));
    };
    const bool both = (y & 1) == 0 && y + 1 < r.y1;
    for (int32_t line = y; line <= y + both; ++line) {
      if (whole0 > r.x0 && whole0 - r.x0 < width) pixels(line, r.x0, whole0);
      if (!both)
        for (int32_t x = whole0; x < whole1; x += width) pixels(line, x, x + width);
      pixels(line, std::max(whole1, r.x0), r.x1);
    }
    if (both && whole1 > whole0) f(row + whole0 / width * 32, static_cast<size_t>(whole1 - whole0) * 2);
    y += 1 + both;
  }
}

/// Calls f(host pointer, pixels) for the runs of the rectangle in a linear or microtiled surface.
template <class F>
void for_rows(const HostSurface& s, const Rect& r, F f) {
  if (s.tile_row_bytes) return for_micro_rows(s, r, f);
  const uint64_t bytes = s.layout.bytes_per_pixel;
  std::byte* row = s.base + static_cast<uint64_t>(r.y0) * s.pitch_bytes + static_cast<uint64_t>(r.x0) * bytes;
  const auto width = static_cast<size_t>(r.x1 - r.x0), height = static_cast<size_t>(r.y1 - r.y0);
  if (width * bytes == s.pitch_bytes) return f(row, width * height);
  for (size_t y = 0; y < height; ++y, row += s.pitch_bytes) f(row, width);
}

/// A multisampled surface as a single-sampled one that holds all samples: sample 0's rows and those between them.
HostSurface all_samples(HostSurface s, uint32_t samples) {
  s.pitch_bytes /= samples;
  return s;
}
Rect all_samples(const Rect& r, uint32_t samples) {
  const auto n = static_cast<int32_t>(samples);
  return {r.x0, r.y0 * n, r.x1, r.y1 * n};
}

void fill_target(const State& state, size_t i, const rb3d::PixelBits& bits, const Rect& r) {
  const Target& t = state.target[i];
  if (t.color_mask.ram) return fill_masked(state, i, bits, r);
  const RoutineTable& routines = routine_table(state.cpu);
  bool direct = t.host.linear || t.host.tile_row_bytes;
  for (uint32_t s = 0; s < state.samples; ++s) direct &= state.of_sample[s]->target[i].host.base != nullptr;
  if (direct)
    return for_rows(all_samples(t.host, state.samples), all_samples(r, state.samples),
                    [&](std::byte* to, size_t count) { routines.fill_row(to, bits.data(), t.reference.format.bytes, count); });
  for (uint32_t s = 0; s < state.samples; ++s) {
    const surface::PixelAccess& pixels = state.of_sample[s]->target[i].reference.pixels;
    for (int32_t y = std::max(r.y0, 0); y < r.y1; ++y)
      for (int32_t x = std::max(r.x0, 0); x < r.x1; ++x)
        pixels.write(*state.memory, static_cast<uint32_t>(x), static_cast<uint32_t>(y), bits.data());
  }
}

/// A stencil operation whose result is (stored & keep) | value.
struct Merge {
  bool possible = false;
  uint32_t keep = 0, value = 0;
};

Merge merge_of(uint32_t op, uint32_t reference) {
  switch (op) {
    case regs::ZB_ZSTENCILCNTL::STENCILZPASS__KEEP: return {true, 0xFF, 0};
    case regs::ZB_ZSTENCILCNTL::STENCILZPASS__ZERO: return {true, 0, 0};
    case regs::ZB_ZSTENCILCNTL::STENCILZPASS__REPLACE: return {true, 0, reference};
    default: return {};
  }
}

Rect depth_rect(const zb::Setup& zb, const Rect& r) {
  return {r.x0 + zb.x_offset, r.y0 + zb.y_offset, r.x1 + zb.x_offset, r.y1 + zb.y_offset};
}

/// Calls f(tiles) for rectangles of whole cleared (or expanded) tiles that contain pixels of `r`, a rectangle of the depth surface.
template <class F>
void for_tiles(const zb::FastFill& fill, const Rect& r, bool cleared, F f) {
  const auto side = static_cast<int32_t>(fill.side());
  const int32_t x0 = r.x0 & -side, x1 = (r.x1 + side - 1) & -side;
  for (int32_t y = r.y0 & -side; y < r.y1; y += side)
    for (int32_t x = x0; x < x1;) {
      const auto is = [&](int32_t at) { return fill.cleared(static_cast<uint32_t>(at), static_cast<uint32_t>(y)) == cleared; };
      while (x < x1 && !is(x)) x += side;
      const int32_t from = x;
      while (x < x1 && is(x)) x += side;
      if (from < x) f(Rect{from, y, x, y + side});
    }
}

Rect common(const Rect& a, const Rect& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

void fill_clear(const State& state, const Rect& tiles) {
  const RoutineTable& routines = routine_table(state.cpu);
  const rb3d::PixelBits bits = {state.zb.fast_fill.clear};
  const uint32_t bytes = state.depth_host.layout.bytes_per_pixel;
  for_rows(all_samples(state.depth_host, state.samples), all_samples(tiles, state.samples),
           [&](std::byte* to, size_t count) { routines.fill_row(to, bits.data(), bytes, count); });
}

void mark_expanded(const zb::FastFill& fill, const Rect& tiles) {
  for (int32_t x = tiles.x0; x < tiles.x1; x += static_cast<int32_t>(fill.side()))
    fill.mark_expanded(static_cast<uint32_t>(x), static_cast<uint32_t>(tiles.y0));
}

}  // namespace

bool only_expands(const State& state) {
  const zb::Setup& zb = state.zb;
  return zb.fast_fill.ram && state.depth_host.base && (state.depth_host.tile_row_bytes || state.samples > 1) && zb.z_test && !zb.stencil &&
         zb.z_func == regs::ZB_ZSTENCILCNTL::ZFUNC__NEVER;
}

void expand(const State& state, const Rect& rect) {
  if (rect.empty() || !state.zb.fast_fill.expands_all) return;
  for_tiles(state.zb.fast_fill, depth_rect(state.zb, rect), true, [&](const Rect& tiles) {
    fill_clear(state, tiles);
    mark_expanded(state.zb.fast_fill, tiles);
  });
}

Fill make_fill(const State& state, const float (&color)[4][4]) {
  Fill out;
  out.usable = true;
  for (size_t i = 0; i < static_cast<size_t>(state.target_count); ++i) {
    const Target& t = state.target[i];
    const Vec4 rgba = {color[t.source][0], color[t.source][1], color[t.source][2], color[t.source][3]};
    out.usable &= t.fillable && rb3d::stored_pixel(state.rb3d, t.reference, rgba, out.bits[i]);
  }
  return out;
}

bool all_store_codes(const State& state) {
  return std::all_of(state.target.begin(), state.target.begin() + state.target_count,
                     [](const Target& t) { return t.fillable && stores_codes(t); });
}

Fill make_fill_of_codes(const State& state, const float (&color)[4][4]) {
  // In the binade of 2^52 doubles are exactly the integers; ties go to even, and products of a float and 255 are exact.
  constexpr double kMagic = 4503599627370496.0;
  Fill out;
  out.usable = true;
  for (size_t i = 0; i < static_cast<size_t>(state.target_count); ++i) {
    const Target& t = state.target[i];
    uint32_t word = 0;
    for (uint32_t c = 0; c < 4; ++c) {
      const float v = color[t.source][t.channel[c]], clamped = v > 0 ? (v < 1 ? v : 1.0f) : 0.0f;
      word |= static_cast<uint32_t>(std::bit_cast<uint64_t>(static_cast<double>(clamped) * 255.0 + kMagic) & 0xFF) << 8 * c;
    }
    out.bits[i] = {word};
  }
  return out;
}

void fill(const State& state, const Fill& fill, const Rect& rect) {
  if (rect.empty()) return;
  if (state.color_reports) state.raise(state.color_reports);
  if (state.resolves) return resolve(state, rect);
  for (size_t i = 0; i < static_cast<size_t>(state.target_count); ++i) fill_target(state, i, fill.bits[i], rect);
}

bool can_fill_spans(const State& state) {
  if (state.depth || state.resolves || state.samples > 1) return false;
  const auto rows = [](const Target& t) { return t.host.base && t.host.linear && !t.color_mask.ram; };
  return std::all_of(state.target.begin(), state.target.begin() + state.target_count, rows);
}

uint64_t fill_spans(const State& state, const Fill& fill, int32_t x, int32_t y, int32_t count, const int32_t* from, const int32_t* end) {
  uint64_t pixels = 0;
  for (int32_t i = 0; i < count; ++i) pixels += static_cast<uint64_t>(std::max(end[i] - from[i], 0));
  if (pixels == 0 || state.zero_output) return pixels;
  if (state.color_reports) state.raise(state.color_reports);
  for (size_t n = 0; n < static_cast<size_t>(state.target_count); ++n) {
    const Target& t = state.target[n];
    const auto fill_row = routine_table(state.cpu).fill_row;
    const uint32_t bytes = t.reference.format.bytes;
    std::byte* row = t.host.base + static_cast<uint64_t>(y) * t.host.pitch_bytes;
    for (int32_t i = 0; i < count; ++i, row += t.host.pitch_bytes)
      if (from[i] < end[i])
        fill_row(row + static_cast<uint64_t>(x + from[i]) * bytes, fill.bits[n].data(), bytes, static_cast<size_t>(end[i] - from[i]));
  }
  return pixels;
}

bool can_fill_depth(const State& state, bool back_facing) {
  for (uint32_t i = 1; i < state.samples; ++i)
    if (!can_fill_depth(*state.of_sample[i], back_facing)) return false;
  if (!state.depth) return true;
  const zb::Setup& zb = state.zb;
  const zb::StencilFace& face = zb.face[back_facing];
  if (!state.depth_host.base || !(state.depth_host.linear || state.depth_host.tile_row_bytes)) return false;
  if (zb.z_test && zb.z_func != regs::ZB_ZSTENCILCNTL::ZFUNC__ALWAYS) return false;
  return !zb.stencil || (face.func == regs::ZB_ZSTENCILCNTL::STENCILFUNC__ALWAYS && merge_of(face.zpass, 0).possible);
}

void fill_depth(const State& state, const Rect& rect, float z, bool back_facing, uint64_t& zpass) {
  if (rect.empty()) return;
  zpass += static_cast<uint64_t>(rect.x1 - rect.x0) * static_cast<uint64_t>(rect.y1 - rect.y0) * state.samples;
  if (!state.depth) return;
  const zb::Setup& zb = state.zb;
  const zb::StencilFace& face = zb.face[back_facing];
  const bool wide = zb.format == zb::DepthFormat::z24s8;
  const uint32_t all = wide ? 0xFFFFFFFFu : 0xFFFFu;
  uint32_t keep = all, value = 0;
  if (zb.z_write) {
    const uint32_t code = zb::quantise(z, zb.format, zb.invert_13e3);
    keep = wide ? 0xFFu : 0;
    value = wide ? code << 8 : code;
  }
  if (zb.stencil) {
    const Merge m = merge_of(face.zpass, face.reference);
    keep &= ~(face.write_mask & ~m.keep);
    value |= m.value & face.write_mask;
  }
  if (keep == all) return;
  const RoutineTable& routines = routine_table(state.cpu);
  const Rect r = depth_rect(zb, rect);
  const rb3d::PixelBits bits = {value};
  const auto fill = [&](const Rect& pixels) {
    for_rows(all_samples(state.depth_host, state.samples), all_samples(pixels, state.samples), [&](std::byte* to, size_t count) {
      if (keep == 0) return routines.fill_row(to, bits.data(), wide ? 4 : 2, count);
      routines.merge_row(to, keep, value, count);  // 24+8 bits only
    });
  };
  const zb::FastFill& tiles = zb.fast_fill;
  if (!tiles.ram) return fill(r);
  // All cleared tiles get the same new value. If it is the clear value, they stay cleared and memory is not written.
  if (!tiles.expands_all && ((tiles.clear & keep) | value) == tiles.clear)
    return for_tiles(tiles, r, false, [&](const Rect& t) { fill(common(t, r)); });
  for_tiles(tiles, r, true, [&](const Rect& t) {
    const Rect inside = common(t, r);
    const bool whole = inside.x0 == t.x0 && inside.y0 == t.y0 && inside.x1 == t.x1 && inside.y1 == t.y1;
    if (!whole || keep != 0) fill_clear(state, t);
    mark_expanded(tiles, t);
  });
  fill(r);
}

}  // namespace pumice::hw::fast::output
