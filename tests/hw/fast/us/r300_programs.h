// SPDX-License-Identifier: MIT
/// Random programs of the R3xx that contain no error.
#pragma once
#include <cmath>
#include <random>

#include "hw/common/numerics/fp24.h"
#include "hw/db/regs_r300.h"
#include "hw/db/us_r300_form.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::fast::us {

namespace r300 = regs::r300;

/// Any legal instruction whose units go together. `high`: with temps of the R4xx, 32 to 39, too.
inline isa::us_r300::Words random_alu(std::mt19937& random, bool high = false) {
  isa::us_r300::Words w;
  for (uint32_t& x : w) x = uint32_t(random());
  isa::us_r300::Instruction x = isa::us_r300::unpack(w);
  const auto pick = [&](bool alpha) {
    for (;;) {
      const auto& i = isa::us_r300::kAluOps[random() % isa::us_r300::kAluOps.size()];
      if ((alpha ? i.alpha : i.rgb) >= 0) return i.op;
    }
  };
  do {
    x.rgb.op = pick(false), x.alpha.op = pick(true);
  } while ((info(x.alpha.op).takes_dot && !info(x.rgb.op).dot) || (info(x.rgb.op).takes_scalar && !info(x.alpha.op).scalar));
  for (isa::us_r300::Unit* u : {&x.rgb, &x.alpha}) {
    u->high = high ? uint8_t(random() & 15) : 0;
    u->omod = random() % 3 ? 0 : uint8_t(random() % 7);
    for (auto& a : u->address) a.value &= 7;  // temps that something writes
    u->dest &= 7;
    if (u == &x.alpha)
      for (auto& o : u->operand) o.select = uint8_t(o.select % 19);
  }
  return isa::us_r300::pack(x);
}

inline uint32_t random_tex(std::mt19937& random) {
  using Inst = r300::US_TEX_INST;
  constexpr uint32_t kOps[] = {Inst::INST__LD, Inst::INST__LD, Inst::INST__PROJ, Inst::INST__LODBIAS, Inst::INST__NOP, Inst::INST__TEXKILL};
  const uint32_t op = kOps[random() % (random() % 4 ? 5 : 6)];
  return Inst{}.INST(op).TEX_ID(random() & 15).SRC_ADDR(random() & 7).DST_ADDR(random() & 7).raw;
}

inline float random_value(std::mt19937& random) {
  switch (random() % 8) {
    case 0: return std::bit_cast<float>(uint32_t(random()));
    case 1: return 0.0f;
    case 2: return std::bit_cast<float>((uint32_t(random()) & 0x80000000u) | 0x7F800000u);
    case 3: return std::ldexp(1.0f + float(random() % 65536) / 65536, int(random() % 130) - 65);
    default: return float(int32_t(random() % 4000) - 2000) / 256.0f;
  }
}

/// One to four levels and all constants; `to.set(register, number)` takes them. Temps 0 to 7.
template <class To>
void random_r300_program(std::mt19937& random, To& to) {
  const uint32_t levels = 1 + random() % 4;
  uint32_t tex = 0, alu = 0;
  for (uint32_t l = 4 - levels; l < 4; ++l) {
    const uint32_t texs = 1 + random() % 3, alus = 1 + random() % 8;
    to.set(r300::US_CODE_ADDR{}
               .ALU_START(alu)
               .ALU_SIZE(alus - 1)
               .TEX_START(tex)
               .TEX_SIZE(texs - 1)
               .RGBA_OUT(l == 3 || random() % 2)
               .W_OUT(random() % 2),
           l);
    for (uint32_t i = 0; i < texs; ++i) to.set(r300::US_TEX_INST{random_tex(random)}, tex++);
    for (uint32_t i = 0; i < alus; ++i, ++alu) {
      const isa::us_r300::Words w = random_alu(random);
      to.set(r300::US_ALU_RGB_ADDR{w[0]}, alu), to.set(r300::US_ALU_ALPHA_ADDR{w[1]}, alu);
      to.set(r300::US_ALU_RGB_INST{w[2]}, alu), to.set(r300::US_ALU_ALPHA_INST{w[3]}, alu);
    }
  }
  to.set(r300::US_CODE_OFFSET{}, 0);
  to.set(r300::US_CONFIG{}.NLEVEL(levels - 1).FIRST_TEX(random() & 1), 0);
  to.set(r300::US_PIXSIZE{}.PIX_SIZE(7), 0);
  const auto constant = [&] { return random() % 4 ? num::fp24_code(random_value(random)) : uint32_t(random()) & 0xFFFFFFu; };
  for (uint32_t i = 0; i < 32; ++i) {
    to.set(r300::US_ALU_CONST_R{}.CONST(constant()), i), to.set(r300::US_ALU_CONST_G{}.CONST(constant()), i);
    to.set(r300::US_ALU_CONST_B{}.CONST(constant()), i), to.set(r300::US_ALU_CONST_A{}.CONST(constant()), i);
  }
}

