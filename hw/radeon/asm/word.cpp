// SPDX-License-Identifier: MIT
/// Words and registers by their fields.
#include "hw/common/text/scanner.h"
#include "hw/radeon/asm/assembly.h"

namespace pumice::hw::assembly {

std::string word_text(const decode::Tables& tables, const decode::Entry& entry, uint32_t value) {
  std::string text = static_cast<const char*>(entry.name);
  uint32_t rest = value;
  for (const decode::Field& f : tables.fields_of(entry)) {
    const uint32_t v = f.extract(value);
    rest &= ~(f.max() << f.low);
    if (v == 0) continue;
    std::string name;
    uint32_t of_name = 0;
    for (const decode::ValueName& n : tables.values_of(f))
      if (n.value == v) name = n.id.text;
    for (const decode::ValueName& n : tables.values_of(f)) of_name += name == std::string_view(n.id);
    if (of_name != 1) name.clear();  // a name of several values is none
    text += " " + std::string(f.name) + "=" + (name.empty() ? std::to_string(v) : name);
  }
  return rest ? text + " bits=" + decode::hex(rest) : text;
}

std::optional<Profile> chip_named(std::string_view name) {
  for (size_t i = 0; i < kChips; ++i)
    if (name == kCapabilities[i].name) return static_cast<Profile>(i);
  return std::nullopt;
}

Assembled<NamedWord> word_value(const decode::Tables& tables, std::string_view line) {
  text::Scanner s(line);
  Assembled<NamedWord> out;
  s.spaces();
  const std::string_view name = s.until(" ");
  for (const decode::Entry& e : tables.entries)
    if (name == std::string_view(e.name)) out.words.entry = &e;
  if (!out.words.entry) s.fail("no word or register " + std::string(name));
  for (s.spaces(); s.ok() && !s.at_end(); s.spaces()) {
    const std::string field(s.until("= "));
    if (!s.expect("=")) break;
    if (field == "bits") {
      out.words.value |= s.number();
      continue;
    }
    const decode::Field* found = nullptr;
    for (const decode::Field& f : tables.fields_of(*out.words.entry))
      if (field == std::string_view(f.name)) found = &f;
    if (!found) {
      s.fail("no field " + field);
      break;
    }
    uint32_t value = 0;
    if (s.peek() >= '0' && s.peek() <= '9') {
      value = s.number(found->max());
    } else {
      const std::string_view id = s.until(" ");
      bool known = false;
      for (const decode::ValueName& n : tables.values_of(*found))
        if (id == std::string_view(n.id) && !id.empty()) value = n.value, known = true;
      if (!known) s.fail(field + " has no value " + std::string(id));
    }
    if (s.ok()) out.words.value = (out.words.value & ~(found->max() << found->low)) | value << found->low;
  }
  out.error = s.error();
  out.column = s.column();
  return out;
}

}  // namespace pumice::hw::assembly
