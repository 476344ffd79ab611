// SPDX-License-Identifier: MIT
/// See slot_lines.h.
#include "compiler/isa/slot_lines.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/lines.h"

namespace pumice::compiler::isa {

std::vector<std::string> slot_lines(const Vec<SlotPlace>& places, std::span<const uint32_t> words) {
  std::unordered_map<const uint32_t*, std::string> known;  // finding a line walks over the module
  const auto text = [&](const uint32_t* at) -> const std::string& {
    const auto [entry, fresh] = known.try_emplace(at);
    if (const auto line = fresh ? line_at(words, at) : std::nullopt) entry->second = line->file + ":" + std::to_string(line->line);
    return entry->second;
  };
  std::vector<std::string> out;
  for (const auto& [first, second] : places) {
    const std::string &a = text(first), &b = text(second);
    out.push_back(a.empty() || a == b ? b : b.empty() ? a : a + ", " + b);
  }
  return out;
}

std::string with_lines(const std::string& listing, const std::vector<std::string>& lines) {
  std::string out;
  size_t slot = 0;
  for (size_t at = 0; at < listing.size();) {
    const size_t end = std::min(listing.find('\n', at), listing.size());
    out += listing.substr(at, end - at);
    if (end > at && listing[at] != ';' && slot < lines.size()) {
      if (!lines[slot].empty()) out += "  ; " + lines[slot];
      ++slot;
    }
    at = end + 1;
    out += "\n";
  }
  return out;
}

}  // namespace pumice::compiler::isa
