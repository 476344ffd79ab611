// SPDX-License-Identifier: MIT
/// See extended_state.h.
#include "hw/radeon/trace/inspect/extended_state.h"

#include <algorithm>

#include "compiler/us/machine.h"
#include "hw/db/formats.h"
#include "hw/radeon/trace/format.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

using isa::us_r500::Instruction;
using isa::us_r500::Selector;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

namespace {

/// Bytes of a buffer that are shown and compared.
constexpr uint64_t kShownBytes = 256, kComparedBytes = 1 << 16;

bool is_buffer(XOp op) { return op == XOp::LDB || op == XOp::LDC || op == XOp::STB || op == XOp::ATB || op == XOp::LENB; }
bool is_image(XOp op) { return isa::us_r500::info(op).fetches || isa::us_r500::info(op).image; }

const char* name_of(x::Stage stage) { return stage == x::Stage::vertex ? "vertex" : stage == x::Stage::fragment ? "fragment" : "compute"; }

std::string name_of(const Selector& d) { return format("set %u + %u", d.set, 16 * d.offset); }

/// see(operation, address of its descriptor, the selector) for each descriptor that the programs name by number, once.
template <class F>
void each_descriptor(const DrawContext& ctx, Stages stages, F see) {
  std::vector<std::pair<Selector, bool>> known;
  for (const x::Stage stage : stages) {
    const auto program = program_of(ctx, stage);
    const x::Resources needs = x::resources(ctx.state, stage);
    for (const Instruction& i : program->code) {
      if (i.type != Type::TEXTURE || i.tex.inst != TexOp::X || (!is_buffer(i.tex.x.op) && !is_image(i.tex.x.op))) continue;
      const Selector& d = i.tex.x.descriptor;
      const std::pair key{d, is_image(i.tex.x.op)};
      if (d.indirect || d.set >= needs.set.size() || std::find(known.begin(), known.end(), key) != known.end()) continue;
      known.push_back(key);
      see(i.tex.x.op, needs.set[d.set] + 16ull * d.offset, d);
    }
  }
}

/// False: not backed.
bool load(const Memory& memory, uint64_t at, std::array<uint32_t, xt::kImageDwords>& words) {
  words = {};
  const uint64_t bytes = memory.backed(at, sizeof words) ? sizeof words : 4 * xt::kBufferDwords;
  return memory.backed(at, bytes) && memory.read(at, words.data(), bytes);
}

struct Bytes {
  std::string name;
  uint64_t address = 0, size = 0;
  NamedBlock block;
};
/// The block that one of the stages has a name for.
const NamedBlock* block_at(const ProgramNames* names, Stages stages, uint32_t set, uint32_t byte) {
  for (const x::Stage stage : stages)
    if (const NamedBlock* b = names ? (*names)[size_t(stage)].descriptor(set, byte) : nullptr) return b;
  return nullptr;
}
NamedBlock push_block(const ProgramNames* names, Stages stages) {
  NamedBlock all;
  for (const x::Stage stage : stages) {
    if (!names) break;
    const NamedBlock& b = (*names)[size_t(stage)].push;
    if (all.members.size() < b.members.size()) all = b;
  }
  return all;
}

/// "  ; scene.sun.direction, scene.sun.strength": what the 16 bytes from `at` on are called.
std::string row_remark(const NamedBlock& block, uint64_t at) {
  std::string text;
  for (const NamedMember& m : block.members) {
    const uint64_t from = std::max<uint64_t>(m.offset, at);
    if (from < std::min<uint64_t>(uint64_t{m.offset} + m.bytes, at + 16)) text += (text.empty() ? "  ; " : ", ") + block.at(uint32_t(from));
  }
  return text;
}

/// Push constants and buffers.
std::vector<Bytes> constant_bytes(const DrawContext& ctx, const ProgramNames* names, Stages stages) {
  std::vector<Bytes> out;
  const x::Resources needs = x::resources(ctx.state, stages[0]);
  if (needs.push_size) out.push_back({"push constants", needs.push, needs.push_size, push_block(names, stages)});
  each_descriptor(ctx, stages, [&](XOp op, uint64_t at, const Selector& d) {
    std::array<uint32_t, xt::kImageDwords> words;
    if (!is_buffer(op) || !load(ctx.memory, at, words)) return;
    const xt::BufferDescriptor b = xt::decode_buffer(std::span(words).first<xt::kBufferDwords>());
    const NamedBlock* block = block_at(names, stages, d.set, 16 * d.offset);
    if (b.size) out.push_back({name_of(d), b.address, b.size, block ? *block : NamedBlock()});
  });
  return out;
}

}  // namespace

