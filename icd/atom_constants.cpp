// SPDX-License-Identifier: MIT
/// Constant files (compiler.h, ConstantRange). Uniform data may change until the chip comes to the draw, so packets stream it from the
/// buffer into the constant port then; push constants and driver values stand in the stream.
#include <bit>
#include <cstring>

#include "icd/atoms.h"

namespace pumice::icd {
namespace {

using compiler::ConstantRange;

/// The constant port of a stage.
struct Port {
  bool vertex;
  void begin(Cs& cs, uint32_t slot) const {
    if (vertex) {
      cs.set(regs::VAP_PVS_STATE_FLUSH_REG{});
      cs.set(regs::VAP_PVS_VECTOR_INDX_REG{}.OCTWORD_OFFSET(1024 + slot));
    } else {
      cs.set(regs::GA_US_VECTOR_INDEX{}.INDEX(slot).TYPE(regs::GA_US_VECTOR_INDEX::TYPE__CONSTANTS));
    }
  }
  uint32_t data() const { return vertex ? regs::VAP_PVS_VECTOR_DATA_REG_128::offset : regs::GA_US_VECTOR_DATA::offset; }
};

void uniform_block(Cs& cs, const GfxState& g, const Port& port, const ConstantRange& r) {
  const uint32_t dwords = r.count * 4;
  uint64_t have = 0;
  hw::GpuAddress address = 0;
  const Descriptor* d = g.descriptor(r.binding);
  if (d && d->buffer && d->buffer->address) {
    const BoundSet& bound = g.sets[r.binding.set];
    const auto* layout = bound.set->find(r.binding.binding);
    uint64_t offset = d->offset;
    const size_t dynamic = layout->first_dynamic + r.binding.element;
    if (layout->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC && dynamic < bound.dynamic.size()) offset += bound.dynamic[dynamic];
    const uint64_t visible = d->buffer->bytes(offset, d->range);
    if (visible > r.offset) {
      have = (visible - r.offset) / 4;
      address = d->buffer->address + static_cast<hw::GpuAddress>(offset + r.offset);
    }
  }
  port.begin(cs, r.first_slot);
  const uint32_t loaded = have < dwords ? static_cast<uint32_t>(have) : dwords;
  if (loaded) cs.load_port(port.data(), address, loaded);
  // What lies behind the buffer's end reads as zero (robustBufferAccess).
  if (loaded < dwords) cs.port(port.data(), std::vector<uint32_t>(dwords - loaded));
}

void floats(Cs& cs, const Port& port, uint32_t slot, std::initializer_list<float> values) {
  std::vector<uint32_t> d;
  for (float v : values) d.push_back(std::bit_cast<uint32_t>(v));
  port.begin(cs, slot);
  cs.port(port.data(), d);
}

void texture_size(Cs& cs, const GfxState& g, const Port& port, const ConstantRange& r) {
  const Descriptor* d = g.descriptor(r.binding);
  if (!d || !d->view) return;
  const VkExtent3D e = d->view->image.extent(d->view->range.baseMipLevel);
  const float w = static_cast<float>(e.width), h = static_cast<float>(e.height), z = static_cast<float>(e.depth);
  if (r.count > 1)
    floats(cs, port, r.first_slot, {1 / w, 1 / h, 1 / z, 0, w, h, z, static_cast<float>(d->view->range.levelCount)});
  else
    floats(cs, port, r.first_slot, {1 / w, 1 / h, 1 / z, 0});
}

void stage(Cs& cs, const GfxState& g, const Port& port, const std::vector<ConstantRange>& ranges) {
  const auto dirty = [&](uint32_t bits) { return (g.dirty & (bits | kProgram)) != 0; };
  for (const ConstantRange& r : ranges) switch (r.source) {
      case ConstantRange::Source::uniform_block:
        if (dirty(kDescriptors | kMemory)) uniform_block(cs, g, port, r);
        break;
      case ConstantRange::Source::push_constant:
        if (dirty(kPushConstants)) {
          std::vector<uint32_t> d(r.count * 4);
          const size_t have = r.offset < g.push.size() ? std::min(g.push.size() - r.offset, d.size() * 4) : 0;
          std::memcpy(d.data(), g.push.data() + r.offset, have);
          port.begin(cs, r.first_slot);
          cs.port(port.data(), d);
        }
        break;
      case ConstantRange::Source::driver:
        if (r.parameter == ConstantRange::Parameter::viewport_transform && dirty(kViewport))
          floats(cs, port, r.first_slot, {g.viewport.maxDepth - g.viewport.minDepth, g.viewport.minDepth, 0, 0});
        if (r.parameter == ConstantRange::Parameter::texture_size && dirty(kDescriptors)) texture_size(cs, g, port, r);
        break;
      case ConstantRange::Source::immediate: break;  // with the program
    }
}

}  // namespace

void atom_constants(Cs& cs, const GfxState& g) {
  stage(cs, g, {true}, g.program->vertex.constants);
  stage(cs, g, {false}, g.program->fragment.constants);
}

void emit_draw_constants(Cs& cs, const compiler::Program& program, uint32_t instance, int32_t base_vertex) {
  for (bool vertex : {true, false})
    for (const ConstantRange& r : vertex ? program.vertex.constants : program.fragment.constants) {
      if (r.source != ConstantRange::Source::driver) continue;
      if (r.parameter == ConstantRange::Parameter::instance_index)
        floats(cs, {vertex}, r.first_slot, {static_cast<float>(instance), 0, 0, 0});
      if (r.parameter == ConstantRange::Parameter::base_vertex)
        floats(cs, {vertex}, r.first_slot, {static_cast<float>(base_vertex), 0, 0, 0});
    }
}

}  // namespace pumice::icd
