// SPDX-License-Identifier: MIT
/// Reads SPIR-V words into tables, see spirv.h.
#define SPV_ENABLE_UTILITY_CODE
#include "compiler/frontend/spirv.h"

#include <algorithm>
#include <cstring>

namespace pumice::compiler::frontend {
namespace {

struct OpcodeName {
  uint32_t opcode;
  char name[72];  ///< a pointer would be a relocation each time the library is loaded
};
constexpr OpcodeName kOpcodeNames[] = {
#include "compiler/opcode_names.inc"
};

constexpr size_t kHeaderWords = 5;
constexpr uint32_t kMaxBound = 0x3FFFFF + 1;  // SPIR-V 2.17, universal limits
constexpr uint8_t kMaxTypeDepth = 64;         // protects the stack

[[noreturn]] void malformed(const Inst& in, const char* what) {
  throw Unsupported{"the SPIR-V is not valid: " + opcode_name(in.op) + " %" + std::to_string(in.result) + ": " + what};
}

bool is_type(spv::Op op) { return op >= spv::OpTypeVoid && op <= spv::OpTypePipe; }
bool is_scalar_type(spv::Op op) { return op == spv::OpTypeBool || op == spv::OpTypeInt || op == spv::OpTypeFloat; }
bool ends_block(spv::Op op) {
  switch (op) {
    case spv::OpBranch:
    case spv::OpBranchConditional:
    case spv::OpSwitch:
    case spv::OpReturn:
    case spv::OpReturnValue:
    case spv::OpKill:
    case spv::OpTerminateInvocation:
    case spv::OpUnreachable: return true;
    default: return false;
  }
}

}  // namespace

std::string opcode_name(uint32_t opcode) {
  const auto* it = std::lower_bound(std::begin(kOpcodeNames), std::end(kOpcodeNames), opcode,
                                    [](const OpcodeName& n, uint32_t o) { return n.opcode < o; });
  return it != std::end(kOpcodeNames) && it->opcode == opcode ? it->name : "opcode " + std::to_string(opcode);
}

std::string literal_string(std::span<const uint32_t> words) {
  std::string text;
  for (uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = char(word >> shift & 0xFF);
      if (!c) return text;
      text += c;
    }
  }
  return text;
}

SpirvModule::SpirvModule(std::span<const uint32_t> words, const std::string& entry_point, spv::ExecutionModel model,
                         const std::vector<Specialization>& specializations)
    : entry_name_(entry_point), model_(model), specializations_(specializations) {
  read(words);
  sort_decorations();
  read_functions();
  if (!entry_function_) throw Unsupported{"the module has no entry point '" + entry_point + "' of this stage"};
  if (function(entry_function_).labels.empty()) throw Unsupported{"the entry point has no body"};
}

void SpirvModule::define(const Inst& in) {
  if (!in.result) return;
  if (in.result >= index_.size()) malformed(in, "an id beyond the bound");
  if (index_[in.result]) malformed(in, "an id defined twice");
  defs_.push_back(in);
  index_[in.result] = uint32_t(defs_.size());
}

void SpirvModule::read(std::span<const uint32_t> words) {
  if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) throw Unsupported{"these words are not SPIR-V"};
  bound_ = words[3];
  if (bound_ > kMaxBound) throw Unsupported{"the SPIR-V is not valid: a bound of " + std::to_string(bound_) + " ids"};
  index_.resize(bound_);
  defs_.reserve(std::min<size_t>(bound_, words.size() / 2));
  code_.reserve(words.size() / 4);
  bool in_functions = false;
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) throw Unsupported{"truncated SPIR-V"};
    Inst in{.op = spv::Op(words[at] & 0xFFFF)};
    bool has_result = false, has_type = false;
    spv::HasResultAndType(in.op, &has_result, &has_type);
    size_t first = at + 1;
    if (length < 1u + has_result + has_type) throw Unsupported{"truncated SPIR-V instruction"};
    if (has_type) in.type = words[first++];
    if (has_result && !(in.result = words[first++])) malformed(in, "id 0");
    in.operands = words.subspan(first, at + length - first);
    at += length;
    in_functions |= in.op == spv::OpFunction;
    if (in_functions) {
      if (in.op == spv::OpLine || in.op == spv::OpNoLine || in.op == spv::OpNop) continue;
      define(in);
      code_.push_back(in);
    } else if (declaration(in)) {
      define(in);
    }
  }
}

void SpirvModule::sort_decorations() {
  if (sorted_) return;
  if (!std::is_sorted(decorations_.begin(), decorations_.end())) std::stable_sort(decorations_.begin(), decorations_.end());
  decorated_.assign(bound_, 0);
  for (const Decoration& d : decorations_)
    if (d.id < bound_) decorated_[d.id] |= uint64_t{1} << (d.decoration & 63);
  sorted_ = true;
}

