// SPDX-License-Identifier: MIT
/// See assembly.h.
#include "hw/rdp/assembly.h"

#include <algorithm>
#include <cassert>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "hw/common/text/scanner.h"
#include "hw/rdp/cmd.h"
#include "hw/rdp/tables.h"

namespace pumice::hw::rdp {
namespace {

using text::Scanner;

constexpr uint64_t ones(int n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }
uint64_t bits(uint64_t w, int high, int low) { return w >> low & ones(high - low + 1); }
void set_bits(uint64_t& w, int high, int low, uint64_t v) {
  const uint64_t mask = ones(high - low + 1) << low;
  w = (w & ~mask) | (v << low & mask);
}

int low_width(const FieldInfo& f) { return f.frac_high < 0 ? 0 : f.frac_high - f.frac_low + 1; }
int width(const FieldInfo& f) { return f.high - f.low + 1 + low_width(f); }
uint64_t get(const FieldInfo& f, const uint64_t* w) {
  const uint64_t v = bits(w[f.word], f.high, f.low);
  return f.frac_high < 0 ? v : v << low_width(f) | bits(w[f.frac_word], f.frac_high, f.frac_low);
}
void set(const FieldInfo& f, uint64_t* w, uint64_t v) {
  set_bits(w[f.word], f.high, f.low, v >> low_width(f));
  if (f.frac_high >= 0) set_bits(w[f.frac_word], f.frac_high, f.frac_low, v);
}

/// The code that a name of a value stands for, or -1: none, several, or no word.
int code_of(const FieldInfo& f, std::string_view name) {
  if (!f.values || name.empty() || name.find_first_of(" =|!") != name.npos || std::strchr("-.0123456789", name[0])) return -1;
  int found = -1;
  for (int i = 0; i < 1 << width(f); ++i)
    if (f.values[i] && name == f.values[i]) {
      if (found >= 0) return -1;
      found = i;
    }
  return found;
}

std::string value_text(const FieldInfo& f, uint64_t v) {
  if (f.values && f.values[v] && code_of(f, f.values[v]) == int(v)) return f.values[v];
  const int n = width(f);
  const int64_t s = f.is_signed && (v >> (n - 1) & 1) ? int64_t(v) - (int64_t{1} << n) : int64_t(v);
  char out[40];
  if (f.fraction)
    std::snprintf(out, sizeof out, "%.17g", std::ldexp(double(s), -f.fraction));  // 32 bits: exact
  else
    std::snprintf(out, sizeof out, n > 12 ? "0x%" PRIx64 : "%" PRId64, n > 12 ? int64_t(v) : s);
  return out;
}

/// The fields of a command or group that are not 0, and what no field has.
std::string fields_text(const CommandInfo& info, const uint64_t* w, uint64_t opcode_bits) {
  std::string out;
  std::vector<uint64_t> rest(w, w + info.words);
  rest[0] &= ~opcode_bits;
  for (const FieldInfo& f : info.fields) {
    const uint64_t v = get(f, w);
    set(f, rest.data(), 0);
    if (v == 0) continue;
    out.append(" ").append(f.name);
    if (width(f) > 1 || f.values) out.append("=").append(value_text(f, v));
  }
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == 0) continue;
    char bits_text[48];
    std::snprintf(bits_text, sizeof bits_text, " !word%zu=0x%" PRIx64, i, rest[i]);
    out += bits_text;
  }
  return out;
}

/// The opcode of a command by name, its lowest; -1: there is none.
int opcode_of(std::string_view name) {
  for (int i = 0; i < 64; ++i)
    if (name == kCommands[i].name) return i;
  return -1;
}
/// The bits of the first word that a name stands for: all of the opcode but those that are fields, and none of an undefined command.
uint64_t opcode_bits(const CommandInfo& info) {
  if (std::string_view(info.name) == kUndefinedCommand) return 0;
  uint64_t mask = uint64_t{0x3F} << 56;
  for (const FieldInfo& f : info.fields)
    if (f.word == 0) mask &= ~(ones(f.high - f.low + 1) << f.low);
  return mask;
}

uint64_t hexadecimal(Scanner& s) {
  s.accept("0x");
  const std::string digits(s.take("0123456789abcdefABCDEF"));
  if (digits.empty() || digits.size() > 16) s.fail("a hexadecimal number of at most 16 digits expected");
  return s.ok() ? std::strtoull(digits.c_str(), nullptr, 16) : 0;
}

