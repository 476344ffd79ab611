// SPDX-License-Identifier: MIT
/// Instructions of the US of the R3xx in the form of the R5xx's and back (us-isa B2..B4): a select code is a source with a swizzle, an ALU
/// instruction may write temps and outputs, a texture instruction reads and writes whole temps. Meaning, text and compiler are those of the
/// R5xx form; what differs (numbers of 24 bits) is the executor's.
#pragma once
#include <algorithm>
#include <optional>

#include "hw/db/isa_us_r300.h"
#include "hw/db/isa_us_r300_tex.h"
#include "hw/db/isa_us_r500.h"

namespace pumice::isa::us_r300 {

/// What an operand reads, in codes of the R5xx: source 0..2 or 3 (srcp); channels r g b a, 4: 0.0, 5: 0.5, 6: 1.0, 7: nothing.
struct Select {
  uint8_t source;
  std::array<uint8_t, 3> swizzle;
};
inline constexpr std::array<Select, 32> kRgbSelects{{
    {0, {0, 1, 2}}, {0, {0, 0, 0}}, {0, {1, 1, 1}}, {0, {2, 2, 2}}, {1, {0, 1, 2}}, {1, {0, 0, 0}}, {1, {1, 1, 1}}, {1, {2, 2, 2}},
    {2, {0, 1, 2}}, {2, {0, 0, 0}}, {2, {1, 1, 1}}, {2, {2, 2, 2}}, {0, {3, 3, 3}}, {1, {3, 3, 3}}, {2, {3, 3, 3}}, {3, {0, 1, 2}},
    {3, {0, 0, 0}}, {3, {1, 1, 1}}, {3, {2, 2, 2}}, {3, {3, 3, 3}}, {0, {4, 4, 4}}, {0, {6, 6, 6}}, {0, {5, 5, 5}}, {0, {1, 2, 0}},
    {1, {1, 2, 0}}, {2, {1, 2, 0}}, {0, {2, 0, 1}}, {1, {2, 0, 1}}, {2, {2, 0, 1}}, {0, {3, 2, 1}}, {1, {3, 2, 1}}, {2, {3, 2, 1}},
}};
/// The rest of the 32 codes is reserved.
inline constexpr std::array<Select, 19> kAlphaSelects{{
    {0, {0, 4, 4}}, {0, {1, 4, 4}}, {0, {2, 4, 4}}, {1, {0, 4, 4}}, {1, {1, 4, 4}}, {1, {2, 4, 4}}, {2, {0, 4, 4}},
    {2, {1, 4, 4}}, {2, {2, 4, 4}}, {0, {3, 4, 4}}, {1, {3, 4, 4}}, {2, {3, 4, 4}}, {3, {0, 4, 4}}, {3, {1, 4, 4}},
    {3, {2, 4, 4}}, {3, {3, 4, 4}}, {0, {4, 4, 4}}, {0, {6, 4, 4}}, {0, {5, 4, 4}},
}};

namespace detail {
constexpr us_r500::Unit widen(const Unit& u, bool alpha) {
  us_r500::Unit w;
  const uint8_t code = alpha ? alpha_code(u.op) : rgb_code(u.op);
  w.op = reserved(u.op) ? us_r500::AluOp(0x80u | code) : alpha ? us_r500::alpha_op(code) : us_r500::rgb_op(code);
  for (size_t i = 0; i < 3; ++i) {
    const bool constant = u.address[i].file == Address::File::constant;
    w.address[i].file = constant ? us_r500::Address::File::constant : us_r500::Address::File::temp;
    w.address[i].value = uint8_t(u.address[i].value + (!constant && (u.high >> i & 1u) ? 32 : 0));
    const uint8_t select = u.operand[i].select;
    const bool known = !alpha || select < kAlphaSelects.size();
    const Select s = !known ? Select{0, {7, 4, 4}} : alpha ? kAlphaSelects[select] : kRgbSelects[select];
    w.operand[i].select = s.source;
    w.operand[i].swizzle = s.swizzle;
    w.operand[i].modifier = u.operand[i].modifier;
  }
  w.presubtract = u.presubtract;
  w.omod = u.omod;
  w.target = u.target;
  w.dest = uint8_t(u.dest + (u.high & 8u) * 4);
  w.write = u.write;
  w.output = u.output;
  w.clamp = u.clamp;
  return w;
}

/// The channels of the operand that the unit looks at.
constexpr unsigned channels_read(const us_r500::Unit& u, size_t operand, bool alpha, bool feeds_other) {
  const us_r500::AluOpInfo& i = info(u.op);
  if (operand >= i.sources) return 0;
  if (alpha) return 1;
  if (i.reads[operand]) return i.reads[operand] & 7u;
  return feeds_other ? 7u : u.write | u.output;
}

/// The code of an operand, exact before one that differs only in channels outside `read`; -1: none.
constexpr int select_code(const us_r500::Operand& o, bool alpha, unsigned read) {
  for (const bool exact : {true, false}) {
    const unsigned mask = alpha ? 1u : exact ? 7u : read;
    if (mask == 0) return alpha ? 16 : 20;
    const size_t count = alpha ? kAlphaSelects.size() : kRgbSelects.size();
    for (size_t code = 0; code < count; ++code) {
      const Select& s = alpha ? kAlphaSelects[code] : kRgbSelects[code];
      bool same = true, reads_source = false;
      for (unsigned c = 0; c < 3; ++c) {
        if (!(mask >> c & 1u)) continue;
        const uint8_t wanted = o.swizzle[c] == 7 ? uint8_t{4} : o.swizzle[c];
        same &= wanted == s.swizzle[c];
        reads_source |= wanted < 4;
      }
      if (same && (!reads_source || s.source == o.select)) return int(code);
    }
  }
  return -1;
}

/// What of the unit the R3xx lacks; null: nothing.
constexpr const char* narrow(const us_r500::Unit& w, bool alpha, Unit& u) {
  const int code = alpha ? us_r500::alpha_code(w.op) : us_r500::rgb_code(w.op);
  if (!reserved(w.op) && (!info(w.op).r300 || code < 0)) return "operation";
  u.op = reserved(w.op) ? AluOp(w.op) : alpha ? alpha_op(uint32_t(code)) : rgb_op(uint32_t(code));
  for (size_t i = 0; i < 3; ++i) {
    const us_r500::Address& a = w.address[i];
    const bool unused = a == us_r500::Address{};
    if (a.relative) return "relative address";
    if (a.file == us_r500::Address::File::inline_float && !unused) return "inline constant";
    if (a.file == us_r500::Address::File::constant && a.value > 31) return "constant above c31";
    if (a.file == us_r500::Address::File::temp && a.value > 63) return "temp above r63";
    u.address[i].file = a.file == us_r500::Address::File::constant ? Address::File::constant : Address::File::temp;
    u.address[i].value = unused ? uint8_t{0} : uint8_t(a.value & 31u);
    if (a.file == us_r500::Address::File::temp && a.value > 31) u.high |= uint8_t(1u << i);
    const int select = select_code(w.operand[i], alpha, channels_read(w, i, alpha, false));
    if (select < 0) return "swizzle";
    u.operand[i].select = uint8_t(select);
    u.operand[i].modifier = w.operand[i].modifier;
  }
  if (w.dest > 63 || w.dest_relative) return "destination";
  u.presubtract = w.presubtract;
  u.omod = w.omod;
  u.target = w.target;
  u.dest = w.dest & 31u;
  if (w.dest > 31) u.high |= 8;
  u.write = w.write;
  u.output = w.output;
  u.clamp = w.clamp;
  return nullptr;
}
}  // namespace detail

constexpr us_r500::Instruction widen(const Instruction& x) {
  us_r500::Instruction w;
  w.rgb = detail::widen(x.rgb, false);
  w.alpha = detail::widen(x.alpha, true);
  w.depth_write = x.depth_write;
  w.nop = x.nop;
  w.stat_we = x.stat_we;
  w.type = x.rgb.output || x.alpha.output || x.depth_write ? us_r500::Type::OUTPUT : us_r500::Type::ALU;
  return w;
}
constexpr us_r500::Instruction widen(const us_r300_tex::Instruction& x) {
  us_r500::Instruction w;
  w.type = us_r500::Type::TEXTURE;
  w.tex.inst = us_r500::TexOp(uint8_t(x.inst) | (reserved(x.inst) ? 0x80u : 0u));
  w.tex.unit = x.unit;
  w.tex.source.temp = x.source;
  w.tex.dest.temp = x.dest;
  w.rgb.write = 7;
  w.alpha.write = 1;
  return w;
}

/// The instruction in the words of the R3xx; what it lacks, or null. Bits for scheduling that it does not need are dropped.
constexpr const char* narrow(const us_r500::Instruction& w, Instruction& x) {
  if (w.type != us_r500::Type::ALU && w.type != us_r500::Type::OUTPUT) return "instruction type";
  if (w.rgb_predicate || w.alpha_predicate) return "predicate";
  if (w.result_write) return "ALU result bit";
  if (w.type == us_r500::Type::ALU && (w.rgb.output || w.alpha.output)) return "predicate write";
  if (const char* lacks = detail::narrow(w.rgb, false, x.rgb)) return lacks;
  if (const char* lacks = detail::narrow(w.alpha, true, x.alpha)) return lacks;
  x.nop = w.nop;
  x.depth_write = w.depth_write;
  x.stat_we = w.stat_we;
  return nullptr;
}
constexpr const char* narrow(const us_r500::Instruction& w, us_r300_tex::Instruction& x) {
  constexpr std::array<uint8_t, 4> kWhole{0, 1, 2, 3};
  const us_r500::Texture& t = w.tex;
  if (w.type != us_r500::Type::TEXTURE) return "instruction type";
  if (w.rgb_predicate || w.alpha_predicate) return "predicate";
  if (!reserved(t.inst) && t.inst != us_r500::TexOp::X && !info(t.inst).r300) return "texture operation";
  if (t.unscaled) return "unscaled coordinates";
  if (t.source.relative || t.dest.relative) return "relative address";
  if (t.source.temp > 63 || t.dest.temp > 63) return "temp above r63";
  const bool fetches = !reserved(t.inst) && info(t.inst).fetches;
  if (t.inst != us_r500::TexOp::NOP && t.source.swizzle != kWhole) return "coordinate swizzle";
  if (fetches && (t.dest.swizzle != kWhole || w.rgb.write != 7 || w.alpha.write != 1)) return "result swizzle or mask";
  x.inst = us_r300_tex::TexOp(uint8_t(t.inst) & 7u);
  x.unit = t.unit;
  x.source = t.source.temp;
  x.dest = t.dest.temp;
  return nullptr;
}

}  // namespace pumice::isa::us_r300