/// What stands before the functions. False: the instruction has been defined, or has no result.
bool SpirvModule::declaration(Inst& in) {
  switch (in.op) {
    case spv::OpName: names_.push_back({in[0], in.operands.subspan(1)}); return false;
    case spv::OpExtInstImport:
      if (literal_string(in.operands) == "GLSL.std.450") glsl_ = in.result;
      return true;
    case spv::OpMemoryModel: has_addresses_ = in[0] == uint32_t(spv::AddressingModelPhysicalStorageBuffer64); return false;
    case spv::OpTypeForwardPointer: forward_.insert(in[0]); return false;
    case spv::OpEntryPoint: {
      in[1];
      const std::string name = literal_string(in.operands.subspan(2));
      if (in.as<spv::ExecutionModel>(0) != model_ || name != entry_name_) return false;
      entry_function_ = in[1];
      const auto ids = in.operands.subspan(std::min(in.size(), 2 + name.size() / 4 + 1));
      interface_.assign(ids.begin(), ids.end());
      return false;
    }
    case spv::OpExecutionMode:
    case spv::OpExecutionModeId:
      if (in[0] == entry_function_) modes_.push_back(Inst{.op = in.op, .operands = in.operands.subspan(1)});
      return false;
    case spv::OpDecorate:
      decorations_.push_back({in[0], -1, in[1], in.size() > 2 ? in[2] : 1});
      sorted_ = false;
      return false;
    case spv::OpMemberDecorate:
      decorations_.push_back({in[0], int(in[1] & 0x7FFFFFFF), in[2], in.size() > 3 ? in[3] : 1});
      sorted_ = false;
      return false;
    case spv::OpGroupDecorate:
    case spv::OpGroupMemberDecorate: group_decorate(in); return false;
    case spv::OpVariable:
      in[0];
      if (!known(in.type) || def(in.type).op != spv::OpTypePointer) malformed(in, "its type is not a pointer");
      if (in.size() > 1 && !known(in[1])) malformed(in, "its initializer is not known");
      variables_.push_back(in);
      return true;
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
      sort_decorations();
      specialize(in);
      check_constant(in);
      return true;
    case spv::OpSpecConstantComposite:
      in.op = spv::OpConstantComposite;
      check_constant(in);
      return true;
    case spv::OpConstantTrue:
    case spv::OpConstantFalse:
    case spv::OpConstant:
    case spv::OpConstantComposite:
    case spv::OpConstantNull:
    case spv::OpUndef: check_constant(in); return true;
    case spv::OpSpecConstantOp: constant_operation(in); return false;
    default:
      if (is_type(in.op)) check_type(in);
      return true;
  }
}

/// The decorations of the group, which stand before it, become those of its targets.
void SpirvModule::group_decorate(const Inst& in) {
  const bool members = in.op == spv::OpGroupMemberDecorate;
  const size_t count = decorations_.size();
  for (size_t i = 1; i < in.size(); i += members ? 2 : 1)
    for (size_t d = 0; d < count; ++d)
      if (decorations_[d].id == in[0] && decorations_[d].member < 0)
        decorations_.push_back({in[i], members ? int(in[i + 1] & 0x7FFFFFFF) : -1, decorations_[d].decoration, decorations_[d].value});
  sorted_ = false;
}

