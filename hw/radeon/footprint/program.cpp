// SPDX-License-Identifier: MIT
/// See program.h.
#include "hw/radeon/footprint/program.h"

#include <algorithm>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/footprint/own_pixel.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::footprint {

using isa::us_r500::Instruction;
using isa::us_r500::Selector;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

namespace {

ByteRange range_of(const xt::Image& image, bool whole) {
  if (image.is_null()) return {};
  if (whole || image.dim == xt::Dim::buffer || image.layers > 1) return {image.base, image.base + xt::extent_of(image)};
  // One layer: the levels of the view.
  const uint64_t base = image.base + image.layer_pitch * image.first_layer;
  const xt::Level first = xt::level_of(image, image.first_level), last = xt::level_of(image, std::max(image.first_level, image.last_level));
  return {base + first.offset, base + last.offset + last.slice_pitch * last.depth};
}

}  // namespace

ProgramUses::ProgramUses(const x::Program& program) {
  const std::vector<bool> own = own_pixel_fetches(program.code);
  for (size_t slot = 0; slot < program.code.size(); ++slot) {
    const Instruction& instruction = program.code[slot];
    if (instruction.type != Type::TEXTURE) continue;
    if (instruction.tex.inst != TexOp::X) {
      strict_lookups |= info(instruction.tex.inst).fetches;
      continue;
    }
    const auto& e = instruction.tex.x;
    const auto& op = info(e.op);
    Descriptor use{.at = e.descriptor, .stores = op.stores && !op.local && !op.scratch, .own_pixel = own[slot]};
    stores |= use.stores;
    switch (e.op) {
      case XOp::LDU: push = true; continue;
      case XOp::LDA: attributes |= 1u << e.immediate % regs::r5x::X_VTX_ATTR_FORMAT::count; continue;
      case XOp::LDB:
      case XOp::LDC:
      case XOp::STB:
      case XOp::ATB: break;
      case XOp::LENB: use.reads = false; break;
      case XOp::LDI:
      case XOp::STI:
      case XOp::ATI: use.image = true; break;
      case XOp::QSIZE:
      case XOp::QLEVELS:
      case XOp::QLOD: use.image = true, use.reads = false; break;
      default:
        if (!op.fetches) continue;
        use.image = true;
        if (const Selector sampler = isa::us_r500::selector_of(e.immediate); sampler.indirect)
          indirect = true;
        else
          descriptors.push_back({.at = sampler, .reads = false});
    }
    if (e.descriptor.indirect || e.descriptor.set == x::kWholeMemory) {
      indirect = true, indirect_stores |= use.stores;
      continue;
    }
    const auto known = std::find_if(descriptors.begin(), descriptors.end(), [&](const Descriptor& d) {
      return d.at == use.at && d.image == use.image && d.reads == use.reads && d.stores == use.stores && d.own_pixel == use.own_pixel;
    });
    if (known == descriptors.end()) descriptors.push_back(use);
  }
  if (indirect) sets = ~0u;
  for (const Descriptor& d : descriptors) sets |= 1u << d.at.set % 32;
}

ByteRange descriptor_range(const ProgramUses::Descriptor& d, const x::Resources& needs) {
  if (d.at.set >= needs.set.size()) return {};
  const uint64_t at = needs.set[d.at.set] + 16ull * d.at.offset;
  return {at, at + (d.image ? xt::kImageDwords : xt::kBufferDwords) * 4};
}

namespace {

/// Zeroes where it is not backed.
std::array<uint32_t, xt::kImageDwords> words_of(const ProgramUses::Descriptor& d, const x::Resources& needs, const Memory& memory) {
  const ByteRange at = descriptor_range(d, needs);
  std::array<uint32_t, xt::kImageDwords> words{};
  // A texel buffer's descriptor is half as long and may be the last of its memory.
  for (const uint64_t bytes : {at.size(), uint64_t{xt::kBufferDwords * 4}}) {
    if (!bytes || !memory.backed(at.begin, bytes)) continue;
    memory.read(at.begin, words.data(), bytes);
    break;
  }
  return words;
}

}  // namespace

xt::Image described_image(const ProgramUses::Descriptor& d, const x::Resources& needs, const Memory& memory) {
  return xt::decode_image(words_of(d, needs, memory));
}

ByteRange described_range(const ProgramUses::Descriptor& d, const x::Resources& needs, const Memory& memory, bool whole) {
  const std::array<uint32_t, xt::kImageDwords> words = words_of(d, needs, memory);
  if (d.image) return range_of(xt::decode_image(words), whole);
  const xt::BufferDescriptor b = xt::decode_buffer(std::span(words).first<xt::kBufferDwords>());
  return {b.address, b.address + b.size};
}

}  // namespace pumice::hw::footprint
