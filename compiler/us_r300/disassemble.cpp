// SPDX-License-Identifier: MIT
#include <cstdio>

#include "compiler/us/machine.h"
#include "compiler/us_r300/machine.h"
#include "hw/db/regs_r300.h"
#include "hw/db/us_r300_form.h"

namespace pumice::compiler::us_r300 {

using namespace regs::r300;

std::vector<Level> levels_of(const FragmentLevels& p) {
  std::vector<Level> out;
  const US_CONFIG config{p.config};
  const uint32_t first = US_CODE_ADDR::count - 1 - config.NLEVEL() % US_CODE_ADDR::count;
  for (uint32_t l = first; l < US_CODE_ADDR::count; l++) {
    const US_CODE_ADDR a{p.level[l]};
    const uint32_t tex_count = l > first || config.FIRST_TEX() ? a.TEX_SIZE() + 1 : 0;
    out.push_back({a.TEX_START(), tex_count, a.ALU_START(), a.ALU_SIZE() + 1, a.RGBA_OUT() != 0, a.W_OUT() != 0});
  }
  return out;
}

void set_levels(FragmentLevels& p, const std::vector<Level>& levels) {
  const auto n = static_cast<uint32_t>(levels.size());
  p.config = US_CONFIG{}.NLEVEL(n - 1).FIRST_TEX(levels[0].tex_count != 0).raw;
  p.offset = US_CODE_OFFSET{}.ALU_CODE_SIZE(static_cast<uint32_t>(p.alu.size())).TEX_CODE_SIZE(static_cast<uint32_t>(p.tex.size())).raw;
  p.level = {};
  for (uint32_t i = 0; i < n; i++) {
    const Level& l = levels[i];
    US_CODE_ADDR a;
    a.ALU_START(l.alu).ALU_SIZE(l.alu_count - 1).RGBA_OUT(l.color).W_OUT(l.depth);
    if (l.tex_count) a.TEX_START(l.tex).TEX_SIZE(l.tex_count - 1);
    p.level[US_CODE_ADDR::count - n + i] = a.raw;
  }
}

std::string disassemble(const FragmentLevels& p) {
  std::string text;
  const auto line = [&](size_t number, const ::pumice::isa::us_r500::Instruction& x) {
    char at[16];
    std::snprintf(at, sizeof at, "%3zu: ", number);
    text += at + us::disassemble(x) + "\n";
  };
  uint32_t number = 0;
  for (const Level& l : levels_of(p)) {
    text += "; level " + std::to_string(number++) + "\n";
    for (uint32_t i = l.tex; i < l.tex + l.tex_count && i < p.tex.size(); i++)
      line(i, ::pumice::isa::us_r300::widen(::pumice::isa::us_r300_tex::unpack(::pumice::isa::us_r300_tex::Words{p.tex[i]})));
    for (uint32_t i = l.alu; i < l.alu + l.alu_count && i < p.alu.size(); i++) {
      const auto& w = p.alu[i];
      line(i, ::pumice::isa::us_r300::widen(::pumice::isa::us_r300::unpack(::pumice::isa::us_r300::Words{w[0], w[1], w[2], w[3], 0})));
    }
  }
  return text;
}

}  // namespace pumice::compiler::us_r300
