// SPDX-License-Identifier: MIT
/// Text of a PVS instruction.
#include <cstdio>

#include "compiler/pvs/machine.h"
#include "compiler/pvs/ops.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

const OpName* find(const Instruction& x) {
  switch (x.engine) {
    case Engine::vector: return x.op < kVectorOps.size() ? &kVectorOps[x.op] : nullptr;
    case Engine::math: return x.op < kMathOps.size() ? &kMathOps[x.op] : nullptr;
    default: return x.op < kMacroOps.size() ? &kMacroOps[x.op] : nullptr;
  }
}

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
    text += "xyzw01??"[s.swizzle[i]];
  }
  return s.abs ? "|" + text + "|" : text;
}

}  // namespace

unsigned source_count(const Instruction& x) {
  const OpName* name = find(x);
  return name ? name->sources : 3;
}

std::string disassemble(const Instruction& x) {
  constexpr const char* kFiles[16] = {"r", "a", "o", "ox", "x", "in", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?"};
  const OpName* name = find(x);
  const bool math = x.engine == Engine::math;
  std::string text = (math ? "ME  " : "VE  ") + (name ? std::string(name->name) : "?" + std::to_string(x.op));
  if (math ? x.math_saturate : x.vector_saturate) text += ".sat";
  text += " " + std::string(kFiles[x.dst_file]) + index(x.dst, x.dst_addressing, x.dst_a0_lane) + ".";
  for (int i = 0; i < 4; i++) {
    if (x.write >> i & 1) text += "xyzw"[i];
  }
  if (!x.write) text += "_";
  for (unsigned i = 0; i < source_count(x) && !(x.dual_math && i == 2); i++) text += ", " + source(x.source[i], math);
  if (x.dual_math) text += "  + dual math " + std::to_string(x.dual);
  if (x.predicated) text += x.sense ? "  {if pred}" : "  {if !pred}";
  return text;
}

std::string disassemble(std::span<const Words> code) {
  std::string text;
  for (size_t i = 0; i < code.size(); i++) {
    char number[32];
    std::snprintf(number, sizeof number, "%4zu: ", i);
    text += number + disassemble(decode(code[i])) + "\n";
  }
  return text;
}

}  // namespace pumice::compiler::pvs
