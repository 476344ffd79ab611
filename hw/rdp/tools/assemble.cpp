// SPDX-License-Identifier: MIT
/// pumice-rdp asm and dis: commands as text (hw/rdp/assembly.h).
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "hw/rdp/assembly.h"
#include "hw/rdp/cmd.h"
#include "hw/rdp/tools/tool.h"

namespace pumice::hw::rdp {

int assemble(const std::vector<std::string>& args) {
  if (args.size() > 1 || (args.size() == 1 && args[0].starts_with("-"))) {
    std::fprintf(stderr,
                 "usage: pumice-rdp asm [FILE]\nA command a line to its words in hexadecimal; what stands behind ';' is skipped.\n");
    return 2;
  }
  std::ifstream file;
  if (!args.empty()) {
    file.open(args[0]);
    if (!file) return std::fprintf(stderr, "pumice-rdp: %s cannot be read\n", args[0].c_str()), 2;
  }
  std::istream& in = args.empty() ? std::cin : file;
  bool good = true;
  std::string text;
  for (size_t number = 1; std::getline(in, text); ++number) {
    std::string_view line = std::string_view(text).substr(0, text.find(';'));
    while (line.ends_with(" ") || line.ends_with("\r") || line.ends_with("\t")) line.remove_suffix(1);
    if (line.empty()) continue;
    const AssembledCommand out = command_from_text(line);
    if (!out.ok()) {
      std::fprintf(stderr, "%s:%zu:%zu: %s\n%s\n%*s^\n", args.empty() ? "(input)" : args[0].c_str(), number, out.column + 1,
                   out.error.c_str(), text.c_str(), static_cast<int>(out.column), "");
      good = false;
    }
    for (size_t i = 0; i < out.words.size(); ++i)
      std::printf("%s%016" PRIx64 "%s", i ? " " : "", out.words[i], i + 1 == out.words.size() ? "\n" : "");
  }
  return good ? 0 : 1;
}

int disassemble(const std::vector<std::string>& args) {
  std::vector<uint64_t> words;
  std::vector<std::string> texts = args;
  if (texts.empty())
    for (std::string word; std::cin >> word;) texts.push_back(word);
  for (const std::string& t : texts) {
    char* end = nullptr;
    words.push_back(std::strtoull(t.c_str(), &end, 16));
    if (t.empty() || *end != 0 || t[0] == '-' || t.size() > 18) {
      std::fprintf(stderr, "usage: pumice-rdp dis [WORD ...]\nWords of 64 bits in hexadecimal, or from the standard input; '%s' is none.\n",
                   t.c_str());
      return 2;
    }
  }
  for (size_t at = 0; at < words.size(); at += command_words(words[at])) {
    if (at + command_words(words[at]) > words.size()) return std::fprintf(stderr, "pumice-rdp: the last command is cut off\n"), 1;
    std::printf("%s\n", command_text(std::span(words).subspan(at)).c_str());
  }
  return 0;
}

}  // namespace pumice::hw::rdp
