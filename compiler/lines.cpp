// SPDX-License-Identifier: MIT
/// See lines.h. Reads the words alone: refused modules may be broken ones. Part of the compiler and of the legalizer.
#include "compiler/lines.h"

#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "spirv/unified1/spirv.hpp"

namespace pumice::compiler {
namespace {

constexpr size_t kHeaderWords = 5;
// NonSemantic.Shader.DebugInfo.100
constexpr uint32_t kDebugSource = 35, kDebugLine = 103, kDebugNoLine = 104;

/// The NUL-terminated string packed in the words.
std::string packed_text(std::span<const uint32_t> words) {
  std::string text;
  for (const uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(word >> shift & 0xFF);
      if (!c) return text;
      text += c;
    }
  return text;
}

/// Everything that lines are made of.
class Lines {
 public:
  /// Calls each(position, instruction) for every instruction up to the first that is cut off. False from it ends the walk.
  template <class Each>
  static void walk(std::span<const uint32_t> words, Each each) {
    for (size_t at = kHeaderWords; at < words.size();) {
      const uint32_t length = words[at] >> 16;
      if (length == 0 || length > words.size() - at || !each(at, words.subspan(at, length))) return;
      at += length;
    }
  }

  void note(std::span<const uint32_t> in) {
    switch (in[0] & 0xFFFF) {
      case spv::OpString:
        if (in.size() > 2) strings_[in[1]] = packed_text(in.subspan(2));
        break;
      case spv::OpExtInstImport:
        if (in.size() > 2 && packed_text(in.subspan(2)).starts_with("NonSemantic.Shader.DebugInfo.")) debug_ = in[1];
        break;
      case spv::OpConstant:
        if (in.size() == 4) numbers_[in[2]] = in[3];
        break;
      case spv::OpExtInst:
        if (is_debug(in, kDebugSource) && in.size() > 5) sources_[in[2]] = in[5];
        break;
      default: break;
    }
  }
  bool is_debug(std::span<const uint32_t> in, uint32_t instruction) const {
    return debug_ && (in[0] & 0xFFFF) == spv::OpExtInst && in.size() > 4 && in[3] == debug_ && in[4] == instruction;
  }
  /// Id of the file's string, line and column of a DebugLine (set, DebugLine, source, first line, last line, first column, last column).
  struct Place {
    uint32_t file, line, column;
  };
  std::optional<Place> place(std::span<const uint32_t> in) const {
    if (!is_debug(in, kDebugLine) || in.size() < 9) return std::nullopt;
    const auto source = sources_.find(in[5]);
    return Place{source == sources_.end() ? 0 : source->second, number(in[6]), number(in[8])};
  }
  std::string text(uint32_t id) const {
    const auto found = strings_.find(id);
    return found == strings_.end() ? std::string() : found->second;
  }

 private:
  uint32_t number(uint32_t id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? 0 : found->second;
  }
  uint32_t debug_ = 0;  ///< the instruction set's id
  std::unordered_map<uint32_t, std::string> strings_;
  std::unordered_map<uint32_t, uint32_t> numbers_, sources_;
};

}  // namespace

std::optional<SourceLine> line_of(std::span<const uint32_t> words, size_t at) {
  Lines lines;
  std::optional<SourceLine> current;
  bool found = false;
  Lines::walk(words, [&](size_t position, std::span<const uint32_t> in) {
    lines.note(in);
    const uint32_t op = in[0] & 0xFFFF;
    if (op == spv::OpLine && in.size() > 3)
      current = SourceLine{lines.text(in[1]), in[2], in[3]};
    else if (const auto place = lines.place(in))
      current = SourceLine{lines.text(place->file), place->line, place->column};
    else if (op == spv::OpNoLine || op == spv::OpFunctionEnd || lines.is_debug(in, kDebugNoLine))
      current.reset();
    return !(found = at >= position && at < position + in.size());
  });
  return found ? current : std::nullopt;
}

std::optional<SourceLine> line_at(std::span<const uint32_t> words, const uint32_t* operands) {
  const std::less<const uint32_t*> before;
  if (!operands || words.empty() || !before(words.data(), operands) || before(words.data() + words.size(), operands)) return std::nullopt;
  // The operands are inside of the instruction or, when it has none, behind it.
  return line_of(words, static_cast<size_t>(operands - words.data()) - 1);
}

std::vector<uint32_t> with_op_lines(std::span<const uint32_t> words) {
  Lines lines;
  std::unordered_set<uint32_t> sets, gone;  // instruction sets; ids that are left out
  Lines::walk(words, [&](size_t, std::span<const uint32_t> in) {
    const uint32_t op = in[0] & 0xFFFF;
    if (op == spv::OpExtInstImport && in.size() > 2 && packed_text(in.subspan(2)).starts_with("NonSemantic."))
      sets.insert(in[1]), gone.insert(in[1]);
    if (op == spv::OpExtInst && in.size() > 4 && sets.count(in[3])) gone.insert(in[2]);
    return true;
  });
  if (sets.empty()) return {};
  std::vector<uint32_t> out(words.begin(), words.begin() + kHeaderWords);
  Lines::walk(words, [&](size_t, std::span<const uint32_t> in) {
    lines.note(in);
    const uint32_t op = in[0] & 0xFFFF;
    const auto is_gone = [&](size_t word) { return in.size() > word && gone.count(in[word]) != 0; };
    if (const auto place = lines.place(in); place && !lines.text(place->file).empty())
      out.insert(out.end(), {4u << 16 | spv::OpLine, place->file, place->line, place->column});
    else if (!(op == spv::OpExtInst && is_gone(2)) && !((op == spv::OpExtInstImport || op == spv::OpName) && is_gone(1)))
      out.insert(out.end(), in.begin(), in.end());
    return true;
  });
  return out;
}

}  // namespace pumice::compiler
