// SPDX-License-Identifier: MIT
/// See r300.h.
#include "hw/radeon/decode/us/r300.h"

#include "hw/common/numerics/fp24.h"
#include "hw/db/us_r300_form.h"

namespace pumice::hw::us_r300 {
namespace {

using namespace regs::r300;
namespace alu = isa::us_r300;
namespace tex = isa::us_r300_tex;

/// Number `n` of a store of `slots`, or a problem.
bool inside(Program& p, const char* store, uint32_t n, uint32_t slots) {
  if (n < slots) return true;
  p.problem = std::string(store) + " instruction " + std::to_string(n) + " is outside the store of " + std::to_string(slots);
  return false;
}

bool append_tex(const ChipState& s, Program& p, uint32_t n) {
  if (!inside(p, "texture", n, s.chip().us_tex_slots)) return false;
  tex::Instruction x = tex::unpack(tex::Words{s.get<US_TEX_INST>(n).raw});
  x.source &= 31u, x.dest &= 31u;  // the sixth bit is of the R4xx
  p.code.push_back(alu::widen(x));
  return true;
}

/// What only the R4xx has: banks of code, and addresses of 64 temps and of 512 instructions in further registers. A program that needs them
/// does not run.
std::string r4xx_only(const ChipState& s) {
  const auto bank = s.get<US_CODE_BANK>();
  if (bank.BANK() || bank.R390_MODE_ENABLE()) return "US_CODE_BANK: the R3xx has one bank of code";
  if (s.get<US_CODE_EXT>().raw) return "US_CODE_EXT: the R3xx has one bank of code";
  return {};
}

/// Outputs are written by levels that say so.
bool append_alu(const ChipState& s, Program& p, uint32_t n, US_CODE_ADDR level) {
  if (!inside(p, "ALU", n, s.chip().us_alu_slots)) return false;
  if (s.get<US_ALU_EXT_ADDR>(n).raw) {
    p.problem = "US_ALU_EXT_ADDR of ALU instruction " + std::to_string(n) + ": the R3xx has 32 temps";
    return false;
  }
  alu::Instruction x = alu::unpack(alu::Words{s.get<US_ALU_RGB_ADDR>(n).raw, s.get<US_ALU_ALPHA_ADDR>(n).raw, s.get<US_ALU_RGB_INST>(n).raw,
                                              s.get<US_ALU_ALPHA_INST>(n).raw, 0});
  if (!level.RGBA_OUT()) x.rgb.output = x.alpha.output = 0;
  if (!level.W_OUT()) x.depth_write = false;
  p.code.push_back(alu::widen(x));
  return true;
}

}  // namespace

Program program(const ChipState& s) {
  constexpr uint32_t kLevels = US_CODE_ADDR::count;
  Program p;
  if (p.problem = r4xx_only(s); !p.problem.empty()) return p;
  const auto config = s.get<US_CONFIG>();
  const auto offset = s.get<US_CODE_OFFSET>();
  const uint32_t first = kLevels - 1 - config.NLEVEL() % kLevels;
  for (uint32_t l = first; l < kLevels; ++l) {
    const auto level = s.get<US_CODE_ADDR>(l);
    if (l > first || config.FIRST_TEX())
      for (uint32_t i = 0; i <= level.TEX_SIZE() % 32; ++i)
        if (!append_tex(s, p, offset.TEX_CODE_OFFSET() + level.TEX_START() + i)) return p;
    for (uint32_t i = 0; i <= level.ALU_SIZE(); ++i)
      if (!append_alu(s, p, offset.ALU_CODE_OFFSET() + level.ALU_START() + i, level)) return p;
  }
  return p;
}

uint32_t frame_size(const ChipState& s) { return s.get<US_PIXSIZE>().PIX_SIZE() + 1; }

std::array<uint32_t, 4> constant(const ChipState& s, uint32_t i) {
  if (i >= s.chip().us_constants) return {};
  const auto value = [](uint32_t code) { return num::bits(num::fp24_value(code)); };
  return {value(s.get<US_ALU_CONST_R>(i).CONST()), value(s.get<US_ALU_CONST_G>(i).CONST()), value(s.get<US_ALU_CONST_B>(i).CONST()),
          value(s.get<US_ALU_CONST_A>(i).CONST())};
}

}  // namespace pumice::hw::us_r300