/// Types are made of types defined before, so that nothing that walks them goes in circles.
void SpirvModule::check_type(const Inst& in) {
  auto part = [&](size_t i) -> const Inst& {
    if (!known(in[i])) malformed(in, "made of an id that is not known yet");
    const Inst& t = def(in[i]);
    if (!is_type(t.op) || t.op == spv::OpTypeVoid || t.op == spv::OpTypeFunction) malformed(in, "made of something that is not a type");
    return t;
  };
  auto nests = [&](size_t i) { return in[i] < bound_ && index_[in[i]] <= depth_.size() ? depth_[index_[in[i]] - 1] : uint8_t(0); };
  uint8_t depth = 0;
  switch (in.op) {
    case spv::OpTypeInt: in[1]; break;
    case spv::OpTypeFloat: has_halves_ |= in[0] == 16; break;
    case spv::OpTypeVector:
      if (!is_scalar_type(part(0).op)) malformed(in, "its component is not a scalar");
      if (in[1] < 2 || in[1] > 4) malformed(in, "not 2 to 4 components");
      break;
    case spv::OpTypeMatrix:
      if (part(0).op != spv::OpTypeVector) malformed(in, "its column is not a vector");
      if (in[1] < 2 || in[1] > 4) malformed(in, "not 2 to 4 columns");
      depth = 1;
      break;
    case spv::OpTypeArray:
      part(0);
      if (!known(in[1])) malformed(in, "its length is not known");
      depth = uint8_t(nests(0) + 1);
      break;
    case spv::OpTypeRuntimeArray:
    case spv::OpTypeSampledImage:
      part(0);
      depth = uint8_t(nests(0) + 1);
      break;
    case spv::OpTypeStruct:
      for (size_t i = 0; i < in.size(); ++i)
        if (known(in[i]) || !forward_.count(in[i])) part(i), depth = std::max(depth, uint8_t(nests(i) + 1));
      break;
    case spv::OpTypePointer:
      part(1);
      depth = uint8_t(nests(1) + 1);
      break;
    case spv::OpTypeImage:
      if (def(in[0]).op != spv::OpTypeVoid) part(0);
      in[6];
      break;
    default: break;
  }
  if (depth > kMaxTypeDepth) throw Unsupported{"types nested deeper than " + std::to_string(kMaxTypeDepth) + " levels"};
  depth_.resize(defs_.size() + 1);
  depth_.back() = depth;
}

void SpirvModule::check_constant(const Inst& in) const {
  if (!known(in.type) || !is_type(def(in.type).op)) malformed(in, "its type is not known");
  const Inst& type = def(in.type);
  switch (in.op) {
    case spv::OpConstantTrue:
    case spv::OpConstantFalse:
      if (type.op != spv::OpTypeBool) malformed(in, "its type is not boolean");
      break;
    case spv::OpConstant:
      if (type.op != spv::OpTypeInt && type.op != spv::OpTypeFloat) malformed(in, "its type is not a number");
      in[type[0] > 32 ? 1 : 0];
      break;
    case spv::OpConstantComposite: {
      size_t count = type.size();
      if (type.op == spv::OpTypeVector || type.op == spv::OpTypeMatrix)
        count = type[1];
      else if (type.op == spv::OpTypeArray)
        count = constant_u32(type[1]);
      else if (type.op != spv::OpTypeStruct)
        malformed(in, "its type has no parts");
      if (in.size() != count) malformed(in, "not as many parts as its type");
      // Integers of the other signedness are not valid, but some modules have them and every driver takes them.
      const auto same = [&](Id a, Id b) {
        const Inst &x = def(a), &y = def(b);
        return a == b || (x.op == spv::OpTypeInt && y.op == spv::OpTypeInt && x[0] == y[0]);
      };
      for (size_t i = 0; i < count; ++i)
        if (!known(in[i]) || !is_constant(in[i]) || !same(def(in[i]).type, type.op == spv::OpTypeStruct ? type[i] : type[0]))
          malformed(in, "a part that is no constant of the part's type");
      break;
    }
    default: break;
  }
}

void SpirvModule::specialize(Inst& in) {
  const auto id = decoration(in.result, spv::DecorationSpecId);
  const bool number = in.op == spv::OpSpecConstant;
  if (number) in[0];
  const Specialization* given = nullptr;
  for (const Specialization& s : specializations_)
    if (id && s.constant_id == *id) given = &s;
  if (given) {
    std::array<uint32_t, 4> words{};
    std::memcpy(words.data(), given->bytes.data(), std::min(given->bytes.size(), sizeof words));
    if (const Inst& t = def(in.type); number && t.op == spv::OpTypeInt && (t[0] == 8 || t[0] == 16) && t[1]) {
      // Fewer bits come as fewer bytes; constants of the module are extended by their sign.
      const unsigned unused = 32 - t[0];
      words[0] = uint32_t(int32_t(words[0] << unused) >> unused);
    }
    own_words_.push_back(words);
    if (number)
      in.operands = std::span(own_words_.back()).first(std::min<size_t>(in.size(), 4));
    else
      in.op = words[0] ? spv::OpSpecConstantTrue : spv::OpSpecConstantFalse;
  }
  in.op = number ? spv::OpConstant : in.op == spv::OpSpecConstantTrue ? spv::OpConstantTrue : spv::OpConstantFalse;
}

