// SPDX-License-Identifier: MIT
/// See footprint.h.
#include "hw/radeon/fast/extended/footprint.h"

#include <algorithm>
#include <bit>

#include "hw/db/formats.h"
#include "hw/db/regs_r5x.h"
#include "hw/extents.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Instruction;
using isa::us_r500::Selector;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;
namespace r = regs::r5x;

namespace {

void add_once(std::vector<ByteRange>& ranges, const ByteRange& range) {
  if (range.begin < range.end && std::find(ranges.begin(), ranges.end(), range) == ranges.end()) ranges.push_back(range);
}

ByteRange range_of(const ProgramUses::Descriptor& d, const hw::x::Resources& needs) {
  if (d.at.set >= needs.set.size()) return {};  // a null descriptor
  const uint64_t at = needs.set[d.at.set] + 16ull * d.at.offset;
  return {at, at + (d.image ? xt::kImageDwords : xt::kBufferDwords) * 4};
}

ByteRange range_of(const xt::Image& image) {
  if (image.is_null()) return {};
  if (image.dim == xt::Dim::buffer || image.layers > 1) return {image.base, image.base + xt::extent_of(image)};
  // One layer: the levels of the view.
  const uint64_t base = image.base + image.layer_pitch * image.first_layer;
  const xt::Level first = xt::level_of(image, image.first_level), last = xt::level_of(image, std::max(image.first_level, image.last_level));
  return {base + first.offset, base + last.offset + last.slice_pitch * last.depth};
}

TargetUse use_of(const xt::Image& image, uint32_t layers, bool writes, Footprint& out) {
  const uint32_t bytes = formats::info(image.format).bytes;
  const uint64_t rows = uint64_t{std::min(image.height, uint32_t{kMaxExtent})} << image.samples_log2,
                 row = uint64_t{std::min(image.width, uint32_t{kMaxExtent})} * bytes;
  TargetUse u;
  u.base = image.base + image.layer_pitch * image.first_layer;
  u.layer_pitch = image.layer_pitch, u.pitch = image.pitch;
  u.bytes = static_cast<uint8_t>(bytes), u.samples_log2 = image.samples_log2;
  u.writes = writes;
  const uint64_t layer = (rows - 1) * image.pitch + row;
  u.range = {u.base, u.base + (layers - 1) * image.layer_pitch + layer};
  out.separate_targets &= (rows == 1 || row <= image.pitch) && (layers == 1 || layer <= image.layer_pitch);
  return u;
}

}  // namespace

bool TargetUse::same_pixels(const TargetUse& o) const {
  if (pitch != o.pitch || bytes != o.bytes || samples_log2 != o.samples_log2) return false;
  if (base == o.base && layer_pitch == o.layer_pitch) return true;
  const uint64_t distance = base > o.base ? base - o.base : o.base - base;
  return layer_pitch == o.layer_pitch && layer_pitch && distance % layer_pitch == 0;
}

ProgramUses::ProgramUses(const hw::x::Program& program) {
  for (const Instruction& x : program.code) {
    if (x.type != Type::TEXTURE) continue;
    if (x.tex.inst != TexOp::X) {
      strict_lookups |= info(x.tex.inst).fetches;
      continue;
    }
    const auto& e = x.tex.x;
    const auto& op = info(e.op);
    if (op.stores && !op.local && !op.scratch) stores = true;
    bool image = false, reads = true;
    switch (e.op) {
      case XOp::LDU: push = true; continue;
      case XOp::LDA: attributes |= 1u << e.immediate % r::X_VTX_ATTR_FORMAT::count; continue;
      case XOp::LDB:
      case XOp::LDC:
      case XOp::STB:
      case XOp::ATB: break;
      case XOp::LENB: reads = false; break;
      case XOp::LDI:
      case XOp::STI:
      case XOp::ATI: image = true; break;
      case XOp::QSIZE:
      case XOp::QLEVELS:
      case XOp::QLOD: image = true, reads = false; break;
      default:
        if (!op.fetches) continue;
        image = true;
        if (const Selector sampler = isa::us_r500::selector_of(e.immediate); sampler.indirect)
          indirect = true;
        else
          descriptors.push_back({sampler, false, false});
    }
    if (e.descriptor.indirect) {
      indirect = true;
      continue;
    }
    const auto known = std::find_if(descriptors.begin(), descriptors.end(),
                                    [&](const Descriptor& d) { return d.at == e.descriptor && d.image == image && d.reads == reads; });
    if (known == descriptors.end()) descriptors.push_back({e.descriptor, image, reads});
  }
}

const ProgramUses& Footprints::uses(const std::shared_ptr<const hw::x::Program>& program) {
  if (const auto found = known_.find(program.get()); found != known_.end()) return found->second.uses;
  if (known_.size() >= kMost) known_.clear();
  return known_.emplace(program.get(), Known{program, ProgramUses(*program)}).first->second.uses;
}