uint64_t parse_value(Scanner& s, const FieldInfo& f) {
  const std::string word(s.rest().substr(0, std::min(s.rest().find_first_of(" |"), s.rest().size())));
  if (const int code = code_of(f, word); code >= 0) {
    s.part(word.size());
    return uint64_t(code);
  }
  const int n = width(f);
  char* end = nullptr;
  double v;
  if (f.fraction) {
    v = std::ldexp(std::strtod(word.c_str(), &end), f.fraction);
  } else {
    v = double(std::strtoll(word.c_str(), &end, word.starts_with("0x") ? 16 : 10));
  }
  const double least = f.is_signed && !word.starts_with("0x") ? -std::ldexp(1.0, n - 1) : 0;
  const double most = f.is_signed && !word.starts_with("0x") ? std::ldexp(1.0, n - 1) - 1 : std::ldexp(1.0, n) - 1;
  if (word.empty() || *end != 0) return s.fail("a value of " + std::string(f.name) + " expected"), 0;
  if (!(v >= least && v <= most) || v != std::floor(v)) return s.fail(std::string(f.name) + " cannot hold " + word), 0;
  s.part(word.size());
  return uint64_t(int64_t(v)) & ones(n);
}

/// Fields up to '|' or the end, into w.
void parse_fields(Scanner& s, const CommandInfo& info, uint64_t* w) {
  for (s.spaces(); s.ok() && !s.at_end() && s.peek() != '|'; s.spaces()) {
    if (s.accept("!word")) {
      const uint32_t i = s.number(info.words - 1);
      s.expect("=");
      const uint64_t v = hexadecimal(s);
      if (s.ok()) w[i] |= v;
      continue;
    }
    const std::string_view name = s.rest().substr(0, std::min(s.rest().find_first_of(" =|"), s.rest().size()));
    const auto f = std::find_if(info.fields.begin(), info.fields.end(), [&](const FieldInfo& x) { return name == x.name; });
    if (f == info.fields.end()) return void(s.fail(std::string(info.name) + " has no field " + std::string(name)));
    s.part(name.size());
    if (s.accept("="))
      set(*f, w, parse_value(s, *f));
    else if (width(*f) == 1)
      set(*f, w, 1);
    else
      s.expect("=");
  }
}

/// The coefficient groups that follow a triangle, in order.
template <class F>
void each_group(uint64_t first, F f) {
  if (!is_triangle(first)) return;
  Triangle t;
  t.raw[0] = first;
  if (t.shade()) f(kShadeCoefficients);
  if (t.texture()) f(kTextureCoefficients);
  if (t.depth()) f(kDepthCoefficients);
}

}  // namespace

std::string command_text(std::span<const uint64_t> words) {
  assert(!words.empty() && words.size() >= command_words(words[0]));
  const CommandInfo& info = kCommands[words[0] >> 56 & 0x3F];
  std::string out = info.name + fields_text(info, words.data(), opcode_bits(info));
  const uint64_t* at = words.data() + info.words;
  each_group(words[0], [&](const CommandInfo& group) {
    out.append(" | ").append(group.name).append(fields_text(group, at, 0));
    at += group.words;
  });
  return out;
}

AssembledCommand command_from_text(std::string_view line) {
  AssembledCommand out;
  Scanner s(line);
  s.spaces();
  const std::string_view name = s.until(" |");
  const int opcode = opcode_of(name);
  if (opcode < 0) s.fail("no command " + std::string(name));
  if (s.ok()) {
    const CommandInfo& info = kCommands[opcode];
    out.words.assign(info.words, 0);
    if (std::string_view(info.name) != kUndefinedCommand) out.words[0] = uint64_t(opcode) << 56;
    parse_fields(s, info, out.words.data());
    if (s.ok() && command_words(out.words[0]) < info.words) s.fail("the bits make another command of it");
  }
  if (s.ok())
    each_group(out.words[0], [&](const CommandInfo& group) {
      s.spaces();
      s.expect("|");
      s.spaces();
      if (s.ok() && s.until(" |") != group.name) s.fail(std::string(group.name) + " expected");
      std::vector<uint64_t> w(group.words, 0);
      parse_fields(s, group, w.data());
      out.words.insert(out.words.end(), w.begin(), w.end());
    });
  if (s.ok() && !s.at_end()) s.fail("unexpected text");
  out.error = s.error();
  out.column = s.column();
  if (!out.ok()) out.words.clear();
  return out;
}

}  // namespace pumice::hw::rdp
