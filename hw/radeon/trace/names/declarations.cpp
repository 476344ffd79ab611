// SPDX-License-Identifier: MIT
/// See declarations.h.
#include "hw/radeon/trace/names/declarations.h"

#include <cstring>

#include "hw/db/regs_r300.h"
#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/decode/vap/pvs_program.h"
#include "hw/radeon/trace/inspect/normal.h"

namespace pumice::hw::trace {

using compiler::CodeName;
using compiler::Stage;

namespace {

constexpr uint32_t kMostBytes = 64 << 20;  ///< of a module: far more than any has

CodeName vertex_name(const ChipState& state) {
  if (state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS()) return {};
  const vap::PvsProgram p = vap::decode_program(state);
  if (p.last < p.first || p.last >= state.pvs.size()) return {};
  const uint32_t slots = p.last - p.first + 1;
  return compiler::code_name(slots, 0, {state.pvs[p.first].data(), size_t{slots} * 4});
}

CodeName fragment_name(const ChipState& state) {
  const auto range = state.get<regs::US_CODE_RANGE>();
  const uint32_t first = range.CODE_ADDR(), slots = range.CODE_SIZE() + 1;
  if (first + slots > state.us_code.size()) return {};
  return compiler::code_name(slots, 0, {state.us_code[first].data(), size_t{slots} * 6});
}

CodeName levels_name(const ChipState& state, uint32_t alu, uint32_t tex) {
  using namespace regs::r300;
  if (alu > US_ALU_RGB_ADDR::count || tex > US_TEX_INST::count) return {};
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < alu; ++i)
    for (const uint32_t at : {US_ALU_RGB_ADDR::at(i), US_ALU_ALPHA_ADDR::at(i), US_ALU_RGB_INST::at(i), US_ALU_ALPHA_INST::at(i)})
      words.push_back(state.raw(at));
  for (uint32_t i = 0; i < tex; ++i) words.push_back(state.raw(US_TEX_INST::at(i)));
  return compiler::code_name(alu, tex, words);
}

CodeName extended_name(const DrawContext& ctx, x::Stage stage) {
  const auto p = ctx.programs ? ctx.programs->find(ctx.state, ctx.memory, stage) : x::Programs().find(ctx.state, ctx.memory, stage);
  constexpr size_t kSlot = 6;
  std::vector<uint32_t> words(p->code.size() * kSlot + p->literals.size() * 4);
  const uint64_t bytes = 4 * kSlot * p->code.size();
  if (!ctx.memory.backed(p->address, bytes) || !ctx.memory.read(p->address, words.data(), bytes)) return {};
  if (!p->literals.empty()) std::memcpy(&words[p->code.size() * kSlot], p->literals.data(), 16 * p->literals.size());
  return compiler::code_name(uint32_t(p->code.size()), uint32_t(p->literals.size()), words);
}

}  // namespace

bool Declarations::packet(std::span<const uint32_t> words) {
  ModuleLabel label;
  if (!declares_module(words)) return false;
  std::memcpy(static_cast<void*>(&label), &words[1], sizeof label);
  const std::span<const uint32_t> piece = words.subspan(1 + sizeof label / 4);
  if (label.first == 0) pieces_.clear();
  if (label.first != pieces_.size() || label.first > label.bytes || label.bytes > kMostBytes) return false;
  const size_t more = std::min<size_t>(piece.size_bytes(), label.bytes - label.first);
  const auto* bytes = reinterpret_cast<const uint8_t*>(piece.data());
  pieces_.insert(pieces_.end(), bytes, bytes + more);
  return pieces_.size() == label.bytes && whole(label.kind);
}

bool Declarations::whole(ModuleLabel::Kind kind) {
  if (kind == ModuleLabel::Kind::module) {
    std::vector<uint32_t> words(pieces_.size() / 4);
    std::memcpy(words.data(), pieces_.data(), 4 * words.size());
    const compiler::Digest digest = compiler::digest(words);
    modules_.emplace(digest, std::move(words));
    return false;
  }
  std::optional<compiler::Declared> d = compiler::read_declared(pieces_);
  if (!d) return false;
  const CodeName& fragment = d->code[size_t(Stage::fragment)];
  fragment_sizes_.insert({fragment.slots, fragment.more});
  const Names code = d->code;
  programs_.insert_or_assign(code, std::move(*d));
  return true;
}

const compiler::Declared* Declarations::find(const DrawContext& ctx, bool draw) const {
  if (programs_.empty()) return nullptr;
  const auto has = [&](const Names& names) -> const compiler::Declared* {
    const auto at = programs_.find(names);
    return at == programs_.end() ? nullptr : &at->second;
  };
  Names names;
  if (!draw) {
    names[size_t(Stage::compute)] = extended_name(ctx, x::Stage::compute);
    return has(names);
  }
  CodeName& fragment = names[size_t(Stage::fragment)];
  const bool is_extended = x::shaders(ctx.state);
  names[size_t(Stage::vertex)] = is_extended ? extended_name(ctx, x::Stage::vertex) : vertex_name(ctx.state);
  if (is_extended || ctx.state.chip().us_slots) {
    fragment = is_extended ? extended_name(ctx, x::Stage::fragment) : fragment_name(ctx.state);
    if (const auto* found = has(names)) return found;
  } else {
    for (const auto& [alu, tex] : fragment_sizes_) {
      fragment = alu ? levels_name(ctx.state, alu, tex) : CodeName();
      if (const auto* found = has(names)) return found;
    }
  }
  fragment = {};  // pipelines without a fragment shader run the driver's
  return has(names);
}

std::span<const uint32_t> Declarations::module(const compiler::Digest& digest) const {
  const auto at = modules_.find(digest);
  return at == modules_.end() ? std::span<const uint32_t>() : std::span<const uint32_t>(at->second);
}

}  // namespace pumice::hw::trace
