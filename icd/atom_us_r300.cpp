// SPDX-License-Identifier: MIT
/// RS and US of the R3xx: texcoord routing, microcode in two stores, constants of 24 bits (us-isa, Part B; pipeline s.5).
#include <algorithm>
#include <bit>

#include "compiler/fp24.h"
#include "hw/db/isa_us_r300.h"
#include "hw/db/isa_us_r300_tex.h"
#include "hw/db/regs_r300.h"
#include "icd/atoms.h"
#include "icd/meta.h"

namespace pumice::icd {

namespace r300 = regs::r300;

void emit_us_levels(Cs& cs, const compiler::FragmentLevels& p, uint32_t temps) {
  const auto words = [&](auto r, size_t word) {
    std::vector<uint32_t> column;
    for (const auto& x : p.alu) column.push_back(x[word]);
    cs.run(decltype(r)::offset, column);
  };
  words(r300::US_ALU_RGB_ADDR{}, 0);
  words(r300::US_ALU_ALPHA_ADDR{}, 1);
  words(r300::US_ALU_RGB_INST{}, 2);
  words(r300::US_ALU_ALPHA_INST{}, 3);
  if (!p.tex.empty()) cs.run(r300::US_TEX_INST::offset, p.tex);
  cs.state(r300::US_CONFIG{p.config});
  cs.state(r300::US_PIXSIZE{}.PIX_SIZE(temps ? temps - 1 : 0));
  cs.state(r300::US_CODE_OFFSET{p.offset});
  for (uint32_t i = 0; i < r300::US_CODE_ADDR::count; ++i) cs.state(r300::US_CODE_ADDR{p.level[i]}, i);
}

void emit_us_levels_constants(Cs& cs, uint32_t first, std::span<const uint32_t> floats) {
  std::vector<uint32_t> codes;
  for (const uint32_t f : floats) codes.push_back(compiler::fp24_code(std::bit_cast<float>(f)));
  cs.run(r300::US_ALU_CONST_R::at(first), codes);
}

void emit_rs_sets(Cs& cs, std::span<const RoutedSet> sets) {
  using Ip = r300::RS_IP;
  constexpr uint32_t kZero = Ip::SEL_S__N0_0, kOne = Ip::SEL_S__N1_0;
  uint32_t slot = 0, n = 0;
  for (const RoutedSet& s : sets) {
    const auto select = [&](uint32_t c) { return c < s.components ? c : c == 3 ? kOne : kZero; };
    cs.state(Ip{}.TEX_PTR(slot).SEL_S(select(0)).SEL_T(select(1)).SEL_R(select(2)).SEL_Q(select(3)), n);
    cs.state(r300::RS_INST{}.TEX_ID(n).TEX_CN(1).TEX_ADDR(s.temp), n);
    slot += s.components;
    ++n;
  }
  cs.state(regs::RS_COUNT{}.IT_COUNT(slot));
  if (!n) cs.state(r300::RS_INST{}, 0);
  cs.state(r300::RS_INST_COUNT{}.INST_COUNT(std::max(n, 1u) - 1));
}

void emit_rs_levels(Cs& cs, const compiler::Program& program) {
  std::vector<RoutedSet> sets;
  for (const compiler::Varying& v : program.varyings) sets.push_back({v.components, v.us_temp});
  if (program.fragment.point_coord_temp) sets.push_back({2, *program.fragment.point_coord_temp});
  emit_rs_sets(cs, sets);
}

compiler::FragmentLevels meta_levels(bool texture, uint32_t target, uint32_t write_mask) {
  namespace alu = isa::us_r300;
  compiler::FragmentLevels p;
  if (texture) {
    isa::us_r300_tex::Instruction x;
    x.inst = isa::us_r300_tex::TexOp::LD;
    p.tex.push_back(isa::us_r300_tex::pack(x)[0]);
  }
  alu::Instruction x;
  x.rgb.op = x.alpha.op = alu::AluOp::MAX;
  constexpr uint8_t kSource0Alpha = 9;  // of the alpha unit's selects; RGB's 0 is src0.rgb
  for (alu::Unit* u : {&x.rgb, &x.alpha}) {
    if (!texture) u->address[0].file = alu::Address::File::constant;
    u->target = static_cast<uint8_t>(target);
    u->operand[0].select = u->operand[1].select = u == &x.alpha ? kSource0Alpha : 0;
  }
  x.rgb.output = write_mask & 7;
  x.alpha.output = static_cast<uint8_t>(write_mask >> 3 & 1);
  const alu::Words w = alu::pack(x);
  p.alu.push_back({w[0], w[1], w[2], w[3]});
  p.config = r300::US_CONFIG{}.NLEVEL(r300::US_CONFIG::NLEVEL__LEVEL_3).FIRST_TEX(texture).raw;
  p.offset = r300::US_CODE_OFFSET{}.ALU_CODE_SIZE(1).TEX_CODE_SIZE(texture).raw;
  p.level[3] = r300::US_CODE_ADDR{}.RGBA_OUT(write_mask != 0).raw;
  return p;
}

}  // namespace pumice::icd
