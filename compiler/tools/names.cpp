// SPDX-License-Identifier: MIT
/// Names as text, see names.h.
#include "compiler/tools/names.h"

#include <algorithm>

namespace pumice::compiler::tool {
namespace {

constexpr size_t kMostMembers = 16;  ///< of a line
constexpr size_t kWidest = 72;       ///< of the left column

/// "c2.xy", "c4..c7": where bytes of a range of constants lie.
std::string place(uint32_t slot, uint32_t first_byte, uint32_t bytes) {
  const uint32_t from = slot + first_byte / 16, to = slot + (first_byte + bytes - 1) / 16;
  std::string text = "c" + std::to_string(from);
  if (from != to) return text + "..c" + std::to_string(to);
  const uint32_t lane = first_byte % 16 / 4, lanes = std::max(1u, bytes / 4);
  return lanes >= 4 ? text : text + "." + std::string("xyzw").substr(lane, lanes);
}

}  // namespace

const NamedBlock* Names::find(const TextureBinding& b) const {
  const auto at = bindings.find({b.set, b.binding});
  return at == bindings.end() ? nullptr : &at->second;
}

std::string slots_text(const NamedBlock& block, const ConstantRange& range) {
  std::string text;
  size_t shown = 0;
  const uint32_t end = range.offset + 16 * range.count;
  for (const BlockMember& m : block.members) {
    const uint32_t from = std::max(m.offset, range.offset), to = std::min(m.offset + m.bytes, end);
    if (from >= to) continue;
    if (++shown > kMostMembers) {
      text += ", ...";
      break;
    }
    text += (text.empty() ? "" : ", ") + place(range.first_slot, from - range.offset, to - from) + " = " + m.name;
  }
  if (block.name.empty() && text.empty()) return {};
  return "  ; " + block.name + (text.empty() ? "" : block.name.empty() ? text : ": " + text);
}

std::string bytes_text(const NamedBlock& block) {
  std::string text;
  for (size_t i = 0; i < block.members.size() && i <= kMostMembers; ++i) {
    if (i) text += ", ";
    text += i == kMostMembers ? "..." : block.members[i].name + " at " + std::to_string(block.members[i].offset);
  }
  if (block.name.empty() && text.empty()) return {};
  return "  ; " + block.name + (text.empty() ? "" : block.name.empty() ? text : ": " + text);
}

std::string beside(const std::vector<std::string>& glsl, const std::string& microcode) {
  size_t width = 0;
  for (const std::string& line : glsl) width = std::max(width, std::min(line.size(), kWidest));
  std::string out;
  size_t at = 0;
  for (size_t i = 0; i < glsl.size() || at < microcode.size(); ++i) {
    const std::string left = i < glsl.size() ? glsl[i] : "";
    const size_t end = std::min(microcode.find('\n', at), microcode.size());
    const std::string right = at < microcode.size() ? microcode.substr(at, end - at) : "";
    at = end + 1;
    out += left;
    // What is wider than its column has the right one in the next line.
    if (!right.empty())
      out += (left.size() > width ? "\n" + std::string(width, ' ') : std::string(width - left.size(), ' ')) + " | " + right;
    out += "\n";
  }
  return out;
}

#ifndef PUMICE_HAVE_SPIRV_CROSS
bool names_available() { return false; }
Names names_of(std::span<const uint32_t>, const std::string&, Stage, std::string&) { return {}; }
#endif

}  // namespace pumice::compiler::tool
