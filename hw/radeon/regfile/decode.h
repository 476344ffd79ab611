// SPDX-License-Identifier: MIT
/// The register database at run time: names, fields, value names, access rules and reset values of one chip.
/// The tables are made by hw/db/gen/gen_decode.py; reset, reports and dumps read them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "hw/types.h"

namespace pumice::hw::decode {

enum class Kind : uint8_t { reg, word };  ///< word: microcode or packet word; memory mapped only through a window, if at all
enum class Access : uint8_t { rw, ro, wo };

/// A name in the tables. Pointers would have to be relocated, thousands of them, each time the library is loaded.
template <size_t kRoom>
struct Text {
  char text[kRoom];
  constexpr operator const char*() const { return text; }
};

struct ValueName {
  uint32_t value;
  Text<40> id;
};

struct Field {
  Text<40> name;
  uint8_t high, low;
  uint16_t first_value, value_count;  ///< in Tables::values

  uint32_t max() const { return high - low == 31 ? 0xFFFFFFFFu : (1u << (high - low + 1)) - 1; }
  uint32_t extract(uint32_t raw) const { return (raw >> low) & max(); }
};

struct Entry {
  Text<40> name;
  Kind kind;
  Access access;
  int32_t offset;  ///< byte offset of element 0, or -1
  uint32_t count, stride, reset;
  uint16_t first_field, field_count;  ///< in Tables::fields
  uint8_t groups;                     ///< for registers: bits of Groups
};

struct PacketName {
  uint8_t opcode;
  const char* name;
};

struct Tables {
  std::span<const Entry> entries;
  std::span<const Field> fields;
  std::span<const ValueName> values;
  std::span<const uint16_t> index;  ///< dword address -> entry number + 1, 0 where there is none
  std::span<const PacketName> packets;

  std::span<const Field> fields_of(const Entry& e) const { return fields.subspan(e.first_field, e.field_count); }
  std::span<const ValueName> values_of(const Field& f) const { return values.subspan(f.first_value, f.value_count); }
  /// The entry at a byte offset of the register space, or null.
  const Entry* at(uint32_t offset) const;
};

/// Also generated: every chip with a row in the database has tables.
const Tables& tables(Profile profile);

/// "ZB_CNTL", "TX_FORMAT0[3]", or "0x1234" where no register is.
std::string name(const Tables& tables, uint32_t offset);
/// "ZB_CNTL = 0x00000003 {STENCIL_ENABLE=1 ENABLED ...}"; fields that are 0 are left out.
std::string describe(const Tables& tables, uint32_t offset, uint32_t value);
/// "{FIELD=1 NAME ...}" of any entry, also packet and microcode words.
std::string describe_fields(const Tables& tables, const Entry& entry, uint32_t value);
/// Name of a type-3 opcode, "unknown" when there is none.
const char* packet_name(const Tables& tables, uint8_t opcode);

/// "0x0000002C" / "0x2C" (width in digits).
std::string hex(uint64_t value, int digits = 8);

}  // namespace pumice::hw::decode