std::shared_ptr<const x::Program> program_of(const DrawContext& ctx, x::Stage stage) {
  return ctx.programs ? ctx.programs->find(ctx.state, ctx.memory, stage) : x::Programs().find(ctx.state, ctx.memory, stage);
}

std::vector<std::string> extended_program_lines(const DrawContext& ctx, const ProgramNames* names, Stages stages) {
  std::vector<std::string> out;
  for (const x::Stage stage : stages) {
    const auto program = program_of(ctx, stage);
    const x::Resources needs = x::resources(ctx.state, stage);
    out.push_back(format("%s program, %zu slots, %u temps, %zu literals", name_of(stage), program->code.size(), needs.temps,
                         program->literals.size()));
    const StageNames* const called = names ? &(*names)[size_t(stage)] : nullptr;
    if (!program->problem.empty()) out.push_back("  cannot run: " + program->problem);
    for (size_t i = 0; i < program->code.size(); ++i)
      out.push_back(format("  %4zu: ", i) + compiler::us::disassemble(program->code[i]) +
                    slot_remark(called, program->code[i], uint32_t(i)));
    for (size_t i = 0; i < program->literals.size(); ++i) out.push_back(format("  c%zu = ", i) + bits_text(program->literals[i]));
  }
  return out;
}

std::vector<std::string> extended_constant_lines(const DrawContext& ctx, const ProgramNames* names, Stages stages) {
  std::vector<std::string> out;
  for (const Bytes& b : constant_bytes(ctx, names, stages)) {
    out.push_back(b.name + (b.block.name.empty() ? "" : ", " + b.block.name) +
                  format(", %llu bytes", static_cast<unsigned long long>(b.size)));
    for (uint64_t at = 0; at + 4 <= std::min(b.size, kShownBytes); at += 16) {
      std::array<uint32_t, 4> row{};
      const auto dwords = size_t(std::min<uint64_t>(4, (b.size - at) / 4));
      if (!ctx.memory.backed(b.address + at, 4 * dwords)) break;
      ctx.memory.read(b.address + at, row.data(), 4 * dwords);
      out.push_back(format("  %4llu: ", static_cast<unsigned long long>(at)) + bits_text(std::span(row).first(dwords)) +
                    row_remark(b.block, at));
    }
  }
  return out;
}

std::vector<BoundImage> bound_images(const DrawContext& ctx, const ProgramNames* names, Stages stages) {
  std::vector<BoundImage> out;
  each_descriptor(ctx, stages, [&](XOp op, uint64_t at, const Selector& d) {
    std::array<uint32_t, xt::kImageDwords> words;
    if (!is_image(op) || !load(ctx.memory, at, words)) return;
    const xt::Image image = xt::decode_image(words);
    const NamedBlock* block = block_at(names, stages, d.set, 16 * d.offset);
    if (!image.is_null()) out.push_back({name_of(d) + (block && !block->name.empty() ? ", " + block->name : ""), image});
  });
  return out;
}

uint64_t extended_digest(const DrawContext& ctx) {
  const Stages stages = kDrawStages;
  Digest digest;
  const auto add = [&](uint64_t address, uint64_t size) {
    std::vector<std::byte> bytes(size);
    if (ctx.memory.backed(address, size) && ctx.memory.read(address, bytes.data(), size)) digest.add(bytes.data(), size);
  };
  for (const x::Stage stage : stages) {
    const auto program = program_of(ctx, stage);
    add(program->address, program->code.size() * sizeof(isa::us_r500::Words));
    digest.add(program->literals.data(), program->literals.size() * sizeof(x::Bits4));
  }
  for (const Bytes& b : constant_bytes(ctx, nullptr, stages)) add(b.address, std::min(b.size, kComparedBytes));
  return digest.value();
}

}  // namespace pumice::hw::trace
