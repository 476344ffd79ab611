// SPDX-License-Identifier: MIT
/// Text of a PVS instruction.
#include <cstdio>

#include "compiler/pvs/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

std::string index(unsigned offset, Addressing mode, unsigned lane) {
  switch (mode) {
    case Addressing::a0: return "[a0." + std::string(1, "xyzw"[lane]) + "+" + std::to_string(offset) + "]";
    case Addressing::loop: return "[aL+" + std::to_string(offset) + "]";
    case Addressing::reserved: return "[?+" + std::to_string(offset) + "]";
    default: return std::to_string(offset);
  }
}

std::string source(const Source& s, bool scalar) {
  std::string text = std::string(1, "ricx"[s.file]) + index(s.offset, s.addressing, s.a0_lane) + ".";
  for (int i = scalar ? 3 : 0; i < 4; i++) {
    if (s.negate >> i & 1) text += "-";
    text += Source::swizzle_text[s.swizzle[i]];
  }
  return s.abs ? "|" + text + "|" : text;
}

}  // namespace

std::string disassemble(const Instruction& x) {
  constexpr const char* kFiles[16] = {"r", "a", "o", "ox", "x", "in", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?"};
  const OpInfo op = op_info(x);
  const bool math = x.engine == Engine::math;
  std::string text = (math ? "ME  " : "VE  ") + (op.reserved ? "?" + std::to_string(x.op) : op.mnemonic);
  if (math ? x.math_saturate : x.vector_saturate) text += ".sat";
  text += " " + std::string(kFiles[x.dst_file]) + index(x.dst, x.dst_addressing, x.dst_a0_lane) + ".";
  for (int i = 0; i < 4; i++) {
    if (x.write >> i & 1) text += "xyzw"[i];
  }
  if (!x.write) text += "_";
  for (unsigned i = 0; i < op.sources && !(x.dual_math && i == 2); i++) text += ", " + source(x.source[i], math);
  if (x.dual_math) {
    const DualMath& m = x.dual;
    text +=
        "  + ME " + (reserved(m.op) ? "?" + std::to_string(code(m.op)) : info(m.op).mnemonic.c_str()) + " x" + std::to_string(m.dst) + ".";
    text += "xyzw"[m.lane];
    text += ", " + std::string(1, "ricx"[m.source.file]) + index(m.source.offset, m.source.addressing, m.source.a0_lane) + "." +
            Source::swizzle_text[m.source.swizzle[0]] + Source::swizzle_text[m.source.swizzle[1]];
  }
  if (x.predicated) text += x.sense ? "  {if pred}" : "  {if !pred}";
  return text;
}

std::string disassemble(std::span<const Words> code) {
  std::string text;
  for (size_t i = 0; i < code.size(); i++) {
    char number[32];
    std::snprintf(number, sizeof number, "%4zu: ", i);
    text += number + disassemble(unpack(code[i])) + "\n";
  }
  return text;
}

}  // namespace pumice::compiler::pvs
