// SPDX-License-Identifier: MIT
/// pumice-dis: words to text (docs/microcode.md).
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "hw/radeon/asm/assembly.h"

namespace pumice::hw::assembly {
namespace {

constexpr char kHelp[] =
    "usage: pumice-dis [us|us_r300|us_r300_tex|pvs] [WORD ...]\n"
    "       pumice-dis r300|r500|r5x NAME|ADDRESS [WORD ...]\n"
    "       pumice-dis r300|r500|r5x --find TEXT\n"
    "Prints what words mean; hexadecimal numbers, from the command line or else from the standard input.\n"
    "  us              US slots of the R5xx, six words each (the default)\n"
    "  us_r300         ALU instructions of the R3xx's US, five words each (the fifth is of the R4xx)\n"
    "  us_r300_tex     texture instructions of the R3xx's US, a word each\n"
    "  pvs             vertex instructions, four words each\n"
    "  r300, r500, r5x words of one register (by name or address) or microcode word of this chip\n"
    "  --find TEXT     fields of this chip's registers and words whose name, or a value's, or whose register's has this text in it\n"
    "Exit code: 0 good, 1 nothing has that name, 2 wrong use.\n";

bool number(const std::string& text, uint32_t& out) {
  char* end = nullptr;
  const unsigned long long v = std::strtoull(text.c_str(), &end, 16);
  out = static_cast<uint32_t>(v);
  return !text.empty() && *end == 0 && v <= 0xFFFFFFFFu && text[0] != '-';
}

int wrong(const std::string& why) {
  std::fprintf(stderr, "pumice-dis: %s\n%s", why.c_str(), kHelp);
  return 2;
}

template <class Words>
int print(const std::vector<uint32_t>& words, std::string (*text)(const Words&)) {
  constexpr size_t kSize = std::tuple_size_v<Words>;
  if (words.size() % kSize)
    return wrong("an instruction has " + std::to_string(kSize) + " words, here are " + std::to_string(words.size()));
  for (size_t i = 0; i < words.size(); i += kSize) {
    Words w;
    for (size_t k = 0; k < kSize; ++k) w[k] = words[i + k];
    std::printf("%4zu: %s\n", i / kSize, text(w).c_str());
  }
  return 0;
}

const decode::Entry* find(const decode::Tables& tables, const std::string& what) {
  for (const decode::Entry& e : tables.entries)
    if (what == static_cast<const char*>(e.name)) return &e;
  uint32_t address = 0;
  return number(what, address) ? tables.at(address) : nullptr;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// One line a field: register, address, field, bits, values.
int find_names(const decode::Tables& tables, const std::string& wanted) {
  const auto has = [what = upper(wanted)](const char* name) { return upper(name).find(what) != std::string::npos; };
  bool any = false;
  for (const decode::Entry& e : tables.entries)
    for (const decode::Field& f : tables.fields_of(e)) {
      std::string values;
      bool found = has(e.name) || has(f.name);
      for (const decode::ValueName& v : tables.values_of(f)) {
        found |= has(v.id);
        values += "  " + std::to_string(v.value) + " " + static_cast<const char*>(v.id);
      }
      if (!found) continue;
      any = true;
      const std::string address = e.offset < 0 ? "word" : decode::hex(uint64_t(e.offset), 4);
      std::printf("%s  %s  %s  %u:%u%s\n", static_cast<const char*>(e.name), address.c_str(), static_cast<const char*>(f.name), f.high,
                  f.low, values.c_str());
    }
  if (!any) std::fprintf(stderr, "pumice-dis: no name has '%s' in it\n", wanted.c_str());
  return any ? 0 : 1;
}

int run(std::vector<std::string> args) {
  std::string set = "us";
  if (!args.empty() && (args[0] == "--help" || args[0] == "-h")) return std::fputs(kHelp, stdout), 0;
  const auto is = [&](const char* name) { return !args.empty() && args[0] == name; };
  const std::optional<Profile> chip = args.empty() ? std::nullopt : chip_named(args[0]);
  if (chip || is("us") || is("us_r300") || is("us_r300_tex") || is("pvs")) set = args[0], args.erase(args.begin());
  const decode::Tables* tables = nullptr;
  const decode::Entry* entry = nullptr;
  if (chip) {
    tables = &decode::tables(*chip);
    if (args.empty()) return wrong("the name or address of a register or word is missing");
    if (args[0] == "--find") return args.size() == 2 ? find_names(*tables, args[1]) : wrong("--find takes one text");
    entry = find(*tables, args[0]);
    if (!entry) return wrong(set + " has no register or word " + args[0]);
    args.erase(args.begin());
  }
  if (args.empty())
    for (std::string word; std::cin >> word;) args.push_back(word);
  std::vector<uint32_t> words;
  for (const std::string& a : args)
    if (!number(a, words.emplace_back())) return wrong("'" + a + "' is no word");
  if (entry) {
    for (const uint32_t w : words) std::printf("%s\n", word_text(*tables, *entry, w).c_str());
    return 0;
  }
  if (set == "us_r300") return print<isa::us_r300::Words>(words, us_r300_text);
  if (set == "us_r300_tex") return print<isa::us_r300_tex::Words>(words, us_r300_tex_text);
  return set == "us" ? print<isa::us_r500::Words>(words, us_text) : print<isa::pvs::Words>(words, pvs_text);
}

}  // namespace
}  // namespace pumice::hw::assembly

int main(int argc, char** argv) { return pumice::hw::assembly::run({argv + 1, argv + argc}); }
