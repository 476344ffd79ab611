// SPDX-License-Identifier: MIT
/// See draw.h: extended draws and dispatches (docs/r5x.md, sections 4, 7 to 9). What they read is anything, since descriptors are memory;
/// what they write are the targets and what stores and atomics name.
#include <algorithm>

#include "hw/db/formats.h"
#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/footprint/draw.h"

namespace pumice::hw::footprint {

using isa::us_r500::Instruction;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

namespace {

void add(std::vector<Use>& out, What what, uint64_t address, uint64_t bytes) {
  const Use use{what, true, {address, bytes}};
  if (bytes && std::none_of(out.begin(), out.end(), [&](const Use& u) { return u.writes && u.rows == use.rows; })) out.push_back(use);
}

/// The rows of all layers and samples of a target.
void add_target(std::vector<Use>& out, What what, const xt::Image& image, uint32_t layers) {
  const uint64_t rows = uint64_t{image.height} << image.samples_log2, row = uint64_t{image.width} * formats::info(image.format).bytes;
  for (uint32_t i = 0; i < layers; ++i)
    out.push_back({what, true, {image.base + image.layer_pitch * (image.first_layer + i), row, image.pitch, rows}});
}

/// What the stage's program stores to. A descriptor that a register chooses may be any.
void add_stores(const DrawContext& ctx, x::Stage stage, std::vector<Use>& out) {
  const std::shared_ptr<const x::Program> program =
      ctx.programs ? ctx.programs->find(ctx.state, ctx.memory, stage) : x::Programs().find(ctx.state, ctx.memory, stage);
  const x::Resources needs = x::resources(ctx.state, stage);
  for (const Instruction& i : program->code) {
    if (i.type != Type::TEXTURE || i.tex.inst != TexOp::X) continue;
    const auto& e = i.tex.x;
    const bool image = e.op == XOp::STI || e.op == XOp::ATI;
    if (!image && e.op != XOp::STB && e.op != XOp::ATB) continue;
    if (e.descriptor.indirect) {
      add(out, What::stored, 0, kEverything);
      return;
    }
    if (e.descriptor.set >= needs.set.size()) continue;  // a null descriptor
    const uint64_t at = needs.set[e.descriptor.set] + 16ull * e.descriptor.offset;
    std::array<uint32_t, xt::kImageDwords> words{};
    // A texel buffer's descriptor is half as long and may be the last of its memory.
    for (const uint64_t bytes : {uint64_t{image ? xt::kImageDwords : xt::kBufferDwords} * 4, uint64_t{xt::kBufferDwords} * 4}) {
      if (!ctx.memory.backed(at, bytes)) continue;
      ctx.memory.read(at, words.data(), bytes);
      break;
    }
    if (image) {
      const xt::Image target = xt::decode_image(words);
      add(out, What::stored, target.base, xt::extent_of(target));
    } else {
      const xt::BufferDescriptor b = xt::decode_buffer(std::span(words).first<xt::kBufferDwords>());
      add(out, What::stored, b.address, b.size);
    }
  }
}

}  // namespace

void extended_draw(const DrawContext& ctx, std::vector<Use>& out) {
  out.clear();
  out.push_back({What::anything, false, {0, kEverything}});
  const xz::DepthTarget depth = xz::decode(ctx.state);
  if (!depth.passes_all()) add_target(out, What::depth, depth.image, std::max(depth.image.layers, 1u));
  for (uint32_t i = 0; i < xb::kTargets; ++i)
    if (const xb::Target t = xb::decode(ctx.state, i); t.enabled && t.write_mask) add_target(out, What::color, t.image, t.image.layers);
  add_stores(ctx, x::Stage::vertex, out);
  add_stores(ctx, x::Stage::fragment, out);
}

void dispatch(const DrawContext& ctx, std::vector<Use>& out) {
  out.clear();
  out.push_back({What::anything, false, {0, kEverything}});
  add_stores(ctx, x::Stage::compute, out);
}

}  // namespace pumice::hw::footprint
