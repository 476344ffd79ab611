// SPDX-License-Identifier: MIT
/// Instructions of the US of the R3xx: the text of the R5xx form of them (hw/db/us_r300_form.h).
#include "compiler/us/machine.h"
#include "hw/db/us_r300_form.h"
#include "hw/radeon/asm/assembly.h"
#include "hw/radeon/asm/exact.h"
#include "hw/radeon/asm/us.h"

namespace pumice::hw::assembly {
namespace {

/// The R5xx form of a line, cut down to what the R3xx has.
template <class Instruction>
Instruction parse_narrow(Scanner& s) {
  const isa::us_r500::Instruction wide = parse_us(s);
  Instruction x;
  if (s.ok())
    if (const char* lacks = isa::us_r300::narrow(wide, x)) s.fail(std::string("the R3xx has no such ") + lacks);
  return x;
}

struct Alu {
  using Words = isa::us_r300::Words;
  using Instruction = isa::us_r300::Instruction;
  static Instruction parse(Scanner& s) { return parse_narrow<Instruction>(s); }
  static const char* find_misfit(const Instruction& x) { return isa::us_r300::find_misfit(x); }
  static Words pack(const Instruction& x) { return isa::us_r300::pack(x); }
  static Instruction unpack(const Words& w) { return isa::us_r300::unpack(w); }
  static const auto& format(const Instruction& x) { return isa::us_r300::format(x); }
};
struct Tex {
  using Words = isa::us_r300_tex::Words;
  using Instruction = isa::us_r300_tex::Instruction;
  static Instruction parse(Scanner& s) { return parse_narrow<Instruction>(s); }
  static const char* find_misfit(const Instruction& x) { return isa::us_r300_tex::find_misfit(x); }
  static Words pack(const Instruction& x) { return isa::us_r300_tex::pack(x); }
  static Instruction unpack(const Words& w) { return isa::us_r300_tex::unpack(w); }
  static const auto& format(const Instruction& x) { return isa::us_r300_tex::format(x); }
};

template <class Isa>
std::string text(const typename Isa::Words& w) {
  return exact_text<Isa>(compiler::us::disassemble(isa::us_r300::widen(Isa::unpack(w))), w);
}

}  // namespace

Assembled<isa::us_r300::Words> us_r300_words(std::string_view line) { return assemble<Alu>(line); }
std::string us_r300_text(const isa::us_r300::Words& w) { return text<Alu>(w); }
Assembled<isa::us_r300_tex::Words> us_r300_tex_words(std::string_view line) { return assemble<Tex>(line); }
std::string us_r300_tex_text(const isa::us_r300_tex::Words& w) { return text<Tex>(w); }

}  // namespace pumice::hw::assembly
