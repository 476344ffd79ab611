// SPDX-License-Identifier: MIT
/// Instructions of the strict chips as text and back (docs/microcode.md). text() has every bit of the words, words() takes what text()
/// makes and what is written by hand.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "hw/db/isa_pvs.h"
#include "hw/db/isa_us_r300.h"
#include "hw/db/isa_us_r300_tex.h"
#include "hw/db/isa_us_r500.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw::assembly {

template <class Words>
struct Assembled {
  Words words{};
  std::string error;  ///< empty: none
  size_t column = 0;  ///< of the error, from 0
  bool ok() const { return error.empty(); }
};

/// A US slot of the R5xx: six dwords.
std::string us_text(const isa::us_r500::Words& words);
Assembled<isa::us_r500::Words> us_words(std::string_view line);

/// The US of the R3xx has two stores. An ALU instruction: four dwords, and US_ALU_EXT_ADDR of the R4xx. A texture instruction: one dword.
std::string us_r300_text(const isa::us_r300::Words& words);
Assembled<isa::us_r300::Words> us_r300_words(std::string_view line);
std::string us_r300_tex_text(const isa::us_r300_tex::Words& words);
Assembled<isa::us_r300_tex::Words> us_r300_tex_words(std::string_view line);

/// A vertex instruction: four dwords.
std::string pvs_text(const isa::pvs::Words& words);
Assembled<isa::pvs::Words> pvs_words(std::string_view line);

/// Any word of the database: "NAME FIELD=1 FIELD=VALUE_NAME", fields that are 0 left out; bits that no field has: "bits=0x80000000".
std::string word_text(const decode::Tables& tables, const decode::Entry& entry, uint32_t value);
struct NamedWord {
  const decode::Entry* entry = nullptr;
  uint32_t value = 0;
};
/// The chip of that name, whose tables these functions take.
std::optional<Profile> chip_named(std::string_view name);
Assembled<NamedWord> word_value(const decode::Tables& tables, std::string_view line);

}  // namespace pumice::hw::assembly