/// Cuts code_, which stays as it is from here on, into functions and blocks.
void SpirvModule::read_functions() {
  block_of_.resize(defs_.size());
  function_of_.resize(defs_.size());
  Function* function = nullptr;
  for (size_t at = 0; at < code_.size(); ++at) {
    const Inst& in = code_[at];
    switch (in.op) {
      case spv::OpFunction:
        function = &functions_.emplace_back();
        function->inst = in;
        function_of_[index(in.result)] = uint32_t(functions_.size());
        break;
      case spv::OpFunctionParameter:
        if (function) function->parameters.push_back(in);
        break;
      case spv::OpFunctionEnd: function = nullptr; break;
      case spv::OpLabel: {
        if (!function) malformed(in, "a block outside of functions");
        Block& block = blocks_.emplace_back();
        block.label = in.result;
        block_of_[index(in.result)] = uint32_t(blocks_.size());
        function->labels.push_back(in.result);
        const std::span<const Inst> code(code_);
        size_t i = at + 1;
        while (i < code.size() && code[i].op == spv::OpPhi) ++i;
        block.phis = code.subspan(at + 1, i - at - 1);
        const size_t body = i;
        size_t end = i;  // of the body
        for (; i < code.size(); ++i) {
          const spv::Op op = code[i].op;
          if (op == spv::OpLabel || op == spv::OpFunction || op == spv::OpFunctionEnd) malformed(in, "a block without an end");
          if (op == spv::OpVariable) {
            if (!known(code[i].type) || def(code[i].type).op != spv::OpTypePointer) malformed(code[i], "its type is not a pointer");
            function->variables.push_back(code[i]);
          }
          if (op == spv::OpSelectionMerge || op == spv::OpLoopMerge) {
            block.merge = &code[i];
          } else if (ends_block(op)) {
            break;
          } else {
            if (block.merge || op == spv::OpPhi) malformed(code[i], "out of place in its block");
            end = i + 1;
          }
        }
        if (i == code.size()) malformed(in, "a block without an end");
        block.body = code.subspan(body, end - body);
        block.terminator = code[i];
        at = i;
        break;
      }
      default: break;
    }
  }
}

void SpirvModule::undefined(Id id) { throw Unsupported{"undefined id %" + std::to_string(id)}; }

const Block& SpirvModule::block(Id label) const {
  if (!known(label) || !block_of_[index(label)]) throw Unsupported{"branch to an unknown block"};
  return blocks_[block_of_[index(label)] - 1];
}

const Function& SpirvModule::function(Id id) const {
  if (!known(id) || !function_of_[index(id)]) throw Unsupported{"call of an unknown function"};
  return functions_[function_of_[index(id)] - 1];
}

std::string SpirvModule::name(Id id) const {
  for (const auto& [named, words] : names_) {
    if (named != id) continue;
    if (const std::string text = literal_string(words); !text.empty()) return "'" + text + "'";
  }
  return "%" + std::to_string(id);
}

std::optional<uint32_t> SpirvModule::find(Id id, int member, spv::Decoration decoration) const {
  // Nearly all that is looked for is not there.
  if (id >= decorated_.size() || !(decorated_[id] >> (unsigned(decoration) & 63) & 1)) return std::nullopt;
  const Decoration wanted{id, member, decoration, 0};
  const auto it = std::upper_bound(decorations_.begin(), decorations_.end(), wanted);  // the last one counts
  return it != decorations_.begin() && !(*(it - 1) < wanted) ? std::optional((it - 1)->value) : std::nullopt;
}

bool SpirvModule::is_constant(Id id) const {
  switch (def(id).op) {
    case spv::OpConstant:
    case spv::OpConstantTrue:
    case spv::OpConstantFalse:
    case spv::OpConstantNull:
    case spv::OpConstantComposite:
    case spv::OpUndef: return true;
    default: return false;
  }
}

uint32_t SpirvModule::constant_u32(Id id) const {
  const Inst& in = def(id);
  if (in.op == spv::OpConstantNull) return 0;
  if (in.op != spv::OpConstant) throw Unsupported{"a constant integer is needed where " + name(id) + " stands"};
  return in[0];
}

std::optional<uint32_t> SpirvModule::decided(Id id) const {
  switch (def(id).op) {
    case spv::OpConstant: return def(id)[0];
    case spv::OpConstantTrue: return 1;
    case spv::OpConstantFalse:
    case spv::OpConstantNull:
    case spv::OpUndef: return 0;
    default: return std::nullopt;
  }
}

const Inst* SpirvModule::mode(spv::ExecutionMode mode) const {
  const auto* at = std::find_if(modes_.begin(), modes_.end(), [&](const Inst& in) { return in[0] == uint32_t(mode); });
  return at == modes_.end() ? nullptr : at;
}

std::optional<Id> SpirvModule::constant_builtin(spv::BuiltIn builtin) const {
  for (const Decoration& d : decorations_)
    if (d.member < 0 && d.decoration == spv::DecorationBuiltIn && d.value == uint32_t(builtin) && known(d.id) && is_constant(d.id))
      return d.id;
  return std::nullopt;
}

}  // namespace pumice::compiler::frontend
