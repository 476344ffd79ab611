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
constexpr uint32_t kDebugGlobalVariable = 18, kDebugSource = 35, kDebugLine = 103, kDebugNoLine = 104;

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
  /// The same of the DebugGlobalVariable of a variable (set, DebugGlobalVariable, name, type, source, line, column, parent, name,
  /// variable).
  std::optional<Place> place(std::span<const uint32_t> in, uint32_t variable) const {
    if (!is_debug(in, kDebugGlobalVariable) || in.size() < 13 || in[12] != variable) return std::nullopt;
    const auto source = sources_.find(in[7]);
    return Place{source == sources_.end() ? 0 : source->second, number(in[8]), number(in[9])};
  }
  SourceLine line(const Place& p) const { return {text(p.file), p.line, p.column}; }
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

/// The instruction accesses the variable by name.
bool uses(std::span<const uint32_t> in, uint32_t variable) {
  switch (in[0] & 0xFFFF) {
    case spv::OpLoad:
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpArrayLength:
    case spv::OpImageTexelPointer: return in.size() > 3 && in[3] == variable;
    case spv::OpStore: return in.size() > 1 && in[1] == variable;
    case spv::OpCopyMemory: return in.size() > 2 && (in[1] == variable || in[2] == variable);
    default: return false;
  }
}

}  // namespace

std::optional<SourceLine> line_of(std::span<const uint32_t> words, size_t at) {
  Lines lines;
  std::optional<SourceLine> current, debug;  // `debug`: of a DebugGlobalVariable, which may stand before its variable or behind it
  bool found = false;
  uint32_t variable = 0, op_found = 0;
  Lines::walk(words, [&](size_t position, std::span<const uint32_t> in) {
    lines.note(in);
    const uint32_t op = in[0] & 0xFFFF;
    if (op == spv::OpLine && in.size() > 3)
      current = SourceLine{lines.text(in[1]), in[2], in[3]};
    else if (const auto place = lines.place(in))
      current = lines.line(*place);
    else if (op == spv::OpNoLine || (op == spv::OpFunctionEnd && op_found != spv::OpFunction) || lines.is_debug(in, kDebugNoLine))
      current.reset();
    if (!found) {
      found = at >= position && at < position + in.size();
      if (!found) return true;
      op_found = op;
      if (op == spv::OpVariable && in.size() > 3) variable = in[2];
      return !current && (op == spv::OpFunction || variable);
    }
    // A declaration without a line.
    if (!variable) return !current && op != spv::OpFunctionEnd;
    if (const auto place = lines.place(in, variable)) {
      debug = lines.line(*place);
      return false;
    }
    return !(current && uses(in, variable));
  });
  return debug ? debug : found ? current : std::nullopt;
}

std::string variable_at(std::span<const uint32_t> words, const uint32_t* operands) {
  // OpVariable: type, result, storage class.
  constexpr size_t kBefore = 3;
  const std::less<const uint32_t*> before;
  if (!operands || words.size() < kHeaderWords + kBefore || before(operands, words.data() + kHeaderWords + kBefore) ||
      !before(operands, words.data() + words.size()) || (operands[-3] & 0xFFFF) != spv::OpVariable)
    return "";
  std::string name;
  Lines::walk(words, [&](size_t, std::span<const uint32_t> in) {
    if ((in[0] & 0xFFFF) == spv::OpName && in.size() > 2 && in[1] == operands[-1]) name = packed_text(in.subspan(2));
    return (in[0] & 0xFFFF) != spv::OpFunction;
  });
  return name;
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
