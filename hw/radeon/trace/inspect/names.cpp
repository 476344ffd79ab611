// SPDX-License-Identifier: MIT
/// See names.h.
#include "hw/radeon/trace/inspect/names.h"

#include "hw/db/regs_r500.h"
#include "hw/radeon/draw/extended.h"

namespace pumice::hw::trace {

using isa::us_r500::Instruction;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

namespace {

constexpr uint32_t kSamplerAt = 32;  ///< docs/r5x.md, 4.1

/// Items in the order of their mention, each once.
class Remark {
 public:
  void add(const std::string& item) {
    if (!item.empty() && (", " + text_ + ",").find(", " + item + ",") == std::string::npos) text_ += (text_.empty() ? "" : ", ") + item;
  }
  void named(const char* prefix, const std::map<uint32_t, std::string>& names, uint32_t n) {
    const auto at = names.find(n);
    if (at != names.end() && !at->second.empty()) add(prefix + std::to_string(n) + " = " + at->second);
  }
  void line(const StageNames& names, uint32_t slot) {
    if (slot < names.lines.size()) add(names.lines[slot]);
  }
  std::string text() const { return text_.empty() ? "" : "  ; " + text_; }

 private:
  std::string text_;
};

void extended(const StageNames& names, const Instruction& x, Remark& out) {
  const auto& e = x.tex.x;
  switch (e.op) {
    case XOp::LDA:
    case XOp::LDV:
      if (const auto at = names.inputs.find(e.immediate); at != names.inputs.end()) out.add(at->second);
      return;
    case XOp::EXP:
      if (const auto at = names.outputs.find(e.immediate); at != names.outputs.end()) out.add(at->second);
      return;
    case XOp::LDU: return out.add(names.push.at(e.immediate));
    default: break;
  }
  const auto& op = info(e.op);
  const bool image = op.fetches || op.image;
  if (e.descriptor.indirect ||
      !(image || e.op == XOp::LDB || e.op == XOp::LDC || e.op == XOp::STB || e.op == XOp::ATB || e.op == XOp::LENB))
    return;
  const NamedBlock* block = names.descriptor(e.descriptor.set, 16 * e.descriptor.offset);
  if (block) out.add(image || e.op == XOp::LENB ? block->name : block->at(e.immediate));
}

}  // namespace

std::string NamedBlock::at(uint32_t byte) const {
  for (const NamedMember& m : members) {
    if (byte < m.offset || byte >= m.offset + m.bytes) continue;
    const std::string place = byte == m.offset || m.bytes <= 16 ? "" : " + " + std::to_string(byte - m.offset);
    return (name.empty() ? "" : name + ".") + m.name + place;
  }
  return name;
}

const NamedBlock* StageNames::descriptor(uint32_t set, uint32_t byte) const {
  for (const NamedBlock& b : descriptors) {
    if (b.set != set || byte < b.offset) continue;
    const uint32_t from = byte - b.offset, element = b.stride ? from / b.stride : 0, rest = from - element * b.stride;
    if (element < b.count && (rest == 0 || (b.is_combined && rest == kSamplerAt))) return &b;
  }
  return nullptr;
}

std::string name_remark(const std::map<uint32_t, std::string>& names, uint32_t n) {
  const auto at = names.find(n);
  return at == names.end() || at->second.empty() ? "" : "  ; " + at->second;
}

std::string slot_remark(const StageNames* names, const Instruction& x, uint32_t number) {
  if (!names) return {};
  Remark out;
  if (x.type == Type::ALU || x.type == Type::OUTPUT) {
    for (const auto* u : {&x.rgb, &x.alpha})
      for (const auto& a : u->address)
        if (a.file == isa::us_r500::Address::File::constant) out.named("c", names->constants, a.value);
    for (const auto* u : {&x.rgb, &x.alpha})
      if (x.type == Type::OUTPUT && u->output) out.named("out", names->outputs, u->target);
  } else if (x.type == Type::TEXTURE && x.tex.inst == TexOp::X) {
    extended(*names, x, out);
  } else if (x.type == Type::TEXTURE && x.tex.inst != TexOp::NOP && x.tex.inst != TexOp::TEXKILL) {
    out.named("tex", names->textures, x.tex.unit);
  }
  out.line(*names, number);
  return out.text();
}

std::string slot_remark(const StageNames* names, const compiler::pvs::Instruction& x, uint32_t number) {
  if (!names) return {};
  Remark out;
  const auto source = [&](const isa::pvs::Source& s) {
    if (s.file == regs::PVS_INST_SRC::PVS_SRC_REG_TYPE__CONSTANT) out.named("c", names->constants, s.offset);
    if (s.file == regs::PVS_INST_SRC::PVS_SRC_REG_TYPE__INPUT) out.named("i", names->inputs, s.offset);
  };
  for (size_t n = 0; n < op_info(x).sources; ++n) source(x.source[n]);
  if (x.dual_math) source(x.dual.source);
  if (x.dst_file == regs::PVS_INST_DST::PVS_DST_REG_TYPE__OUTPUT) out.named("o", names->outputs, x.dst);
  out.line(*names, number);
  return out.text();
}

}  // namespace pumice::hw::trace
