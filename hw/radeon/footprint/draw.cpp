// SPDX-License-Identifier: MIT
/// See draw.h: vertices, textures, and all together.
#include "hw/radeon/footprint/draw.h"

#include <algorithm>

#include "hw/radeon/decode/tx/texture.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/ref/vap/walk.h"

namespace pumice::hw::footprint {

namespace {

void draw_vertices(const DrawContext& ctx, const DrawInput& input, std::vector<Use>& out) {
  const Listener nobody;
  DrawCounters counters;
  DrawContext silent{ctx.state, ctx.memory, counters, nobody};
  const vap::IndexWalk walk(silent, input);
  if (walk.embedded() || walk.count() == 0) return;
  VertexNumbers n{.low = UINT32_MAX, .low0 = UINT32_MAX};
  for (uint32_t k = 0; k < walk.count(); ++k) {
    const uint32_t number = walk[k], index = walk.dual() ? number & 0xFFFFFF : number, index0 = walk.dual() ? number >> 24 : number;
    n.low = std::min(n.low, index), n.high = std::max(n.high, index);
    n.low0 = std::min(n.low0, index0), n.high0 = std::max(n.high0, index0);
  }
  const vap::VertexLayout layout = vap::decode_layout(ctx.state);
  for (uint32_t i = 0; i < layout.arrays.size(); ++i) {
    const vap::VertexArray& a = layout.arrays[i];
    const ByteRange all = vertices(a, i, n);
    // A few vertices far apart are named one by one.
    if (all.size() > 65536 + uint64_t{walk.count()} * std::max(a.stride, 16u) * 4 && !walk.dual()) {
      for (uint32_t k = 0; k < walk.count(); ++k)
        out.push_back({What::vertices, false, {a.address + uint64_t{walk[k]} * a.stride, uint64_t{a.dwords} * 4}});
    } else {
      out.push_back({What::vertices, false, {all.begin, all.size()}});
    }
  }
}

}  // namespace

ByteRange texture(const ChipState& state, uint32_t unit) {
  tx::Complaints complaints = 0;  // reported when the unit is used
  const tx::Texture t = tx::read_registers(state, unit, complaints);
  const tx::MipLevel last = tx::mip_level(t.mips, t.num_levels);
  // Endian swaps read whole dwords, pairs of texels four bytes.
  return {t.base & ~3ull, (t.base + last.offset + last.layer_bytes * last.layers + 3) & ~3ull};
}

bool fetches(regs::VAP_VF_CNTL vf) {
  return vf.PRIM_WALK() == regs::VAP_VF_CNTL::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY ||
         vf.PRIM_WALK() == regs::VAP_VF_CNTL::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY;
}

VertexNumbers bounds(const ChipState& state, regs::VAP_VF_CNTL vf) {
  // IndexWalk: the upper bound takes precedence when the two contradict each other; array 0's own index is eight bits and not clamped.
  const uint32_t high = state.get<regs::VAP_VF_MAX_VTX_INDX>().MAX_INDX();
  const uint32_t low = std::min(state.get<regs::VAP_VF_MIN_VTX_INDX>().MIN_INDX(), high);
  const bool dual = vf.PRIM_WALK() == regs::VAP_VF_CNTL::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY && vf.DUAL_INDEX_MODE();
  return dual ? VertexNumbers{low, high, 0, 0xFF} : VertexNumbers{low, high, low, high};
}

ByteRange vertices(const vap::VertexArray& array, uint32_t i, const VertexNumbers& n) {
  const uint32_t low = i == 0 ? n.low0 : n.low, high = i == 0 ? n.high0 : n.high;
  return {array.address + uint64_t{low} * array.stride, array.address + uint64_t{high} * array.stride + uint64_t{array.dwords} * 4};
}

void draw(const DrawContext& ctx, const DrawInput& input, std::vector<Use>& out) {
  if (x::shaders(ctx.state)) return extended_draw(ctx, out);
  out.clear();
  draw_vertices(ctx, input, out);
  const uint32_t units = ctx.state.get<regs::TX_ENABLE>().raw;
  for (uint32_t unit = 0; unit < regs::TX_FORMAT0::count; ++unit) {
    if (!(units >> unit & 1)) continue;
    const ByteRange r = texture(ctx.state, unit);
    out.push_back({What::texture, false, {r.begin, r.size()}});
  }
  const Surfaces s = surfaces(ctx.state);
  for (uint32_t i = 0; i < s.count; ++i) out.push_back({s.surface[i].what, s.surface[i].writes, s.surface[i].rows()});
}

}  // namespace pumice::hw::footprint
