// SPDX-License-Identifier: MIT
/// US slots of the R5xx: the reverse of compiler/us/disassemble.cpp, for what strict chips have.
#include <cstdlib>
#include <optional>
#include <vector>

#include "compiler/us/machine.h"
#include "hw/radeon/asm/assembly.h"
#include "hw/radeon/asm/exact.h"
#include "hw/radeon/asm/us.h"

namespace pumice::hw::assembly {

namespace {

using namespace isa::us_r500;

constexpr std::string_view kTests[4] = {"eq", "lt", "ge", "ne"};
constexpr std::string_view kChannels = "rgba", kSwizzle = "rgba0h1_";

/// An operand before it has one of the three places of addresses.
struct Placed {
  Operand* operand = nullptr;
  std::optional<Address> rgb, alpha;  ///< what the addresses of its place must be
};

/// All inline constants as the disassembler prints them: six digits.
std::vector<std::string> inline_floats() {
  std::vector<std::string> all(128);
  for (uint32_t code = 0; code < all.size(); ++code) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", double{inline_float_value(code)});
    all[code] = text;
  }
  return all;
}

/// "r5", "r5+aL", "c7", "#0.5"
bool address(Scanner& s, Address& out) {
  if (s.accept("#")) {
    const std::string digits(s.take("0123456789."));
    const float v = std::strtof(digits.c_str(), nullptr);
    out.file = Address::File::inline_float;
    static const std::vector<std::string> kTexts = inline_floats();
    for (uint32_t code = 0; code < kTexts.size(); ++code) {
      if (digits != kTexts[code] && inline_float_value(code) != v) continue;
      out.value = uint8_t(code);
      out.relative = s.accept("+aL");
      return true;
    }
    return s.fail("no inline constant " + digits);
  }
  const bool temp = s.accept("r");
  if (!temp && !s.accept("c")) return s.fail("a source (r, c, # or srcp) expected");
  out.file = temp ? Address::File::temp : Address::File::constant;
  out.value = uint8_t(s.number(temp ? 127 : 255));
  out.relative = s.accept("+aL");
  return s.ok();
}

/// The same, and nothing behind it.
void address_of(Scanner& s, size_t size, Address& out) {
  Scanner p = s.part(size);
  address(p, out);
  if (p.ok() && !p.at_end()) p.fail("unexpected text");
  s.take_failure(p);
}

void test(Scanner& s, uint8_t& out) {
  const std::string_view name = s.until("]");
  for (uint8_t i = 0; i < 4; ++i)
    if (name == kTests[i]) {
      out = i;
      s.expect("]");
      return;
    }
  s.fail("eq, lt, ge or ne expected");
}

/// "r5.rgb&out0.rgb&pred[ge].r&depth&alu[eq]" or "_"
void destinations(Scanner& s, Instruction& x, bool alpha_unit) {
  Unit& u = alpha_unit ? x.alpha : x.rgb;
  const auto channels = [&] {
    uint32_t mask = 0;
    for (const char c : s.take(kChannels)) mask |= 1u << kChannels.find(c);
    if (alpha_unit ? mask != 8 : (mask == 0 || mask > 7)) s.fail(alpha_unit ? "the alpha unit writes a" : "the RGB unit writes r, g, b");
    return uint8_t(alpha_unit ? 1 : mask);
  };
  if (s.accept("_")) return;
  do {
    if (s.accept("out")) {
      if (x.type != Type::OUTPUT) return void(s.fail("an ALU slot has no outputs: OUT"));
      u.target = uint8_t(s.number(3));
      s.expect(".");
      u.output = channels();
    } else if (s.accept("pred[")) {
      if (x.type == Type::OUTPUT) return void(s.fail("an OUT slot writes no predicate"));
      test(s, u.target);
      s.expect(".");
      u.output = channels();
    } else if (alpha_unit && s.accept("depth")) {
      x.depth_write = true;
    } else if (s.accept("alu[")) {
      x.result_write = true;
      x.result_alpha = alpha_unit;
      test(s, x.result_op);
    } else {
      s.expect("r");
      u.dest = uint8_t(s.number(127));
      u.dest_relative = s.accept("+aL");
      s.expect(".");
      u.write = channels();
    }
  } while (s.accept("&"));
}

void operand(Scanner& s, Operand& out, bool alpha_unit, std::vector<Placed>& placed) {
  if (s.accept("-")) out.modifier |= 1;
  const bool absolute = s.accept("|");
  if (absolute) out.modifier |= 2;
  Placed p{&out, {}, {}};
  const size_t lanes = alpha_unit ? 1 : 3;
  std::optional<Address> first, second;
  bool presubtracted = false, bare = false;
  if (s.accept("(")) {
    address(s, first.emplace());
    s.expect("|");
    address(s, second.emplace());
    s.expect(").");
  } else {
    // The swizzle is behind the last dot; one of constants alone ("0h1") has no source.
    const std::string_view all = s.rest().substr(0, std::min(s.rest().find_first_of(",| "), s.rest().size()));
    const size_t dot = all.rfind('.');
    bare = dot == all.npos;
    presubtracted = !bare && all.substr(0, dot) == "srcp";
    if (presubtracted)
      s.part(dot);
    else if (!bare)
      address_of(s, dot, first.emplace());
    if (!bare) s.expect(".");
  }
  bool uses_rgb = false, uses_alpha = false;
  for (size_t i = 0; i < lanes; ++i) {
    const size_t c = kSwizzle.find(s.peek());
    if (s.at_end() || c == kSwizzle.npos) return void(s.fail("a channel (r, g, b, a, 0, h, 1 or _) expected"));
    out.swizzle[i] = uint8_t(c);
    uses_rgb |= c < 3;
    uses_alpha |= c == 3;
    s.part(1);
  }
  if (absolute) s.expect("|");
  if (presubtracted) {
    out.select = 3;
    return;
  }
  if (!bare && !uses_rgb && !uses_alpha) return void(s.fail("a source that no channel reads"));
  if (bare && (uses_rgb || uses_alpha)) return void(s.fail("a source expected"));
  if (uses_rgb) p.rgb = first;
  if (uses_alpha) p.alpha = second ? second : first;
  if (uses_rgb || uses_alpha) placed.push_back(p);
}

/// " srcp=1-2*r1", "srcp=r2-r1", "srcp=r2+r1", "srcp=1-r1"
void presubtract(Scanner& s, Unit& u, std::optional<Address>* fixed) {
  Address a, b;
  if (s.accept("1-2*")) {
    u.presubtract = 0;
    address(s, a);
  } else if (s.accept("1-")) {
    u.presubtract = 3;
    address(s, a);
  } else {
    address(s, b);
    u.presubtract = s.accept("+") ? 2 : 1;
    if (u.presubtract == 1) s.expect("-");
    address(s, a);
    fixed[1] = b;
  }
  fixed[0] = a;
}

struct Places {
  std::optional<Address> rgb[3], alpha[3];
};

/// Finds a place for each operand from `i` on.
bool place(std::vector<Placed>& operands, size_t i, Places& at) {
  if (i == operands.size()) return true;
  Placed& p = operands[i];
  for (uint8_t n = 0; n < 3; ++n) {
    if ((p.rgb && at.rgb[n] && at.rgb[n] != p.rgb) || (p.alpha && at.alpha[n] && at.alpha[n] != p.alpha)) continue;
    const Places before = at;
    if (p.rgb) at.rgb[n] = p.rgb;
    if (p.alpha) at.alpha[n] = p.alpha;
    p.operand->select = n;
    if (place(operands, i + 1, at)) return true;
    at = before;
  }
  return false;
}

void unit(Scanner& s, Instruction& x, bool alpha_unit, std::vector<Placed>& placed, Places& at) {
  Unit& u = alpha_unit ? x.alpha : x.rgb;
  std::string_view name = s.rest().substr(0, std::min(s.rest().find(' '), s.rest().size()));
  const size_t size = name.size();
  if (name.ends_with(".sat")) u.clamp = true, name.remove_suffix(4);
  for (uint8_t m = 1; m < Unit::omod_text.size(); ++m)
    if (name.ends_with(Unit::omod_text[m])) {
      u.omod = m;
      name.remove_suffix(std::string_view(Unit::omod_text[m]).size());
      break;
    }
  bool found = false;
  if (name.starts_with("?")) {
    Scanner digits(name.substr(1), s.column() + 1);
    u.op = AluOp(0x80u | digits.number(15));
    s.take_failure(digits);
    found = true;
  }
  for (const AluOpInfo& o : kAluOps)
    if (o.mnemonic == name && !o.extended && (alpha_unit ? o.alpha : o.rgb) >= 0) u.op = o.op, found = true;
  if (!found) return void(s.fail(std::string(alpha_unit ? "the alpha" : "the RGB") + " unit has no operation " + std::string(name)));
  s.part(size);
  s.expect(" ");
  destinations(s, x, alpha_unit);
  for (size_t n = 0; n < 3 && s.accept(", "); ++n) operand(s, u.operand[n], alpha_unit, placed);
  if (s.accept(" srcp=")) presubtract(s, u, alpha_unit ? at.alpha : at.rgb);
  if (s.ok() && !s.at_end()) s.fail("unexpected text");
}

/// Which unit a line with only one is of.
bool is_alpha(std::string_view text) {
  const size_t space = std::min(text.find(' '), text.size());
  const size_t comma = std::min(text.find(','), text.size());
  const std::string_view dest = text.substr(space, comma - space);
  if (dest.find("depth") != dest.npos || dest.ends_with(".a") || dest.find(".a&") != dest.npos) return true;
  if (dest.find('.') != dest.npos) return false;
  const std::string_view name = text.substr(0, std::min(text.find_first_of("*/. "), text.size()));
  for (const AluOpInfo& o : kAluOps)
    if (o.mnemonic == name && (o.rgb < 0 || o.alpha < 0)) return o.rgb < 0;
  // By the first operand: one channel or three.
  if (comma == text.size()) return false;
  std::string_view first = text.substr(std::min(comma + 2, text.size()));
  first = first.substr(0, std::min(first.find_first_of(", "), first.size()));
  while (first.ends_with("|")) first.remove_suffix(1);
  const size_t dot = first.rfind('.');
  const std::string_view swizzle =
      dot == first.npos ? first.substr(std::min(first.find_first_not_of("-|"), first.size())) : first.substr(dot + 1);
  return swizzle.size() == 1;
}

void alu(Scanner& s, Instruction& x) {
  s.spaces();
  const std::string_view all = s.rest();
  const size_t end = std::min({all.find("  {"), all.find("  !"), all.size()});
  const size_t middle = all.substr(0, end).find(" | ");
  std::vector<Placed> placed;
  placed.reserve(6);
  Places at;
  const auto part = [&](size_t size, bool alpha_unit) {
    Scanner p = s.part(size);
    unit(p, x, alpha_unit, placed, at);
    s.take_failure(p);
  };
  if (middle == all.npos) {
    part(end, is_alpha(all.substr(0, end)));
  } else {
    part(middle, false);
    s.expect(" | ");
    part(end - middle - 3, true);
  }
  if (!s.ok()) return;
  if (!place(placed, 0, at)) return void(s.fail("the operands need more than three sources"));
  for (size_t n = 0; n < 3; ++n) {
    if (at.rgb[n]) x.rgb.address[n] = *at.rgb[n];
    if (at.alpha[n]) x.alpha.address[n] = *at.alpha[n];
  }
}

void port(Scanner& s, Port& out) {
  s.expect("r");
  out.temp = uint8_t(s.number(127));
  out.relative = s.accept("+aL");
  s.expect(".");
  for (uint8_t& c : out.swizzle) {
    const size_t code = kChannels.find(s.peek());
    if (s.at_end() || code == kChannels.npos) return void(s.fail("four channels expected"));
    c = uint8_t(code);
    s.part(1);
  }
}

void texture(Scanner& s, Instruction& x) {
  Texture& t = x.tex;
  s.spaces();
  std::string_view name = s.until(" ");
  if (name.ends_with(".unscaled")) t.unscaled = true, name.remove_suffix(9);
  bool found = false;
  if (name.starts_with("?")) {
    Scanner digits(name.substr(1), s.column());
    t.inst = TexOp(digits.number(255));
    if (t.inst == TexOp(0x87)) t.inst = TexOp(7);  // what is reserved on every strict chip; others the R3xx lacks
    s.take_failure(digits);
    found = true;
  }
  for (const TexOpInfo& o : kTexOps)
    if (o.mnemonic == name && !o.extended) t.inst = o.op, found = true;
  if (!found) return void(s.fail("no texture operation " + std::string(name)));
  if (t.inst == TexOp::NOP) return;
  s.expect(" ");
  if (t.inst == TexOp::TEXKILL) return port(s, t.source);
  s.expect("r");
  t.dest.temp = uint8_t(s.number(127));
  s.expect(".");
  for (const char c : s.take(kChannels)) {
    if (c == 'a')
      x.alpha.write = 1;
    else
      x.rgb.write |= uint8_t(1u << kChannels.find(c));
  }
  s.expect(", ");
  port(s, t.source);
  s.expect(", tex");
  t.unit = uint8_t(s.number(15));
  if (s.accept("."))
    for (uint8_t& c : t.dest.swizzle) {
      const size_t code = kChannels.find(s.peek());
      if (s.at_end() || code == kChannels.npos) return void(s.fail("four channels expected"));
      c = uint8_t(code);
      s.part(1);
    }
  if (t.inst != TexOp::DXDY) return;
  s.expect(", ");
  port(s, t.dx);
  s.expect(", ");
  port(s, t.dy);
}

uint8_t one_of(Scanner& s, std::initializer_list<std::string_view> words) {
  uint8_t i = 0;
  for (const std::string_view w : words) {
    if (s.accept(w)) return i;
    ++i;
  }
  s.fail("'" + std::string(*words.begin()) + "' or a word like it expected");
  return 0;
}

void flow(Scanner& s, Instruction& x) {
  Flow& f = x.flow;
  s.spaces();
  std::string_view name = s.until(" ");
  if (name.ends_with(".else")) f.is_else = true, name.remove_suffix(5);
  bool found = false;
  for (const FlowOpInfo& o : kFlowOps)
    if (o.mnemonic == name && !o.extended) f.op = o.op, found = true;
  if (!found) return void(s.fail("no flow control operation " + std::string(name)));
  s.expect(" func=");
  const std::string_view digits = s.until(" ");
  const std::string with = "0x" + std::string(digits);
  Scanner value(with, s.column());
  f.jump_func = uint8_t(value.number(255));
  s.take_failure(value);
  s.expect(" ");
  f.jump_any = one_of(s, {"all", "any"});
  s.expect(" stay=");
  f.branch_op0 = one_of(s, {"-", "decr", "incr", "?"});
  s.expect(" jump=");
  f.branch_op1 = one_of(s, {"-", "decr", "incr", "?"});
  s.expect(" pop=");
  f.pop_count = uint8_t(s.number(31));
  s.expect(" ");
  f.address_op = s.accept("pop ") ? 1 : s.accept("push ") ? 2 : s.accept("? ") ? 3 : 0;
  s.expect("int");
  f.int_address = uint8_t(s.number(31));
  s.expect(" -> ");
  f.target = uint16_t(s.number(511));
}

void bits(Scanner& s, Instruction& x) {
  s.spaces();
  if (!s.accept("{")) return;
  for (s.spaces(); s.ok() && !s.accept("}"); s.spaces()) {
    const std::string_view word = s.until(" }=");
    if (word == "pred" || word == "apred") {
      s.expect("=");
      const bool invert = s.accept("!");
      const uint8_t select = uint8_t(s.number(7));
      (word == "pred" ? x.rgb_predicate : x.alpha_predicate) = select;
      (word == "pred" ? x.rgb_predicate_invert : x.alpha_predicate_invert) = invert;
    } else if (word == "sem_wait") {
      x.tex_sem_wait = true;
    } else if (word == "acquire" && x.type == Type::TEXTURE) {
      x.tex.acquire = true;
    } else if (word == "alu_wait") {
      x.alu_wait = true;
    } else if (word == "nop") {
      x.nop = true;
    } else if (word == "last") {
      x.last = true;
    } else if (word == "inactive") {
      x.write_inactive = true;
    } else {
      s.fail("no bit '" + std::string(word) + "'");
    }
  }
}

}  // namespace

