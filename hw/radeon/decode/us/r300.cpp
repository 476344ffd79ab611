// SPDX-License-Identifier: MIT
/// See r300.h.
#include "hw/radeon/decode/us/r300.h"

#include <algorithm>

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

/// The two stores as US_CODE_BANK shows them, and what of the R4xx a program may use.
class Stores {
 public:
  explicit Stores(const ChipState& s)
      : s_(s),
        extended_(us_r300::extended(s)),
        bank_(s.get<US_CODE_BANK>().BANK()),
        alus_(extended_ ? 8 * s.chip().us_alu_slots : s.chip().us_alu_slots),
        texs_(extended_ ? 16 * s.chip().us_tex_slots : s.chip().us_tex_slots) {}

  /// Without R390_MODE_ENABLE there is one bank (UNCONFIRMED: what the other registers do then).
  std::string problem() const {
    if (extended_) return {};
    if (bank_) return "US_CODE_BANK.BANK " + std::to_string(bank_) + " without R390_MODE_ENABLE: the R3xx has one bank of code";
    if (s_.get<US_CODE_EXT>().raw) return "US_CODE_EXT without R390_MODE_ENABLE: the R3xx has one bank of code";
    return {};
  }
  bool append_tex(Program& p, uint32_t n) const {
    if (!inside(p, "texture", n, texs_)) return false;
    const uint32_t count = s_.chip().us_tex_slots;
    tex::Instruction x = tex::unpack(tex::Words{n / count == bank_ ? s_.get<US_TEX_INST>(n % count).raw : s_.us_code[n][5]});
    if (!extended_) x.source &= 31u, x.dest &= 31u;
    return append(p, alu::widen(x));
  }
  /// Outputs are written by levels that say so.
  bool append_alu(Program& p, uint32_t n, US_CODE_ADDR level) const {
    if (!inside(p, "ALU", n, alus_)) return false;
    const uint32_t count = s_.chip().us_alu_slots, i = n % count;
    alu::Words words{s_.get<US_ALU_RGB_ADDR>(i).raw, s_.get<US_ALU_ALPHA_ADDR>(i).raw, s_.get<US_ALU_RGB_INST>(i).raw,
                     s_.get<US_ALU_ALPHA_INST>(i).raw, s_.get<US_ALU_EXT_ADDR>(i).raw};
    if (n / count != bank_) std::copy_n(s_.us_code[n].begin(), words.size(), words.begin());
    if (!extended_ && words.back()) {
      p.problem = "US_ALU_EXT_ADDR of ALU instruction " + std::to_string(n) + " without R390_MODE_ENABLE: the R3xx has 32 temps";
      return false;
    }
    alu::Instruction x = alu::unpack(words);
    if (!level.RGBA_OUT()) x.rgb.output = x.alpha.output = 0;
    if (!level.W_OUT()) x.depth_write = false;
    return append(p, alu::widen(x));
  }

 private:
  static bool append(Program& p, isa::us_r500::Instruction x) {
    if (p.code.size() == kMostInstructions) {
      p.problem = "more than " + std::to_string(kMostInstructions) + " instructions";
      return false;
    }
    p.code.push_back(x);
    return true;
  }

  const ChipState& s_;
  const bool extended_;
  const uint32_t bank_, alus_, texs_;
};

/// Where levels lie in the stores, with the upper bits of the R4xx.
struct Place {
  uint32_t alu_first, alus, tex_first, texs;
};
Place place(const ChipState& s, uint32_t l) {
  const auto level = s.get<US_CODE_ADDR>(l);
  const auto offset = s.get<US_CODE_OFFSET>();
  if (!extended(s))
    return {offset.ALU_CODE_OFFSET() + level.ALU_START(), level.ALU_SIZE() + 1, offset.TEX_CODE_OFFSET() + level.TEX_START(),
            level.TEX_SIZE() % 32 + 1};
  const uint32_t ext = s.get<US_CODE_EXT>().raw;
  const auto upper = [&](uint32_t bit) { return (ext >> bit & 7) << 6; };
  return {(offset.ALU_CODE_OFFSET() | upper(0)) + (level.ALU_START() | upper(6 + 6 * l)), (level.ALU_SIZE() | upper(9 + 6 * l)) + 1,
          (offset.TEX_CODE_OFFSET() | offset.TEX_CODE_OFFSET_MSB() << 5) + (level.TEX_START() | level.TEX_START_MSB() << 5),
          (level.TEX_SIZE() % 32 | level.TEX_SIZE_MSB() << 5) + 1};
}

}  // namespace

Program program(const ChipState& s) {
  constexpr uint32_t kLevels = US_CODE_ADDR::count;
  const Stores stores(s);
  Program p;
  if (p.problem = stores.problem(); !p.problem.empty()) return p;
  const auto config = s.get<US_CONFIG>();
  const uint32_t first = kLevels - 1 - config.NLEVEL() % kLevels;
  for (uint32_t l = first; l < kLevels; ++l) {
    const Place at = place(s, l);
    if (l > first || config.FIRST_TEX())
      for (uint32_t i = 0; i < at.texs; ++i)
        if (!stores.append_tex(p, at.tex_first + i)) return p;
    for (uint32_t i = 0; i < at.alus; ++i)
      if (!stores.append_alu(p, at.alu_first + i, s.get<US_CODE_ADDR>(l))) return p;
  }
  return p;
}

uint32_t frame_size(const ChipState& s) { return extended(s) ? 64 : s.get<US_PIXSIZE>().PIX_SIZE() + 1; }

std::array<uint32_t, 4> constant(const ChipState& s, uint32_t i) {
  if (i >= s.chip().us_constants) return {};
  const auto value = [](uint32_t code) { return num::bits(num::fp24_value(code)); };
  return {value(s.get<US_ALU_CONST_R>(i).CONST()), value(s.get<US_ALU_CONST_G>(i).CONST()), value(s.get<US_ALU_CONST_B>(i).CONST()),
          value(s.get<US_ALU_CONST_A>(i).CONST())};
}

}  // namespace pumice::hw::us_r300
