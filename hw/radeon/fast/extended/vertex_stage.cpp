// SPDX-License-Identifier: MIT
/// See vertex_stage.h.
#include "hw/radeon/fast/extended/vertex_stage.h"

#include <algorithm>

#include "hw/radeon/ref/xv/shade.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Instruction;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

namespace {

/// A lane alone sees what it sees among others.
bool independent(const isa::us_r500::Unit& unit) {
  return !(unit.op == isa::us_r500::AluOp::XI ? info(unit.xi()).neighbours : info(unit.op).derivative);
}

ExportMasks exports_of(const hw::x::Program& program) {
  ExportMasks e;
  for (const Instruction& x : program.code)
    if (x.type == Type::TEXTURE && x.tex.inst == TexOp::X && x.tex.x.op == XOp::EXP && x.tex.x.immediate < e.mask.size())
      e.mask[x.tex.x.immediate] |= uint8_t(x.rgb.write | x.alpha.write << 3);
  return e;
}

}  // namespace

bool independent(const hw::x::Program& program) {
  return std::all_of(program.code.begin(), program.code.end(), [](const Instruction& x) {
    if (x.type == Type::FLOW_CONTROL) return true;
    if (x.type != Type::TEXTURE) return independent(x.rgb) && independent(x.alpha);
    if (x.tex.inst != TexOp::X) return x.tex.inst == TexOp::NOP;  // implicit level of detail
    switch (x.tex.x.op) {
      case XOp::SYS: return x.tex.x.immediate != 48;
      case XOp::SAMPLE:
      case XOp::SAMPLEB:
      case XOp::QLOD:
      case XOp::BARRIER: return false;
      case XOp::STP: return true;
      default: {
        const auto& op = info(x.tex.x.op);
        return !op.across && !op.stores;
      }
    }
  });
}

bool VertexStage::begin(DrawContext& ctx) {
  const auto stage = prepare(ctx, routines_, hw::x::Stage::vertex, true, false);
  if (!stage || stage->partial.routine->barriers()) return false;
  if (program_ != stage->program) {
    program_ = stage->program;
    exports_ = exports_of(*program_);
  }
  return independent(*program_);
}

void VertexStage::shade(DrawContext& ctx, const uint32_t* index, const uint32_t* instance, uint32_t n) {
  std::array<xv::VertexId, kLanes> ids;
  std::array<xv::Shaded, kLanes> out;
  for (uint32_t i = 0; i < n; ++i) ids[i] = {index[i], instance[i]};
  xv::shade(ctx, std::span(ids).first(n), out.data());
  for (uint32_t i = 0; i < n; ++i) {
    const auto put = [&](uint32_t r, float v) { rows_.row[r].v[i] = v; };
    const xv::Shaded& v = out[i];
    for (uint32_t c = 0; c < 4; ++c) put(row::position + c, v.position[c]);
    put(row::point_size, v.point_size);
    put(row::layer, std::bit_cast<float>(v.vertex.layer));
    put(row::viewport, std::bit_cast<float>(v.vertex.viewport));
    for (uint32_t d = 0; d < 8; ++d) put(row::clip_distance + d, v.clip[d]), put(row::cull_distance + d, v.cull[d]);
    for (uint32_t k = 0; k < hw::x::kVaryings; ++k)
      for (uint32_t c = 0; c < 4; ++c) put(row::varying + 4 * k + c, v.vertex.varying[k][c]);
  }
}

}  // namespace pumice::hw::fast::extended
