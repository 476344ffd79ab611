// SPDX-License-Identifier: MIT
/// Look-ups over the generated tables of decode.h.
#include "hw/radeon/regfile/decode.h"

#include <cstdio>

namespace pumice::hw::decode {

const Entry* Tables::at(uint32_t offset) const {
  const uint32_t dword = offset / 4;
  if (offset % 4 || dword >= index.size() || index[dword] == 0) return nullptr;
  return &entries[index[dword] - 1];
}

std::string hex(uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%0*llX", digits, static_cast<unsigned long long>(value));
  return text;
}

std::string name(const Tables& tables, uint32_t offset) {
  const Entry* e = tables.at(offset);
  if (!e) return hex(offset, 4);
  if (e->count == 1) return std::string(e->name);
  return std::string(e->name) + "[" + std::to_string((offset - static_cast<uint32_t>(e->offset)) / e->stride) + "]";
}

std::string describe_fields(const Tables& tables, const Entry& entry, uint32_t value) {
  std::string text = "{";
  for (const Field& f : tables.fields_of(entry)) {
    const uint32_t v = f.extract(value);
    if (v == 0) continue;
    if (text.size() > 1) text += ' ';
    text += std::string(f.name) + "=" + (f.high - f.low >= 12 ? hex(v, 0) : std::to_string(v));
    for (const ValueName& named : tables.values_of(f))
      if (named.value == v) {
        text += std::string(" ") + named.id.text;
        break;
      }
  }
  return text + "}";
}

std::string describe(const Tables& tables, uint32_t offset, uint32_t value) {
  std::string text = name(tables, offset) + " = " + hex(value);
  if (const Entry* e = tables.at(offset)) text += " " + describe_fields(tables, *e, value);
  return text;
}

const char* packet_name(const Tables& tables, uint8_t opcode) {
  for (const PacketName& p : tables.packets)
    if (p.opcode == opcode) return p.name;
  return "unknown";
}

}  // namespace pumice::hw::decode
