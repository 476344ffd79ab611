// SPDX-License-Identifier: MIT
/// What a line of disassembly leaves out: "!WORD.FIELD=0x3" ("!WORD.FIELD@2=0x3" where several words have it) for fields,
/// "!word2=0x80000000" for bits that no field has. Common to the instruction sets; Isa has Words, unpack and format.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstdio>

#include "hw/common/text/scanner.h"
#include "hw/radeon/asm/assembly.h"

namespace pumice::hw::assembly {

using text::Scanner;

template <class Field>
constexpr uint32_t mask_of(const Field& f) {
  return (f.width == 32 ? ~0u : (1u << f.width) - 1) << f.low;
}

/// The corrections that make `words` of `plain`.
template <class Isa>
std::string corrections(const typename Isa::Words& plain, const typename Isa::Words& words) {
  std::string text;
  char piece[96];
  const auto& format = Isa::format(Isa::unpack(words));
  for (const auto& f : format.fields) {
    const uint32_t mask = mask_of(f);
    if (((plain[f.word] ^ words[f.word]) & mask) == 0) continue;
    // Of words with the same fields (the sources of PVS) the number decides.
    const std::string_view name(f.name);
    const bool several =
        std::any_of(format.fields.begin(), format.fields.end(), [&](const auto& o) { return o.word != f.word && o.name == name; });
    std::snprintf(piece, sizeof piece, several ? " !%s@%u=0x%x" : " !%s%.0u=0x%x", f.name.c_str(), several ? unsigned(f.word) : 0u,
                  (words[f.word] & mask) >> f.low);
    text += piece;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t free = words[i] & ~format.defined[i];
    if (free == 0) continue;
    std::snprintf(piece, sizeof piece, " !word%zu=0x%x", i, free);
    text += piece;
  }
  return text.empty() ? text : " " + text;
}

template <class Isa>
void correct(Scanner& s, typename Isa::Words& words) {
  const auto& format = Isa::format(Isa::unpack(words));
  const auto fields = format.fields;
  for (s.spaces(); s.accept("!"); s.spaces()) {
    const std::string name(s.until("=@ "));
    const bool has_word = s.accept("@");
    const uint32_t word = has_word ? s.number(uint32_t(words.size() - 1)) : 0;
    if (!s.expect("=")) return;
    if (name.size() == 5 && name.starts_with("word")) {
      const size_t i = size_t(name[4] - '0');
      if (i >= words.size()) {
        s.fail("no word " + name.substr(4));
        return;
      }
      const uint32_t bits = s.number();
      if (bits & format.defined[i]) s.fail("these bits of " + name + " are fields");
      if (s.ok()) words[i] |= bits;
      continue;
    }
    const auto f =
        std::find_if(fields.begin(), fields.end(), [&](const auto& x) { return x.name == name && (!has_word || x.word == word); });
    if (f == fields.end()) {
      s.fail("no field " + name + " in this instruction");
      return;
    }
    const uint32_t value = s.number(mask_of(*f) >> f->low);
    if (s.ok()) words[f->word] = (words[f->word] & ~mask_of(*f)) | value << f->low;
  }
  if (s.ok() && !s.at_end()) s.fail("unexpected text");
}

/// A line to words: `parse` reads the instruction, the corrections behind it follow. Isa has parse, find_misfit and pack, too.
template <class Isa>
Assembled<typename Isa::Words> assemble(std::string_view line) {
  Scanner s(line);
  const auto x = Isa::parse(s);
  Assembled<typename Isa::Words> out;
  if (s.ok())
    if (const char* misfit = Isa::find_misfit(x)) s.fail(std::string(misfit) + " does not fit");
  if (s.ok()) {
    out.words = Isa::pack(x);
    correct<Isa>(s, out.words);
  }
  out.error = s.error();
  out.column = s.column();
  return out;
}

/// The disassembler's line with the corrections that make it exact.
template <class Isa>
std::string exact_text(const std::string& line, const typename Isa::Words& words) {
  const Assembled<typename Isa::Words> plain = assemble<Isa>(line);
  assert(plain.ok());
  return line + corrections<Isa>(plain.words, words);
}

}  // namespace pumice::hw::assembly
