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

/// see(slot, address of its descriptor, its name) for each descriptor that the programs name by number, once.
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
      see(i.tex.x.op, needs.set[d.set] + 16ull * d.offset, format("set %u + %u", d.set, 16 * d.offset));
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
};
/// Push constants and buffers.
std::vector<Bytes> constant_bytes(const DrawContext& ctx, Stages stages) {
  std::vector<Bytes> out;
  const x::Resources needs = x::resources(ctx.state, stages[0]);
  if (needs.push_size) out.push_back({"push constants", needs.push, needs.push_size});
  each_descriptor(ctx, stages, [&](XOp op, uint64_t at, const std::string& name) {
    std::array<uint32_t, xt::kImageDwords> words;
    if (!is_buffer(op) || !load(ctx.memory, at, words)) return;
    const xt::BufferDescriptor b = xt::decode_buffer(std::span(words).first<xt::kBufferDwords>());
    if (b.size) out.push_back({name, b.address, b.size});
  });
  return out;
}

}  // namespace

std::shared_ptr<const x::Program> program_of(const DrawContext& ctx, x::Stage stage) {
  return ctx.programs ? ctx.programs->find(ctx.state, ctx.memory, stage) : x::Programs().find(ctx.state, ctx.memory, stage);
}

std::vector<std::string> extended_program_lines(const DrawContext& ctx, Stages stages) {
  std::vector<std::string> out;
  for (const x::Stage stage : stages) {
    const auto program = program_of(ctx, stage);
    const x::Resources needs = x::resources(ctx.state, stage);
    out.push_back(format("%s program, %zu slots, %u temps, %zu literals", name_of(stage), program->code.size(), needs.temps,
                         program->literals.size()));
    if (!program->problem.empty()) out.push_back("  cannot run: " + program->problem);
    for (size_t i = 0; i < program->code.size(); ++i) out.push_back(format("  %4zu: ", i) + compiler::us::disassemble(program->code[i]));
    for (size_t i = 0; i < program->literals.size(); ++i) out.push_back(format("  c%zu = ", i) + bits_text(program->literals[i]));
  }
  return out;
}

std::vector<std::string> extended_constant_lines(const DrawContext& ctx, Stages stages) {
  std::vector<std::string> out;
  for (const Bytes& b : constant_bytes(ctx, stages)) {
    out.push_back(format("%s, %llu bytes", b.name.c_str(), static_cast<unsigned long long>(b.size)));
    for (uint64_t at = 0; at + 4 <= std::min(b.size, kShownBytes); at += 16) {
      std::array<uint32_t, 4> row{};
      const auto dwords = size_t(std::min<uint64_t>(4, (b.size - at) / 4));
      if (!ctx.memory.backed(b.address + at, 4 * dwords)) break;
      ctx.memory.read(b.address + at, row.data(), 4 * dwords);
      out.push_back(format("  %4llu: ", static_cast<unsigned long long>(at)) + bits_text(std::span(row).first(dwords)));
    }
  }
  return out;
}

std::vector<BoundImage> bound_images(const DrawContext& ctx, Stages stages) {
  std::vector<BoundImage> out;
  each_descriptor(ctx, stages, [&](XOp op, uint64_t at, const std::string& name) {
    std::array<uint32_t, xt::kImageDwords> words;
    if (!is_image(op) || !load(ctx.memory, at, words)) return;
    const xt::Image image = xt::decode_image(words);
    if (!image.is_null()) out.push_back({name, image});
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
  for (const Bytes& b : constant_bytes(ctx, stages)) add(b.address, std::min(b.size, kComparedBytes));
  return digest.value();
}

}  // namespace pumice::hw::trace
