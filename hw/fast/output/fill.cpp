// SPDX-License-Identifier: MIT
/// Rectangles of one colour or depth: rows of a repeated pixel.
#include <algorithm>

#include "hw/fast/output/routines.h"

namespace pumice::hw::fast::output {
namespace {

/// Calls f(host pointer, pixels) for the runs of a linear surface that make up the rectangle.
template <class F>
void for_rows(const HostSurface& s, const Rect& r, F f) {
  const uint64_t bytes = s.layout.bytes_per_pixel;
  std::byte* row = s.base + static_cast<uint64_t>(r.y0) * s.pitch_bytes + static_cast<uint64_t>(r.x0) * bytes;
  const auto width = static_cast<size_t>(r.x1 - r.x0), height = static_cast<size_t>(r.y1 - r.y0);
  if (width * bytes == s.pitch_bytes) return f(row, width * height);
  for (size_t y = 0; y < height; ++y, row += s.pitch_bytes) f(row, width);
}

void fill_target(const State& state, const Target& t, const rb3d::PixelBits& bits, const Rect& r) {
  const RoutineTable& routines = routine_table(state.cpu);
  if (t.host.base && t.host.linear)
    return for_rows(t.host, r, [&](std::byte* to, size_t count) { routines.fill_row(to, bits.data(), t.reference.format.bytes, count); });
  for (int32_t y = std::max(r.y0, 0); y < r.y1; ++y)
    for (int32_t x = std::max(r.x0, 0); x < r.x1; ++x)
      t.reference.pixels.write(*state.memory, static_cast<uint32_t>(x), static_cast<uint32_t>(y), bits.data());
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

}  // namespace

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

void fill(const State& state, const Fill& fill, const Rect& rect) {
  if (rect.empty()) return;
  if (state.color_reports) state.raise(state.color_reports);
  for (size_t i = 0; i < static_cast<size_t>(state.target_count); ++i) fill_target(state, state.target[i], fill.bits[i], rect);
}

void fill_pixels(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count) {
  static const Cpu cpu = best_cpu();
  routine_table(cpu).fill_row(to, bits, bytes, count);
}

bool can_fill_depth(const State& state, bool back_facing) {
  if (!state.depth) return true;
  const zb::Setup& zb = state.zb;
  const zb::StencilFace& face = zb.face[back_facing];
  if (!state.depth_host.base || !state.depth_host.linear) return false;
  if (zb.z_test && zb.z_func != regs::ZB_ZSTENCILCNTL::ZFUNC__ALWAYS) return false;
  return !zb.stencil || (face.func == regs::ZB_ZSTENCILCNTL::STENCILFUNC__ALWAYS && merge_of(face.zpass, 0).possible);
}

void fill_depth(const State& state, const Rect& rect, float z, bool back_facing, uint64_t& zpass) {
  if (rect.empty()) return;
  zpass += static_cast<uint64_t>(rect.x1 - rect.x0) * static_cast<uint64_t>(rect.y1 - rect.y0);
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
  const Rect r = {rect.x0 + zb.x_offset, rect.y0 + zb.y_offset, rect.x1 + zb.x_offset, rect.y1 + zb.y_offset};
  const rb3d::PixelBits bits = {value};
  for_rows(state.depth_host, r, [&](std::byte* to, size_t count) {
    if (keep == 0) return routines.fill_row(to, bits.data(), wide ? 4 : 2, count);
    routines.merge_row(to, keep, value, count);  // 24+8 bits only
  });
}

}  // namespace pumice::hw::fast::output
