// SPDX-License-Identifier: MIT
/// See touched.h. Errs on the side of too much: what is named but not read costs bytes in the trace, what is missing would make the
/// replay differ.
#include "hw/radeon/trace/touched.h"

#include <algorithm>

#include "hw/radeon/decode/rb3d/resolve.h"
#include "hw/radeon/decode/tx/texture.h"
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/ref/sc/sc.h"
#include "hw/radeon/ref/vap/fetch.h"
#include "hw/radeon/ref/vap/walk.h"

namespace pumice::hw::trace {

namespace {

struct Box {
  int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
};

Box pixels(const ChipState& state) {
  const sc::Rectangle s = sc::bounds(state).box;
  constexpr int32_t kEnd = most::raster_extent;
  return {std::clamp(s.x0, 0, kEnd), std::clamp(s.y0, 0, kEnd), std::clamp(s.x1, -1, kEnd - 1) + 1, std::clamp(s.y1, -1, kEnd - 1) + 1};
}

Rows rows_of(const surface::PixelAccess& s, Box b, int32_t x_offset, int32_t y_offset, uint32_t samples, const zb::FastFill& fill = {}) {
  b = {std::max<int64_t>(b.x0 + x_offset, 0), std::max<int64_t>(b.y0 + y_offset, 0), b.x1 + x_offset, b.y1 + y_offset};
  zb::grow_to_tiles(fill, b.x0, b.y0, b.x1, b.y1);
  b.y0 *= samples, b.y1 *= samples;  // each sample has a row
  if (b.empty()) return {};
  const auto at = [&](int64_t x, int64_t y) {
    return s.base + surface::offset(s.layout, static_cast<uint32_t>(x), static_cast<uint32_t>(y));
  };
  const bool micro = s.layout.micro == 1 || s.layout.micro == 2;
  if (micro || s.layout.macro_tiled) {
    const uint64_t unit = s.layout.macro_tiled ? 2048 : 32;
    // A corner of the box need not be the extreme address, its tile row is.
    const uint64_t first = at(0, b.y0) / unit * unit, last = at(b.x1 - 1, b.y1 - 1) / unit * unit + unit;
    return {first, last - first, 0, 1};
  }
  const uint64_t bpp = s.layout.bytes_per_pixel;
  // Swaps move bytes inside a dword.
  const uint64_t first = at(b.x0, b.y0) & ~3ull, end = (at(b.x1 - 1, b.y0) + bpp + 3) & ~3ull;
  return {first, end - first + (s.layout.pitch_px * bpp % 4 ? 4 : 0), s.layout.pitch_px * bpp, static_cast<uint64_t>(b.y1 - b.y0)};
}

void surfaces(const ChipState& state, Touched& out) {
  const Box box = pixels(state);
  if (box.empty()) return;
  const zb::Setup depth = zb::decode(state);
  if (depth.enabled && !depth.cb_clear && !depth.reserved_format && !depth.sample_tiles) {
    const Rows rows = rows_of(depth.depth, box, depth.x_offset, depth.y_offset, depth.samples, depth.fast_fill);
    (depth.z_write || depth.stencil ? out.writes : out.reads).push_back(rows);
  }
  if (rb3d::resolve_mode(state)) {
    const rb3d::Resolve r = rb3d::decode_resolve(state);
    if (!r.format.valid()) return;
    out.reads.push_back(rows_of(r.from, box, 0, 0, r.samples));
    out.writes.push_back(rows_of(r.to, box, 0, 0, 1));
    return;
  }
  const rb3d::Shared shared = rb3d::decode_shared(state);
  for (const TargetView& t : color_targets(state))
    if (!t.target.sample_tiles(shared)) {
      const int64_t rest = t.target.color_mask.ram ? rb3d::ColorMask::kSide - 1 : 0;  // whole blocks
      const Box b = {box.x0 & ~rest, box.y0 & ~rest, (box.x1 + rest) & ~rest, (box.y1 + rest) & ~rest};
      out.writes.push_back(rows_of(t.target.pixels, b, 0, 0, shared.samples));
    }
}

void textures(const ChipState& state, Touched& out) {
  const uint32_t units = state.get<regs::TX_ENABLE>().raw;
  tx::Complaints complaints = 0;  // said by the draw itself
  for (uint32_t unit = 0; unit < most::texture_units; ++unit) {
    if (!(units >> unit & 1)) continue;
    const tx::Texture t = tx::read_registers(state, unit, complaints);
    const tx::MipLevel last = tx::mip_level(t.mips, t.num_levels);
    const uint64_t first = t.base & ~3ull, end = (t.base + last.offset + last.layer_bytes * last.layers + 3) & ~3ull;
    out.reads.push_back({first, end - first});
  }
}

void vertices(const DrawContext& ctx, const DrawInput& input, Touched& out) {
  GpuConfig config = {.profile = ctx.state.profile};
  DrawCounters counters;
  DrawContext silent{ctx.state, ctx.memory, counters, config};
  const vap::IndexWalk walk(silent, input);
  if (walk.embedded() || walk.count() == 0) return;
  uint32_t low = UINT32_MAX, high = 0, low0 = UINT32_MAX, high0 = 0;
  for (uint32_t k = 0; k < walk.count(); ++k) {
    const uint32_t number = walk[k], index = walk.dual() ? number & 0xFFFFFF : number, index0 = walk.dual() ? number >> 24 : number;
    low = std::min(low, index), high = std::max(high, index);
    low0 = std::min(low0, index0), high0 = std::max(high0, index0);
  }
  const vap::VertexLayout layout = vap::decode_layout(ctx.state);
  for (const vap::VertexArray& a : layout.arrays) {
    const bool first = &a == layout.arrays.data();
    const uint64_t begin = a.address + uint64_t{first ? low0 : low} * a.stride;
    const uint64_t end = a.address + uint64_t{first ? high0 : high} * a.stride + a.dwords * 4;
    // A few vertices far apart are named one by one.
    if (end - begin > 65536 + uint64_t{walk.count()} * std::max(a.stride, 16u) * 4 && !walk.dual()) {
      for (uint32_t k = 0; k < walk.count(); ++k) out.reads.push_back({a.address + uint64_t{walk[k]} * a.stride, a.dwords * 4});
    } else {
      out.reads.push_back({begin, end - begin});
    }
  }
}

}  // namespace

std::vector<TargetView> color_targets(const ChipState& state) {
  std::vector<TargetView> out;
  const Box box = pixels(state);
  if (box.empty()) return out;
  const rb3d::Shared shared = rb3d::decode_shared(state);
  const bool resolves = rb3d::resolve_mode(state);
  for (uint32_t i = 0; i < (resolves ? 1 : rb3d::kTargets); ++i) {
    TargetView v{.samples = resolves ? 1 : shared.samples,
                 .index = i,
                 .x0 = static_cast<uint32_t>(box.x0),
                 .y0 = static_cast<uint32_t>(box.y0),
                 .x1 = static_cast<uint32_t>(box.x1),
                 .y1 = static_cast<uint32_t>(box.y1)};
    if (!rb3d::decode_target(state, shared, i, v.target) || !v.target.format.valid()) continue;
    if (resolves) v.target.pixels = rb3d::decode_resolve(state).to;
    out.push_back(v);
  }
  return out;
}

void touched_by(const DrawContext& ctx, const DrawInput& input, Touched& out) {
  out.reads.clear();
  out.writes.clear();
  vertices(ctx, input, out);
  textures(ctx.state, out);
  surfaces(ctx.state, out);
}

}  // namespace pumice::hw::trace
