// SPDX-License-Identifier: MIT
/// Vertex instructions: the reverse of compiler/pvs/disassemble.cpp.
#include "compiler/pvs/machine.h"
#include "hw/radeon/asm/assembly.h"
#include "hw/radeon/asm/exact.h"

namespace pumice::hw::assembly {

namespace {

using namespace isa::pvs;

constexpr std::string_view kLanes = "xyzw";

/// "5", "[a0.x+5]", "[aL+5]", "[?+5]"
template <class Number>
void index(Scanner& s, Number& offset, Addressing& mode, uint8_t& lane, uint32_t most) {
  mode = Addressing::absolute;
  const bool bracket = s.accept("[");
  if (bracket && s.accept("a0.")) {
    mode = Addressing::a0;
    const size_t c = kLanes.find(s.peek());
    if (c == kLanes.npos) return void(s.fail("x, y, z or w expected"));
    lane = uint8_t(c);
    s.part(1);
  } else if (bracket && s.accept("aL")) {
    mode = Addressing::loop;
  } else if (bracket) {
    if (!s.expect("?")) return;
    mode = Addressing::reserved;
  }
  if (bracket) s.expect("+");
  offset = Number(s.number(most));
  if (bracket) s.expect("]");
}

/// `lanes` of the swizzle, from `first` on.
void source(Scanner& s, Source& out, uint32_t first, uint32_t lanes) {
  out.abs = s.accept("|");
  constexpr std::string_view kFiles = "ricx";
  const size_t file = kFiles.find(s.peek());
  if (s.at_end() || file == kFiles.npos) return void(s.fail("a source (r, i, c or x) expected"));
  out.file = uint8_t(file);
  s.part(1);
  index(s, out.offset, out.addressing, out.a0_lane, 255);
  s.expect(".");
  for (uint32_t i = first; i < first + lanes; ++i) {
    if (s.accept("-")) out.negate |= uint8_t(1u << i);
    constexpr std::string_view kSwizzle = "xyzw01?";
    const size_t c = kSwizzle.find(s.peek());
    if (s.at_end() || c == kSwizzle.npos) return void(s.fail("a component (x, y, z, w, 0 or 1) expected"));
    out.swizzle[i] = uint8_t(c);
    s.part(1);
  }
  if (out.abs) s.expect("|");
}

/// "?12" or a mnemonic; of the table.
template <class Ops>
int operation(const Ops& ops, std::string_view name) {
  for (const auto& o : ops)
    if (o.mnemonic == name) return code(o.op);
  return -1;
}

bool find_operation(Scanner& s, bool math, Instruction& x) {
  if (s.accept("?")) {
    x.op = uint8_t(s.number(63));
    x.engine = math ? Engine::math : Engine::vector;
    return s.ok();
  }
  std::string_view name = s.until(" ");
  const bool saturate = name.ends_with(".sat");
  if (saturate) name.remove_suffix(4);
  (math ? x.math_saturate : x.vector_saturate) = saturate;
  int op = math ? operation(kMathOps, name) : operation(kVectorOps, name);
  x.engine = math ? Engine::math : Engine::vector;
  if (op < 0 && !math && (op = operation(kMacroOps, name)) >= 0) x.engine = Engine::macro;
  if (op < 0) return s.fail("no operation " + std::string(name));
  x.op = uint8_t(op);
  return true;
}

void destination(Scanner& s, Instruction& x) {
  static constexpr std::string_view kFiles[] = {"in", "ox", "r", "a", "o", "x", "?"};  // longer ones first
  static constexpr uint8_t kCodes[] = {5, 3, 0, 1, 2, 4, 6};
  size_t i = 0;
  while (i < std::size(kFiles) && !s.accept(kFiles[i])) ++i;
  if (i == std::size(kFiles)) return void(s.fail("a destination (r, a, o, ox, x or in) expected"));
  x.dst_file = kCodes[i];
  index(s, x.dst, x.dst_addressing, x.dst_a0_lane, 127);
  s.expect(".");
  if (s.accept("_")) return;
  const std::string_view lanes = s.take(kLanes);
  if (lanes.empty()) s.fail("components or _ expected");
  for (const char c : lanes) x.write |= uint8_t(1u << kLanes.find(c));
}

void dual(Scanner& s, Instruction& x) {
  x.dual_math = true;
  if (s.accept("?")) {
    x.dual.op = MathOp(s.number(31));
  } else {
    const std::string_view name = s.until(" ");
    const int op = operation(kMathOps, name);
    if (op < 0 || op > 31) return void(s.fail("no operation " + std::string(name) + " beside a vector operation"));
    x.dual.op = MathOp(op);
  }
  s.spaces();
  s.expect("x");
  x.dual.dst = uint8_t(s.number(3));
  s.expect(".");
  const size_t lane = kLanes.find(s.peek());
  if (s.at_end() || lane == kLanes.npos) return void(s.fail("a component expected"));
  x.dual.lane = uint8_t(lane);
  s.part(1);
  s.expect(", ");
  source(s, x.dual.source, 0, 2);
}

Instruction parse(Scanner& s) {
  Instruction x;
  for (Source& o : x.source) o = {};
  text::slot_number(s);
  const bool math = s.accept("ME");
  if (!math && !s.expect("VE")) return x;
  s.spaces();
  if (!find_operation(s, math, x)) return x;
  if (s.accept(".sat")) (math ? x.math_saturate : x.vector_saturate) = true;  // behind a number
  s.spaces();
  destination(s, x);
  for (size_t n = 0; n < 3 && s.accept(", "); ++n) source(s, x.source[n], math ? 3 : 0, math ? 1 : 4);
  s.spaces();
  if (s.accept("+ ME ")) dual(s, x);
  s.spaces();
  if (s.accept("{if ")) {
    x.predicated = true;
    x.sense = !s.accept("!");
    s.expect("pred}");
  }
  return x;
}

struct Isa {
  using Words = isa::pvs::Words;
  static Instruction parse(Scanner& s) { return assembly::parse(s); }
  static const char* find_misfit(const Instruction& x) { return isa::pvs::find_misfit(x); }
  static Words pack(const Instruction& x) { return isa::pvs::pack(x); }
  static Instruction unpack(const Words& w) { return isa::pvs::unpack(w); }
  static const auto& format(const Instruction& x) { return isa::pvs::format(x); }
};

}  // namespace

Assembled<isa::pvs::Words> pvs_words(std::string_view line) { return assemble<Isa>(line); }

std::string pvs_text(const isa::pvs::Words& words) { return exact_text<Isa>(compiler::pvs::disassemble(unpack(words)), words); }

}  // namespace pumice::hw::assembly
