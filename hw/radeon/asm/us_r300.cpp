// SPDX-License-Identifier: MIT
/// Instructions of the US of the R3xx: the text of the R5xx form of them (hw/db/us_r300_form.h).
#include "compiler/us/machine.h"
#include "hw/db/us_r300_form.h"
#include "hw/radeon/asm/assembly.h"
#include "hw/radeon/asm/exact.h"
#include "hw/radeon/asm/us.h"

namespace pumice::hw::assembly {
namespace {

struct Alu {
  using Words = isa::us_r300::Words;
  using Instruction = isa::us_r300::Instruction;
  static Instruction unpack(const Words& w) { return isa::us_r300::unpack(w); }
  static const auto& format(const Instruction& x) { return isa::us_r300::format(x); }
};
struct Tex {
  using Words = isa::us_r300_tex::Words;
  using Instruction = isa::us_r300_tex::Instruction;
  static Instruction unpack(const Words& w) { return isa::us_r300_tex::unpack(w); }
  static const auto& format(const Instruction& x) { return isa::us_r300_tex::format(x); }
};

template <class Isa>
Assembled<typename Isa::Words> words(std::string_view line) {
  Scanner s(line);
  const isa::us_r500::Instruction wide = parse_us(s);
  Assembled<typename Isa::Words> out;
  typename Isa::Instruction x;
  if (s.ok()) {
    if (const char* lacks = isa::us_r300::narrow(wide, x))
      s.fail(std::string("the R3xx has no such ") + lacks);
    else if (const char* misfit = find_misfit(x))
      s.fail(std::string(misfit) + " does not fit");
  }
  if (s.ok()) {
    out.words = pack(x);
    correct<Isa>(s, out.words);
  }
  out.error = s.error();
  out.column = s.column();
  return out;
}

template <class Isa>
std::string text(const typename Isa::Words& w) {
  const std::string line = compiler::us::disassemble(isa::us_r300::widen(Isa::unpack(w)));
  const Assembled<typename Isa::Words> plain = words<Isa>(line);
  assert(plain.ok());
  return line + corrections<Isa>(plain.words, w);
}

}  // namespace

Assembled<isa::us_r300::Words> us_r300_words(std::string_view line) { return words<Alu>(line); }
std::string us_r300_text(const isa::us_r300::Words& w) { return text<Alu>(w); }
Assembled<isa::us_r300_tex::Words> us_r300_tex_words(std::string_view line) { return words<Tex>(line); }
std::string us_r300_tex_text(const isa::us_r300_tex::Words& w) { return text<Tex>(w); }

}  // namespace pumice::hw::assembly