/// The same for the R4xx: levels anywhere in the banks, temps 0 to 7 and 32 to 39. As packets would leave the state.
inline void random_r400_program(std::mt19937& random, ChipState& s) {
  random_r300_program(random, s);
  const uint32_t bank = random() % 8, levels = s.get<r300::US_CONFIG>().NLEVEL() + 1;
  for (uint32_t n = 0; n < 512; ++n) {
    const isa::us_r300::Words w = random_alu(random, true);
    std::copy(w.begin(), w.end(), s.us_code[n].begin());
    s.us_code[n][5] = random_tex(random) | uint32_t(random() & 3) << 19;
  }
  uint32_t ext = 0;
  const auto split = [&](uint32_t value, uint32_t bit) { return ext |= value >> 6 << bit, value & 63; };
  const uint32_t alu_offset = random() % 200, tex_offset = random() % 200;
  s.set(r300::US_CODE_OFFSET{}.ALU_CODE_OFFSET(split(alu_offset, 0)).TEX_CODE_OFFSET(tex_offset & 31).TEX_CODE_OFFSET_MSB(tex_offset >> 5));
  for (uint32_t l = 4 - levels; l < 4; ++l) {
    const uint32_t alu = random() % 200, tex = random() % 200, alus = random() % (random() % 4 ? 8 : 90),
                   texs = random() % (random() % 4 ? 3 : 40);
    s.set(r300::US_CODE_ADDR{}
              .ALU_START(split(alu, 6 + 6 * l))
              .ALU_SIZE(split(alus, 9 + 6 * l))
              .TEX_START(tex & 31)
              .TEX_START_MSB(tex >> 5)
              .TEX_SIZE(texs & 31)
              .TEX_SIZE_MSB(texs >> 5)
              .RGBA_OUT(l == 3 || random() % 2)
              .W_OUT(random() % 2),
          l);
  }
  s.set(r300::US_CODE_EXT{ext});
  s.set(r300::US_CODE_BANK{}.BANK(bank).R390_MODE_ENABLE(1));
  // The registers show one bank; the store has something else there.
  for (uint32_t i = 0; i < 64; ++i) {
    auto& slot = s.us_code[bank * 64 + i];
    s.set(r300::US_ALU_RGB_ADDR{slot[0]}, i), s.set(r300::US_ALU_ALPHA_ADDR{slot[1]}, i);
    s.set(r300::US_ALU_RGB_INST{slot[2]}, i), s.set(r300::US_ALU_ALPHA_INST{slot[3]}, i), s.set(r300::US_ALU_EXT_ADDR{slot[4]}, i);
    for (uint32_t word = 0; word < 5; ++word) slot[word] = uint32_t(random());
  }
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t& word = s.us_code[bank * 32 + i][5];
    s.set(r300::US_TEX_INST{word}, i);
    word = uint32_t(random());
  }
}

}  // namespace pumice::hw::fast::us
