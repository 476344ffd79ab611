// SPDX-License-Identifier: MIT
/// RS and US: interpolator routing, microcode, output formats (pipeline s.5, us-isa A1, A11), and the PVS program next to it (pvs-isa
/// s.10).
#include <bit>

#include "icd/atoms.h"
#include "icd/meta.h"

namespace pumice::icd {

void emit_pvs_code(Cs& cs, std::span<const std::array<uint32_t, 4>> code) {
  cs.set(regs::VAP_PVS_STATE_FLUSH_REG{});
  cs.set(regs::VAP_PVS_VECTOR_INDX_REG{}.OCTWORD_OFFSET(0));
  cs.port(regs::VAP_PVS_VECTOR_DATA_REG_128::offset, {code.data()->data(), code.size() * 4});
}

void emit_pvs_constants(Cs& cs, uint32_t first, std::span<const uint32_t> dwords) {
  cs.set(regs::VAP_PVS_VECTOR_INDX_REG{}.OCTWORD_OFFSET(cs.chip().pvs_constant_base + first));
  cs.port(regs::VAP_PVS_VECTOR_DATA_REG_128::offset, dwords);
}

void emit_us_code(Cs& cs, std::span<const std::array<uint32_t, 6>> code) {
  cs.set(regs::GA_US_VECTOR_INDEX{}.INDEX(0).TYPE(regs::GA_US_VECTOR_INDEX::TYPE__INSTRUCTIONS));
  cs.port(regs::GA_US_VECTOR_DATA::offset, {code.data()->data(), code.size() * 6});
}

void emit_us_constants(Cs& cs, uint32_t first, std::span<const uint32_t> dwords) {
  cs.set(regs::GA_US_VECTOR_INDEX{}.INDEX(first).TYPE(regs::GA_US_VECTOR_INDEX::TYPE__CONSTANTS));
  cs.port(regs::GA_US_VECTOR_DATA::offset, dwords);
}

void emit_us_window(Cs& cs, uint32_t slots, uint32_t temps, bool full_flow) {
  cs.state(regs::US_PIXSIZE{}.PIX_SIZE(temps ? temps - 1 : 0));
  cs.state(regs::US_FC_CTRL{}.FULL_FC_EN(full_flow));
  cs.state(regs::US_CODE_RANGE{}.CODE_ADDR(0).CODE_SIZE(slots - 1));
  cs.state(regs::US_CODE_OFFSET{}.OFFSET_ADDR(0));
  cs.state(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(slots - 1));
}

void emit_pvs_window(Cs& cs, uint32_t slots) {
  const uint32_t last = slots - 1;
  // The two hints name the last instruction, which is always valid.
  cs.state(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(last).PVS_LAST_INST(last));
  cs.state(regs::VAP_PVS_CODE_CNTL_1{}.PVS_LAST_VTX_SRC_INST(last));
  cs.state(regs::VAP_PVS_CONST_CNTL{}.PVS_CONST_BASE_OFFSET(0).PVS_MAX_CONST_ADDR(cs.chip().pvs_constants - 1));
}

void atom_program(Cs& cs, const GfxState& g) {
  const compiler::VertexProgram& v = g.program->vertex;
  emit_pvs_code(cs, v.code);
  emit_pvs_window(cs, static_cast<uint32_t>(v.code.size()));
  regs::VAP_PVS_FLOW_CNTL_OPC opc;
  opc.raw = v.flow_opc;
  cs.state(opc);
  if (v.flow_opc)  // R5xx only: the R3xx's programs have no loops left
    for (uint32_t i = 0; i < cs.chip().pvs_flow_entries; ++i) {
      const auto put = [&](auto r, uint32_t raw) {
        r.raw = raw;
        cs.state(r, i);
      };
      put(regs::VAP_PVS_FLOW_CNTL_ADDRS_LW{}, v.flow[i][0]);
      put(regs::VAP_PVS_FLOW_CNTL_ADDRS_UW{}, v.flow[i][1]);
      put(regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX{}, v.flow[i][2]);
    }

  const compiler::FragmentProgram& f = g.program->fragment;
  const bool levels = cs.chip().us_slots == 0;
  if (levels) emit_us_levels(cs, f.levels, f.temps);
  const auto code =
      f.code.empty() ? std::span<const std::array<uint32_t, 6>>(meta_no_output()) : std::span<const std::array<uint32_t, 6>>(f.code);
  if (!levels) {
    emit_us_code(cs, code);
    emit_us_window(cs, static_cast<uint32_t>(code.size()), f.temps, f.full_flow_control);
  }
  if (f.full_flow_control)
    for (uint32_t i = 0; i < regs::US_FC_INT_CONST::count; ++i) {
      regs::US_FC_INT_CONST c;
      c.raw = f.int_constants[i];
      cs.state(c, i);
    }

  const auto immediates = [](const std::vector<compiler::ConstantRange>& ranges, auto emit) {
    for (const compiler::ConstantRange& r : ranges) {
      if (r.source != compiler::ConstantRange::Source::immediate) continue;
      std::vector<uint32_t> dwords;
      for (float x : r.immediate) dwords.push_back(std::bit_cast<uint32_t>(x));
      if (!dwords.empty()) emit(r.first_slot, dwords);
    }
  };
  immediates(v.constants, [&](uint32_t slot, const auto& d) { emit_pvs_constants(cs, slot, d); });
  immediates(f.constants,
             [&](uint32_t slot, const auto& d) { levels ? emit_us_levels_constants(cs, slot, d) : emit_us_constants(cs, slot, d); });
}

void atom_rs(Cs& cs, const GfxState& g) {
  if (!cs.chip().has_texture_pointers) return emit_rs_levels(cs, *g.program);
  const compiler::FragmentProgram& f = g.program->fragment;
  constexpr uint32_t kZero = 62, kOne = 63;
  std::array<regs::RS_INST, regs::RS_INST::count> inst{};
  uint32_t tex = 0;
  const auto route = [&](uint32_t first, uint32_t components, uint32_t temp) {
    const auto pointer = [&](uint32_t c) { return c < components ? first + c : c == 3 ? kOne : kZero; };
    cs.state(regs::RS_IP{}.TEX_PTR_S(pointer(0)).TEX_PTR_T(pointer(1)).TEX_PTR_R(pointer(2)).TEX_PTR_Q(pointer(3)), tex);
    inst[tex].TEX_ID(tex).TEX_CN(1).TEX_ADDR(temp);
    ++tex;
  };
  // Packet slots count up in the order of the sets; a single component takes two (PS3_VTX_FMT).
  const std::vector<compiler::Varying>& varyings = g.program->varyings;
  std::array<uint32_t, hw::most::texcoord_sets + 1> first_slot{};
  for (uint32_t set = 0; set < hw::most::texcoord_sets; ++set) {
    first_slot[set + 1] = first_slot[set];
    for (const compiler::Varying& v : varyings)
      if (chip_set(v.texcoord, varyings.size()) == set) first_slot[set + 1] += v.components == 1 ? 2u : v.components;
  }
  for (const compiler::Varying& v : varyings) route(first_slot[chip_set(v.texcoord, varyings.size())], v.components, v.us_temp);
  uint32_t slot = first_slot.back();
  if (f.point_coord_temp) {
    route(slot, 2, *f.point_coord_temp);  // generated sets follow all others
    slot += 2;
  }
  uint32_t special = 0;
  if (f.frag_coord_xy_temp) inst[special++].COL_CN(regs::RS_INST::COL_CN__SCREEN_X_Y_0_0_TO_RGBA).COL_ADDR(*f.frag_coord_xy_temp);
  if (f.front_facing_temp) inst[special++].COL_CN(regs::RS_INST::COL_CN__FACING_FLAG_0_0_0_TO_RGBA).COL_ADDR(*f.front_facing_temp);
  const uint32_t steps = std::max({tex, special, 1u});
  cs.state(regs::RS_COUNT{}.IT_COUNT(slot));
  cs.state(regs::RS_INST_COUNT{}.INST_COUNT(steps - 1));
  for (uint32_t i = 0; i < steps; ++i) cs.state(inst[i], i);
}

void emit_out_format(Cs& cs, uint32_t i, const FormatInfo* format) {
  regs::US_OUT_FMT r;
  if (!format) {
    cs.state(r.OUT_FMT(regs::US_OUT_FMT::OUT_FMT__UNUSED), i);
    return;
  }
  // Select codes: 0 A, 1 R, 2 G, 3 B; channels here: 0 r .. 3 a.
  constexpr uint32_t kSelect[4] = {1, 2, 3, 0};
  const std::array<uint8_t, 4> c = target_channels(*format);
  r.OUT_FMT(format->out_fmt).C0_SEL(kSelect[c[0]]).C1_SEL(kSelect[c[1]]).C2_SEL(kSelect[c[2]]).C3_SEL(kSelect[c[3]]);
  cs.state(r, i);
}

void atom_us(Cs& cs, const GfxState& g) {
  const compiler::FragmentProgram& f = g.program->fragment;
  for (uint32_t i = 0; i < cs.chip().color_targets; ++i) emit_out_format(cs, i, f.color_outputs >> i & 1 ? g.color[i].format : nullptr);
  using W = regs::US_W_FMT;
  cs.state(f.writes_depth ? W{}.W_FMT(W::W_FMT__N24_BIT_FIXED).W_SRC(W::W_SRC__SHADER) : W{});
}

}  // namespace pumice::icd
