// SPDX-License-Identifier: MIT
/// pumice-asm: text to words (docs/microcode.md).
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <vector>

#include "hw/radeon/asm/assembly.h"

namespace pumice::hw::assembly {
namespace {

constexpr char kHelp[] =
    "usage: pumice-asm [us|us_r300|us_r300_tex|pvs|r300|r500|r5x] [FILE]\n"
    "Reads one instruction a line and prints its words in hexadecimal, one instruction a line.\n"
    "  us              US slots of the R5xx (the default)\n"
    "  us_r300         ALU instructions of the R3xx's US\n"
    "  us_r300_tex     texture instructions of the R3xx's US\n"
    "  pvs             vertex instructions\n"
    "  r300, r500, r5x words and registers of this chip: NAME FIELD=VALUE ...\n"
    "Empty lines and what stands behind ';' are skipped; a slot number in front, as in a listing, may stay.\n"
    "Exit code: 0 good, 1 a line is wrong (its place is printed), 2 wrong use.\n";

struct Line {
  std::vector<uint32_t> words;
  std::string error;
  size_t column = 0;
};
template <class T>
Line line_of(const T& a) {
  return {{a.words.begin(), a.words.end()}, a.error, a.column};
}

using Assemble = std::function<Line(std::string_view)>;
struct Set {
  const char* name;
  Assemble assemble;
};
const Set kSets[] = {
    {"us", [](std::string_view t) { return line_of(us_words(t)); }},
    {"us_r300", [](std::string_view t) { return line_of(us_r300_words(t)); }},
    {"us_r300_tex", [](std::string_view t) { return line_of(us_r300_tex_words(t)); }},
    {"pvs", [](std::string_view t) { return line_of(pvs_words(t)); }},
};
/// Of an instruction set, or of the words of a chip; null: no such name.
Assemble assembler(const std::string& name) {
  for (const Set& s : kSets)
    if (name == s.name) return s.assemble;
  const std::optional<Profile> chip = chip_named(name);
  if (!chip) return {};
  return [&tables = decode::tables(*chip)](std::string_view text) -> Line {
    const auto a = word_value(tables, text);
    return {{a.words.value}, a.error, a.column};
  };
}

int run(std::vector<std::string> args) {
  Assemble assemble = kSets[0].assemble;
  std::string file;
  bool named = false;
  for (const std::string& a : args) {
    if (a == "--help" || a == "-h") return std::fputs(kHelp, stdout), 0;
    if (Assemble found = named ? Assemble{} : assembler(a)) {
      assemble = std::move(found), named = true;
    } else if (file.empty() && !a.starts_with("-")) {
      file = a;
    } else {
      std::fprintf(stderr, "pumice-asm: what does '%s' mean here?\n%s", a.c_str(), kHelp);
      return 2;
    }
  }
  std::ifstream opened;
  if (!file.empty()) {
    opened.open(file);
    if (!opened) return std::fprintf(stderr, "pumice-asm: %s cannot be read\n", file.c_str()), 2;
  }
  std::istream& in = file.empty() ? std::cin : opened;
  std::string text;
  bool good = true;
  for (size_t number = 1; std::getline(in, text); ++number) {
    std::string_view line = std::string_view(text).substr(0, text.find(';'));
    while (line.ends_with(" ") || line.ends_with("\r") || line.ends_with("\t")) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == line.npos) continue;
    const Line out = assemble(line);
    if (!out.error.empty()) {
      std::fprintf(stderr, "%s:%zu:%zu: %s\n%s\n%*s^\n", file.empty() ? "(input)" : file.c_str(), number, out.column + 1, out.error.c_str(),
                   text.c_str(), static_cast<int>(out.column), "");
      good = false;
      continue;
    }
    for (size_t i = 0; i < out.words.size(); ++i) std::printf(i ? " %08x" : "%08x", out.words[i]);
    std::printf("\n");
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace pumice::hw::assembly

int main(int argc, char** argv) { return pumice::hw::assembly::run({argv + 1, argv + argc}); }
