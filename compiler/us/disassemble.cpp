// SPDX-License-Identifier: MIT
/// Text of a US slot: destination, operands as they are after select and swizzle, and the scheduling bits in braces.
#include <cstdio>

#include "compiler/us/machine.h"

namespace pumice::compiler::us {
namespace {

constexpr const char* kTest[4] = {"eq", "lt", "ge", "ne"};

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

std::string name(const Address& a, OperandClass read = OperandClass::real) {
  const std::string rel = a.relative ? "+aL" : "";
  switch (a.file) {
    case Address::File::temp: return "r" + std::to_string(a.value) + rel;
    case Address::File::constant: return "c" + std::to_string(a.value) + rel;
    default: return "#" + (read == OperandClass::real ? number(inline_float_value(a.value)) : std::to_string(a.value));
  }
}

/// `read`: how an extended operation reads it. Integers: ~ is the bitwise complement. `has_modifier`: false where its bits are part of the
/// code.
std::string operand(const Instruction& x, const Operand& o, bool alpha_unit, OperandClass read = OperandClass::real,
                    bool has_modifier = true) {
  const int channels = alpha_unit ? 1 : 3;
  bool uses_rgb = false, uses_alpha = false;
  std::string swizzle;
  for (int i = 0; i < channels; i++) {
    swizzle += Operand::swizzle_text[o.swizzle[i]];
    uses_rgb |= o.swizzle[i] < 3;
    uses_alpha |= o.swizzle[i] == 3;
  }
  std::string reg;
  if (o.select == 3) {
    reg = "srcp";
  } else {
    const std::string rgb = name(x.rgb.address[o.select], read), alpha = name(x.alpha.address[o.select], read);
    reg = uses_rgb && uses_alpha && rgb != alpha ? "(" + rgb + "|" + alpha + ")" : uses_alpha ? alpha : uses_rgb ? rgb : "";
  }
  std::string text = reg.empty() ? swizzle : reg + "." + swizzle;
  if (!has_modifier) return text;
  if (o.modifier & 2) text = read == OperandClass::real ? "|" + text + "|" : "~" + text;
  return o.modifier & 1 ? "-" + text : text;
}

std::string presubtract(const Instruction& x, bool alpha_unit) {
  const Unit& u = alpha_unit ? x.alpha : x.rgb;
  for (const Operand& o : u.operand) {
    if (o.select != 3) continue;
    const std::string a = name(u.address[0]), b = name(u.address[1]);
    switch (u.presubtract) {
      case 0: return " srcp=1-2*" + a;
      case 1: return " srcp=" + b + "-" + a;
      case 2: return " srcp=" + b + "+" + a;
      default: return " srcp=1-" + a;
    }
  }
  return "";
}

std::string mask(unsigned rgb, unsigned alpha) {
  std::string text;
  for (int i = 0; i < 3; i++) {
    if (rgb >> i & 1) text += "rgb"[i];
  }
  return alpha ? text + "a" : text;
}

std::string unit_text(const Instruction& x, bool alpha_unit) {
  const Unit& u = alpha_unit ? x.alpha : x.rgb;
  const AluOpInfo& op = info(u.op);
  const bool extended = u.op == AluOp::XI;
  std::string text = extended && reserved(u.xi()) ? "XI.?" + std::to_string(code(u.xi()))
                     : extended                   ? std::string("XI.") + info(u.xi()).mnemonic.c_str()
                     : reserved(u.op)             ? "?" + std::to_string(alpha_unit ? alpha_code(u.op) : rgb_code(u.op))
                                                  : op.mnemonic.c_str();
  if (!extended) text += Unit::omod_text[u.omod];
  if (u.clamp) text += ".sat";
  std::string dest;
  const auto add = [&](const std::string& d) { dest += (dest.empty() ? " " : "&") + d; };
  const auto channels = [&](unsigned m) { return alpha_unit ? mask(0, m) : mask(m, 0); };
  if (u.write) add("r" + std::to_string(u.dest) + (u.dest_relative ? "+aL." : ".") + channels(u.write));
  if (u.output) {
    add(x.type == Type::OUTPUT ? "out" + std::to_string(u.target) + "." + channels(u.output)
                               : "pred[" + std::string(kTest[extended ? 3 : u.target]) + "]." + channels(u.output));
  }
  if (alpha_unit && x.depth_write) add("depth");
  if (x.result_write && x.result_alpha == alpha_unit) add("alu[" + std::string(kTest[x.result_op]) + "]");
  text += dest.empty() ? " _" : dest;
  if (extended) {
    const XiOpInfo& xi = info(u.xi());
    for (unsigned i = 0; i < xi.sources; i++) text += ", " + operand(x, u.operand[i], alpha_unit, xi.classes[i], i < 2);
    return text + presubtract(x, alpha_unit);
  }
  for (unsigned i = 0; i < op.sources; i++) text += ", " + operand(x, u.operand[i], alpha_unit);
  return text + presubtract(x, alpha_unit);
}

bool unit_idle(const Instruction& x, bool alpha_unit) {
  const Unit& u = alpha_unit ? x.alpha : x.rgb;
  if (u.write || u.output || (alpha_unit && x.depth_write) || (x.result_write && x.result_alpha == alpha_unit)) return false;
  // Helpers of the other unit: DP4 reads alpha's operands, SOP alpha's result, DP the RGB dot product.
  return alpha_unit ? !info(x.rgb.op).takes_scalar && !(info(x.rgb.op).reads[0] >> 3 & 1) : !info(x.alpha.op).takes_dot;
}

std::string port(const Port& p) {
  std::string text = "r" + std::to_string(p.temp) + (p.relative ? "+aL." : ".");
  for (uint8_t s : p.swizzle) text += Operand::swizzle_text[s];
  return text;
}

std::string selector(const Selector& s) {
  std::string text = "set" + std::to_string(s.set) + "[" + std::to_string(16 * s.offset);
  if (s.indirect) text += "+r" + std::to_string(s.temp) + "." + Operand::swizzle_text[s.component];
  return text + "]";
}

/// All that the slot says, read or not: what an operation does not read is 0 and not printed.
std::string extended_text(const Instruction& x) {
  const Extended& e = x.tex.x;
  const XOpInfo& op = info(e.op);
  constexpr const char* kWidth[4] = {"", ".8", ".16", ".?"};
  std::string text = reserved(e.op) ? "?" + std::to_string(code(e.op)) : op.mnemonic.c_str();
  if (e.components) text += ".x" + std::to_string(e.components + 1);
  text += kWidth[e.width];
  const auto flag = [&](bool on, const char* what) {
    if (on) text += what;
  };
  flag(e.is_signed, ".signed"), flag(e.compare, ".dref"), flag(e.offset, ".offset"), flag(e.is_float, ".float"),
      flag(e.coherent, ".coherent");
  if (e.sub) text += ".sub" + std::to_string(e.sub);
  if (x.rgb.write || x.alpha.write) {
    text += " r" + std::to_string(x.tex.dest.temp) + (x.tex.dest.relative ? "+aL." : ".") + mask(x.rgb.write, x.alpha.write);
    std::string back;
    for (const uint8_t s : x.tex.dest.swizzle) back += Operand::swizzle_text[s];
    if (back != "rgba") text += "=" + back;
  }
  const Port* const source[3] = {&x.tex.source, &x.tex.dx, &x.tex.dy};
  for (unsigned i = 0; i < op.sources; i++) text += ", " + port(*source[i]);
  if (e.immediate) text += ", " + std::to_string(e.immediate);
  if (e.descriptor != Selector{}) text += ", " + selector(e.descriptor);
  return text;
}

std::string texture_text(const Instruction& x) {
  const Texture& t = x.tex;
  if (t.inst == TexOp::X) return extended_text(x);
  std::string text = reserved(t.inst) ? "?" + std::to_string(code(t.inst)) : info(t.inst).mnemonic.c_str();
  if (t.unscaled) text += ".unscaled";
  if (t.inst == TexOp::NOP) return text;
  if (t.inst == TexOp::TEXKILL) return text + " " + port(t.source);
  text += " r" + std::to_string(t.dest.temp) + "." + mask(x.rgb.write, x.alpha.write) + ", " + port(t.source) + ", tex" +
          std::to_string(t.unit);
  std::string back;
  for (uint8_t s : t.dest.swizzle) back += Operand::swizzle_text[s];
  if (back != "rgba") text += "." + back;
  if (t.inst == TexOp::DXDY) text += ", " + port(t.dx) + ", " + port(t.dy);
  return text;
}

std::string flow_text(const Flow& f) {
  char text[128];
  constexpr const char* kBranch[4] = {"-", "decr", "incr", "?"};
  constexpr const char* kAddress[4] = {"", " pop", " push", " ?"};
  std::snprintf(text, sizeof text, "%s%s func=%02x %s stay=%s jump=%s pop=%u%s int%u -> %u", info(f.op).mnemonic.c_str(),
                f.is_else ? ".else" : "", f.jump_func, f.jump_any ? "any" : "all", kBranch[f.branch_op0], kBranch[f.branch_op1],
                f.pop_count, kAddress[f.address_op], f.int_address, f.target);
  return text;
}

}  // namespace

std::string disassemble(const Instruction& x) {
  std::string text;
  switch (x.type) {
    case Type::TEXTURE: text = (x.tex.inst == TexOp::X ? "X    " : "TEX  ") + texture_text(x); break;
    case Type::FLOW_CONTROL: text = "FC   " + flow_text(x.flow); break;
    default: {
      text = x.type == Type::OUTPUT ? "OUT  " : "ALU  ";
      const bool rgb = !unit_idle(x, false), alpha = !unit_idle(x, true);
      if (rgb || !alpha) text += unit_text(x, false);
      if (rgb && alpha) text += " | ";
      if (alpha) text += unit_text(x, true);
    }
  }
  std::string bits;
  const auto bit = [&](bool on, const char* what) {
    if (on) bits += bits.empty() ? what : std::string(" ") + what;
  };
  bit(x.tex_sem_wait, "sem_wait");
  bit(x.type == Type::TEXTURE && x.tex.acquire, "acquire");
  bit(x.alu_wait, "alu_wait");
  bit(x.nop, "nop");
  bit(x.last, "last");
  bit(x.write_inactive, "inactive");
  if (x.rgb_predicate) bits += std::string(" pred=") + (x.rgb_predicate_invert ? "!" : "") + std::to_string(x.rgb_predicate);
  if (x.alpha_predicate) bits += std::string(" apred=") + (x.alpha_predicate_invert ? "!" : "") + std::to_string(x.alpha_predicate);
  return bits.empty() ? text : text + "  {" + bits + "}";
}

std::string disassemble(std::span<const Words> code) {
  std::string text;
  for (size_t i = 0; i < code.size(); i++) {
    char number_text[32];
    std::snprintf(number_text, sizeof number_text, "%3zu: ", i);
    text += number_text + disassemble(unpack(code[i])) + "\n";
  }
  return text;
}

}  // namespace pumice::compiler::us