isa::us_r500::Instruction parse_us(Scanner& s) {
  Instruction x;
  text::slot_number(s);
  if (s.accept("ALU ")) {
    x.type = Type::ALU;
    alu(s, x);
  } else if (s.accept("OUT ")) {
    x.type = Type::OUTPUT;
    alu(s, x);
  } else if (s.accept("TEX ")) {
    x.type = Type::TEXTURE;
    texture(s, x);
  } else if (s.accept("FC ")) {
    x.type = Type::FLOW_CONTROL;
    flow(s, x);
  } else {
    s.fail("ALU, OUT, TEX or FC expected");
  }
  bits(s, x);
  return x;
}

namespace {

struct Isa {
  using Words = isa::us_r500::Words;
  static Instruction parse(Scanner& s) { return parse_us(s); }
  static const char* find_misfit(const Instruction& x) { return isa::us_r500::find_misfit(x); }
  static Words pack(const Instruction& x) { return isa::us_r500::pack(x); }
  static Instruction unpack(const Words& w) { return isa::us_r500::unpack(w); }
  static const auto& format(const Instruction& x) { return isa::us_r500::format(x); }
};

}  // namespace

Assembled<isa::us_r500::Words> us_words(std::string_view line) { return assemble<Isa>(line); }

std::string us_text(const isa::us_r500::Words& words) {
  Instruction x = unpack(words);
  make_strict(x);
  return exact_text<Isa>(compiler::us::disassemble(x), words);
}

}  // namespace pumice::hw::assembly