void Footprints::descriptors(const ChipState& state, const Programs& programs, std::vector<ByteRange>& out) {
  out.clear();
  for (const auto& [program, stage] : {std::pair{&programs.vertex, hw::x::Stage::vertex}, {&programs.fragment, hw::x::Stage::fragment}}) {
    const hw::x::Resources needs = hw::x::resources(state, stage);
    const ProgramUses& u = uses(*program);
    for (const ProgramUses::Descriptor& d : u.descriptors) add_once(out, range_of(d, needs));
    // Push constants may be part of the code of routines.
    if (u.push) add_once(out, {needs.push, needs.push + needs.push_size});
  }
}

void Footprints::add_reads(const ProgramUses& uses, const hw::x::Resources& needs, std::vector<ByteRange>& out) const {
  for (const ProgramUses::Descriptor& d : uses.descriptors) {
    const ByteRange at = range_of(d, needs);
    add_once(out, at);
    if (!d.reads) continue;
    std::array<uint32_t, xt::kImageDwords> words{};
    // If it is not backed, programs read a null descriptor; a texel buffer's may be half as long.
    for (const uint64_t bytes : {at.size(), uint64_t{xt::kBufferDwords * 4}}) {
      if (!bytes || !memory_.backed(at.begin, bytes)) continue;
      memory_.read(at.begin, words.data(), bytes);
      break;
    }
    if (d.image) {
      add_once(out, range_of(xt::decode_image(words)));
    } else {
      const xt::BufferDescriptor b = xt::decode_buffer(std::span(words).first<xt::kBufferDwords>());
      add_once(out, {b.address, b.address + b.size});
    }
  }
  if (uses.push) add_once(out, {needs.push, needs.push + needs.push_size});
}

void Footprints::bind(const ChipState& state, const Programs& programs, Footprint& f) {
  const ProgramUses &vertex = uses(programs.vertex), &fragment = uses(programs.fragment);
  f.read.clear(), f.read_early.clear();
  const hw::x::Resources needs = hw::x::resources(state, hw::x::Stage::fragment);  // both stages have the same sets and push constants
  add_reads(vertex, needs, f.read_early);
  add_reads(fragment, needs, f.read);
  for (uint32_t left = vertex.attributes; left; left &= left - 1) {
    const uint32_t b = state.get<r::X_VTX_ATTR_FORMAT>(static_cast<uint32_t>(std::countr_zero(left))).BUFFER();
    const uint64_t base = state.get<r::X_VTX_BUFFER_LO>(b).ADDRESS() | uint64_t{state.get<r::X_VTX_BUFFER_HI>(b).ADDRESS()} << 32;
    add_once(f.read_early, {base, base + state.get<r::X_VTX_BUFFER_SIZE>(b).raw});
  }
  f.tiles = f.separate_targets;
  for (const TargetUse& t : f.uses())
    for (const ByteRange& read : f.read) f.tiles &= !t.writes || !t.range.overlaps(read);
}

Footprint Footprints::of(const ChipState& state, const Programs& programs) {
  Footprint f;
  const ProgramUses &vertex = uses(programs.vertex), &fragment = uses(programs.fragment);
  f.stores = vertex.stores || fragment.stores;
  f.reads_any = fragment.indirect || fragment.strict_lookups;
  f.reads_any_early = vertex.indirect || vertex.strict_lookups;
  uint32_t most_layers = 1;
  for (uint32_t i = 0; i < xb::kTargets; ++i) {
    const xb::Target t = xb::decode(state, i);
    if (!t.enabled) continue;
    most_layers = std::max(most_layers, t.image.layers);
    f.target[f.targets++] = use_of(t.image, t.image.layers, true, f);
  }
  if (const xz::DepthTarget z = xz::decode(state); z.enabled && !z.passes_all()) {
    const bool layered = state.get<r::X_VS_CTRL>().LAYER() || state.get<r::X_DRAW_VIEW>().NUMBER();
    f.separate_targets &= !layered || f.targets;  // their layers do not map to screen positions
    f.target[f.targets++] = use_of(z.image, layered ? most_layers : 1, z.depth_write || z.stencil_test, f);
  }
  for (uint32_t i = 0; i < f.targets; ++i) {
    const TargetUse& a = f.target[i];
    f.backed &= memory_.backed(a.range.begin, a.range.size());
    for (uint32_t k = 0; k < i; ++k) f.separate_targets &= !a.range.overlaps(f.target[k].range) || a.same_pixels(f.target[k]);
  }
  bind(state, programs, f);
  return f;
}

}  // namespace pumice::hw::fast::extended
