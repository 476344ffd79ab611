// SPDX-License-Identifier: MIT
/// Programs of the R3xx from lines of text, on one quad.
#pragma once
#include "hw/common/numerics/fp24.h"
#include "hw/radeon/asm/assembly.h"
#include "tests/hw/us/us_rig.h"

namespace pumice::hw::us_test {

/// Texture instructions, then ALU instructions.
struct Level {
  std::vector<std::string> tex, alu;
};

/// Puts the levels into the stores from `tex_at` and `alu_at` on. All write what outputs they name.
inline void load_levels(ChipState& s, const std::vector<Level>& levels, uint32_t tex_at = 0, uint32_t alu_at = 0) {
  using namespace regs::r300;
  s.profile = Profile::r300;
  uint32_t tex = 0, alu = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    const Level& l = levels[i];
    US_CODE_ADDR a;
    a.ALU_START(alu).ALU_SIZE(uint32_t(l.alu.size()) - 1).TEX_START(tex).RGBA_OUT(1).W_OUT(1);
    if (!l.tex.empty()) a.TEX_SIZE(uint32_t(l.tex.size()) - 1);
    s.set(a, uint32_t(4 - levels.size() + i));
    for (const std::string& line : l.tex) {
      const auto w = assembly::us_r300_tex_words(line);
      EXPECT_TRUE(w.ok()) << line << ": " << w.error;
      s.set(US_TEX_INST{w.words[0]}, tex_at + tex++);
    }
    for (const std::string& line : l.alu) {
      const auto w = assembly::us_r300_words(line);
      EXPECT_TRUE(w.ok()) << line << ": " << w.error;
      s.set(US_ALU_RGB_ADDR{w.words[0]}, alu_at + alu);
      s.set(US_ALU_ALPHA_ADDR{w.words[1]}, alu_at + alu);
      s.set(US_ALU_RGB_INST{w.words[2]}, alu_at + alu);
      s.set(US_ALU_ALPHA_INST{w.words[3]}, alu_at + alu++);
    }
  }
  s.set(US_CONFIG{}.NLEVEL(uint32_t(levels.size()) - 1).FIRST_TEX(!levels[0].tex.empty()));
  s.set(US_CODE_OFFSET{}.ALU_CODE_OFFSET(alu_at).TEX_CODE_OFFSET(tex_at));
}

inline void load_constant(ChipState& s, uint32_t i, const Vec4& v) {
  using namespace regs::r300;
  s.set(US_ALU_CONST_R{}.CONST(num::fp24_code(v[0])), i);
  s.set(US_ALU_CONST_G{}.CONST(num::fp24_code(v[1])), i);
  s.set(US_ALU_CONST_B{}.CONST(num::fp24_code(v[2])), i);
  s.set(US_ALU_CONST_A{}.CONST(num::fp24_code(v[3])), i);
}

}  // namespace pumice::hw::us_test
