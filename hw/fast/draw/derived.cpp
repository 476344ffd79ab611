// SPDX-License-Identifier: MIT
/// See derived.h.
#include "hw/fast/draw/derived.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hw/fast/draw/pool.h"
#include "hw/fast/draw/shade_reference.h"

namespace pumice::hw::fast {

namespace {

/// Pixels that a draw may touch.
output::Rect scissor(const ChipState& state) {
  const sc::Rectangle s = sc::scissor(state);
  constexpr int32_t kEnd = 8192;  // 13 bits
  return {std::clamp(s.x0, 0, kEnd), std::clamp(s.y0, 0, kEnd), std::clamp(s.x1 + 1, 0, kEnd), std::clamp(s.y1 + 1, 0, kEnd)};
}

/// Units that a texture instruction of the program's window names.
uint32_t units_of(const ChipState& state) {
  const auto range = state.get<regs::US_CODE_RANGE>();
  const uint32_t first = range.CODE_ADDR(),
                 end = std::min<uint32_t>(first + range.CODE_SIZE() + 1, static_cast<uint32_t>(state.us_code.size()));
  uint32_t units = 0;
  for (uint32_t i = first; i < end; ++i)
    if (regs::US_CMN_INST{state.us_code[i][0]}.TYPE() == regs::US_CMN_INST::TYPE__TEXTURE)
      units |= 1u << regs::US_TEX_INST{state.us_code[i][1]}.TEX_ID();
  return units;
}

}  // namespace

void Derived::read_program(const ChipState& state) {
  program_.routine = shade_reference;
  program_.needs_snapshot = true;
  program_.traits.kills = true;
  program_.traits.units = static_cast<uint16_t>(units_of(state));
}

void Derived::read_constants(const ChipState& state, uint32_t end) {
  auto c = std::make_shared<Constants>();
  std::memcpy(c->value, state.us_const.data(), end * sizeof state.us_const[0]);
  for (uint32_t i = 0; i < 32; ++i) c->flow[i] = state.get<regs::US_FC_INT_CONST>(i).raw;
  c->flow[32] = state.get<regs::US_FC_BOOL_CONST>().raw;
  constants_ = std::move(c);
}

bool Derived::update(DrawContext& ctx) {
  const ChipState& state = ctx.state;
  if (state.profile == Profile::r300) return false;
  uint32_t groups = ctx.changes ? ctx.changes->groups : Changes::kAll;
  if (ctx.changes) ctx.changes->groups = 0;
  if (map_version_ != memory_.map_version()) {
    map_version_ = memory_.map_version();
    groups |= Changes::kOutput | Changes::kTexture;
  }
  if (!raster_) groups = Changes::kAll;
  if (groups & Changes::kRaster) {
    auto r = std::make_shared<Raster>();
    r->routing = raster::read_routing(state);
    r->stencil = raster::read_stencil(state);
    raster_ = std::move(r);
  }
  if (groups & Changes::kOutput) {
    rect_ = scissor(state);
    auto o = std::make_shared<output::State>();
    output::prepare(*o, state, memory_, rect_, cpu_);
    written_ = written_surfaces(*o, rect_, memory_);
    output_ = std::move(o);
  }
  if (groups & (Changes::kShader | Changes::kRaster)) read_program(state);
  if (groups & (Changes::kShader | Changes::kTexture))
    sampled_ = sampled_ranges(state, memory_, program_.traits.units & state.get<regs::TX_ENABLE>().raw);
  if (groups & Changes::kVertex) vertex_arrays_ = vap::decode_layout(state).arrays;
  if (groups & Changes::kConstants) read_constants(state, ctx.changes ? ctx.changes->constants_end : 256);
  if (groups) snapshot_ = nullptr;
  if (program_.needs_snapshot && !snapshot_) snapshot_ = std::make_shared<const ChipState>(state);
  if (output_->shared_memory) return false;
  for (int i = 0; i < sampled_.count; ++i)
    for (int k = 0; k < written_.count; ++k)
      if (sampled_.range[static_cast<size_t>(i)].overlaps(written_.surface[static_cast<size_t>(k)].range)) return false;
  return true;
}

void Derived::describe(Draw& draw) const {
  const output::State& out = *output_;
  draw.routing = &raster_->routing;
  draw.stencil = &raster_->stencil;
  draw.output = &out;
  draw.early_z = out.early || (out.early_z_allowed && !program_.traits.kills);
  draw.shader_depth = !draw.early_z && out.shader_depth;
  draw.shade = out.sources || program_.traits.kills || draw.shader_depth ? program_.routine : nullptr;
  draw.constant = constants_->value;
  draw.flow_constant = constants_->flow;
  draw.unit = nullptr;
  draw.snapshot = program_.needs_snapshot ? snapshot_.get() : nullptr;
}

void Derived::keep(Draw&, Batch& batch) {
  // The same parts come again and again, draw after draw: one look back finds them.
  const auto keep = [&](std::shared_ptr<const void> part) {
    if (!part) return;
    const size_t n = batch.kept.size();
    for (size_t i = n; i > 0 && i + 8 > n; --i)
      if (batch.kept[i - 1] == part) return;
    batch.kept.push_back(std::move(part));
  };
  keep(raster_);
  keep(output_);
  keep(constants_);
  if (program_.needs_snapshot) keep(snapshot_);
}

std::vector<ByteRange> Derived::vertex_ranges(const ChipState& state) const {
  // MAX_INDX bounds every vertex number; a closer look is not worth it: buffers next to render targets are rare, and waiting is safe.
  const uint64_t vertices = uint64_t{state.get<regs::VAP_VF_MAX_VTX_INDX>().MAX_INDX()} + 1;
  std::vector<ByteRange> ranges;
  for (const vap::VertexArray& a : vertex_arrays_) ranges.push_back({a.address, a.address + vertices * a.stride + uint64_t{a.dwords} * 4});
  return ranges;
}

}  // namespace pumice::hw::fast
