// SPDX-License-Identifier: MIT
/// Reads SPIR-V words into tables, see spirv.h.
#define SPV_ENABLE_UTILITY_CODE
#include "compiler/frontend/spirv.h"

#include <algorithm>

namespace pumice::compiler::frontend {
namespace {

struct OpcodeName {
  uint32_t opcode;
  const char* name;
};
constexpr OpcodeName kOpcodeNames[] = {
#include "compiler/opcode_names.inc"
};

constexpr size_t kHeaderWords = 5;

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

SpirvModule::SpirvModule(std::span<const uint32_t> words, const std::string& entry_point, spv::ExecutionModel model)
    : entry_name_(entry_point), model_(model) {
  read(words);
  if (!entry_function_) throw Unsupported{"the module has no entry point '" + entry_point + "' of this stage"};
  if (!entry_block_) throw Unsupported{"the entry point has no body"};
}

void SpirvModule::read(std::span<const uint32_t> words) {
  Id function = 0;
  Block* block = nullptr;
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) throw Unsupported{"truncated SPIR-V"};
    Inst in{.op = spv::Op(words[at] & 0xFFFF)};
    bool has_result = false, has_type = false;
    spv::HasResultAndType(in.op, &has_result, &has_type);
    size_t first = at + 1;
    if (length < 1u + has_result + has_type) throw Unsupported{"truncated SPIR-V instruction"};
    if (has_type) in.type = words[first++];
    if (has_result) in.result = words[first++];
    in.operands = words.subspan(first, at + length - first);
    at += length;
    if (in.result) defs_[in.result] = in;
    switch (in.op) {
      case spv::OpName: names_[in[0]] = literal_string(in.operands.subspan(1)); break;
      case spv::OpExtInstImport:
        if (literal_string(in.operands) == "GLSL.std.450") glsl_ = in.result;
        break;
      case spv::OpEntryPoint: {
        const std::string name = literal_string(in.operands.subspan(2));
        if (spv::ExecutionModel(in[0]) != model_ || name != entry_name_) break;
        entry_function_ = in[1];
        const auto ids = in.operands.subspan(std::min(in.size(), 2 + name.size() / 4 + 1));
        interface_.assign(ids.begin(), ids.end());
        break;
      }
      case spv::OpExecutionMode:
        if (in[0] == entry_function_) modes_.push_back(in[1]);
        break;
      case spv::OpDecorate: decorations_[{in[0], -1, in[1]}] = in.size() > 2 ? in[2] : 1; break;
      case spv::OpMemberDecorate: decorations_[{in[0], int(in[1]), in[2]}] = in.size() > 3 ? in[3] : 1; break;
      case spv::OpVariable: (function ? locals_ : variables_).push_back(in); break;
      case spv::OpSpecConstantOp: constant_operations_.push_back({spv::Op(in[0]), in.type, in.result, in.operands.subspan(1)}); break;
      case spv::OpFunction: function = in.result; break;
      case spv::OpFunctionEnd: function = 0, block = nullptr; break;
      case spv::OpLabel:
        if (function != entry_function_) break;
        block = &blocks_[in.result];
        block->label = in.result;
        if (!entry_block_) entry_block_ = in.result;
        break;
      case spv::OpPhi:
        if (block) block->phis.push_back(in);
        break;
      case spv::OpSelectionMerge:
      case spv::OpLoopMerge:
        if (block) block->merge = in;
        break;
      case spv::OpBranch:
      case spv::OpBranchConditional:
      case spv::OpSwitch:
      case spv::OpReturn:
      case spv::OpReturnValue:
      case spv::OpKill:
      case spv::OpTerminateInvocation:
      case spv::OpUnreachable:
        if (block) block->terminator = in;
        block = nullptr;
        break;
      case spv::OpLine:
      case spv::OpNoLine:
      case spv::OpNop: break;
      default:
        if (block) block->body.push_back(in);
        break;
    }
    if (in.op == spv::OpVariable && function && function != entry_function_) locals_.pop_back();
  }
}

const Inst& SpirvModule::def(Id id) const {
  const auto it = defs_.find(id);
  if (it == defs_.end()) throw Unsupported{"undefined id %" + std::to_string(id)};
  return it->second;
}

const Block& SpirvModule::block(Id label) const {
  const auto it = blocks_.find(label);
  if (it == blocks_.end()) throw Unsupported{"branch to an unknown block"};
  return it->second;
}

std::string SpirvModule::name(Id id) const {
  const auto it = names_.find(id);
  return it != names_.end() && !it->second.empty() ? "'" + it->second + "'" : "%" + std::to_string(id);
}

std::optional<uint32_t> SpirvModule::find(Id id, int member, spv::Decoration decoration) const {
  const auto it = decorations_.find({id, member, uint32_t(decoration)});
  return it != decorations_.end() ? std::optional(it->second) : std::nullopt;
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

bool SpirvModule::has_mode(spv::ExecutionMode mode) const {
  return std::find(modes_.begin(), modes_.end(), uint32_t(mode)) != modes_.end();
}

}  // namespace pumice::compiler::frontend
