// SPDX-License-Identifier: MIT
/// Text of instructions and words. First byte, bits 1:0: US of the R5xx, PVS, US of the R3xx (ALU; with bit 2 TEX), a word or register of
/// the database (bits 3:2 the chip). What is taken gives the same words again from its own text; what is not has an error inside of the
/// line.
#include <cstdint>

#include "hw/radeon/asm/assembly.h"

using namespace pumice::hw;
using namespace pumice::hw::assembly;

namespace {

template <class Result>
bool taken(const Result& result, std::string_view line) {
  if (!result.ok() && result.column > line.size()) __builtin_trap();
  return result.ok();
}

template <class Words, class Text>
void check(std::string_view line, Words words, Text text) {
  const auto first = words(line);
  if (!taken(first, line)) return;
  const std::string again = text(first.words);
  const auto second = words(again);
  if (!taken(second, again) || second.words != first.words) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1 || size > 4096) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] & 3) {
    case 0: check(line, us_words, us_text); break;
    case 1: check(line, pvs_words, pvs_text); break;
    case 2:
      if (data[0] & 4)
        check(line, us_r300_tex_words, us_r300_tex_text);
      else
        check(line, us_r300_words, us_r300_text);
      break;
    default: {
      constexpr Profile kProfiles[] = {Profile::r300, Profile::r500, Profile::r5x, Profile::r5x};
      const decode::Tables& tables = decode::tables(kProfiles[data[0] >> 2 & 3]);
      const auto first = word_value(tables, line);
      if (!taken(first, line)) return 0;
      const std::string again = word_text(tables, *first.words.entry, first.words.value);
      const auto second = word_value(tables, again);
      if (!taken(second, again) || second.words.entry != first.words.entry || second.words.value != first.words.value) __builtin_trap();
    }
  }
  return 0;
}
