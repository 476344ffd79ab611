// SPDX-License-Identifier: MIT
/// Between SIMD path and reference.
#include "hw/rdp/fast/hooks.h"

#include <algorithm>

#include "hw/rdp/pixel.h"

namespace pumice::hw::rdp::fast {

namespace {

bool inclusive(const State& s) { return s.cycle_type() == kFill || s.cycle_type() == kCopy; }

}  // namespace

void slow_line(const void* context, int y) {
  const auto& c = *static_cast<const HookContext*>(context);
  const EdgeWalker edges(c.primitive, c.target.state);
  const SpanSetup setup(c.primitive, edges, c.target.state);
  draw_span(c.target, c.primitive, setup, edges.line(y), edges.line(y + 1));
}

void slow_texels(const void* context, int y, int k, int32_t* texel0, int32_t* texel1, int32_t* lod) {
  const auto& c = *static_cast<const HookContext*>(context);
  const EdgeWalker edges(c.primitive, c.target.state);
  const SpanSetup setup(c.primitive, edges, c.target.state);
  CombineInputs in;
  two_cycle_texels(c.target, c.primitive, setup, edges.line(y), edges.line(y + 1), k, in);
  std::copy(in.texel0.begin(), in.texel0.end(), texel0);
  std::copy(in.texel1.begin(), in.texel1.end(), texel1);
  *lod = static_cast<int32_t>(in.lod_frac);
}

int64_t last_column(const State& s, const rdp::Primitive& p) {
  // Fill and copy mode write the column that holds the right edge, too.
  int64_t right = inclusive(s) ? s.scissor.xl >> 2 : (static_cast<int64_t>(s.scissor.xl) + 3) / 4 - 1;
  if (inclusive(s) && !p.dxhdy && !p.dxmdy && !p.dxldy) right = std::min<int64_t>(right, std::max({p.xh, p.xm, p.xl}) >> 16);
  return right;
}

bool rows_apart(const State& s, const rdp::Primitive& p, int last_line) {
  if (last_column(s, p) >= static_cast<int64_t>(s.color_image.width)) return false;
  if (inclusive(s) || (!s.modes.z_compare_en() && !s.modes.z_update_en())) return true;
  const uint64_t pixels = s.color_image.width * (static_cast<uint64_t>(last_line) + 1);
  const uint64_t color = s.color_image.address & ~3u, color_end = s.color_image.address + (pixels << s.color_image.size >> 1);
  const uint64_t z = s.z_address & ~3u, z_end = s.z_address + 2 * pixels;
  return color_end <= z || z_end <= color;
}

bool all_inside(const Mode& m, const State& s, int first_line, int last_line, int64_t last_column) {
  if (first_line < 0 || last_column < 0) return false;
  const uint64_t last = static_cast<uint64_t>(last_line) * s.color_image.width + static_cast<uint64_t>(last_column);
  const uint64_t end = (m.color_base + last + 1) << s.color_image.size >> 1;  // bytes
  if (end > 2 * uint64_t{m.halfwords}) return false;
  return !m.uses_z || m.z_base + last < m.halfwords;
}

}  // namespace pumice::hw::rdp::fast
