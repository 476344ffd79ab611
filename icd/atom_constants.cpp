// SPDX-License-Identifier: MIT
/// Constant files (compiler.h, ConstantRange). Uniform data may change until the chip comes to the draw, so packets stream it from the
/// buffer into the constant port then; push constants and driver values stand in the stream. Integers become floats on the way, which no
/// packet can do: those of buffers by a host step when the chip has come to the draw (docs/decisions.md). So do the fragment constants of
/// the R3xx, which have 24 bits.
#include <algorithm>
#include <bit>
#include <cstring>

#include "icd/atoms.h"

namespace pumice::icd {
namespace {

using compiler::ConstantRange;

constexpr uint32_t kMostConstants = std::max(hw::most::us_constants, hw::most::pvs_constants);  ///< per stage
/// The constant upload port of one stage.
struct Port {
  bool vertex;
  void begin(Cs& cs, uint32_t slot) const {
    if (vertex) {
      cs.set(regs::VAP_PVS_STATE_FLUSH_REG{});
      cs.set(regs::VAP_PVS_VECTOR_INDX_REG{}.OCTWORD_OFFSET(cs.chip().pvs_constant_base + slot));
    } else {
      cs.set(regs::GA_US_VECTOR_INDEX{}.INDEX(slot).TYPE(regs::GA_US_VECTOR_INDEX::TYPE__CONSTANTS));
    }
  }
  /// Fragment constants of the R3xx are registers with 24 bits each: nothing streams floats into them.
  bool narrow(const Cs& cs) const { return !vertex && cs.chip().us_has_fp24; }
  void put(Cs& cs, uint32_t slot, std::span<const uint32_t> floats) const {
    if (narrow(cs)) return emit_us_levels_constants(cs, slot, floats);
    begin(cs, slot);
    cs.port(data(), floats);
  }
  uint32_t data() const { return vertex ? regs::VAP_PVS_VECTOR_DATA_REG_128::offset : regs::GA_US_VECTOR_DATA::offset; }
};

/// What a range of constants reads of its buffer.
struct Load {
  Port port;
  ConstantRange::Convert convert;
  uint32_t slot, dwords;
  hw::GpuAddress address = 0;
  uint32_t have = 0;  ///< dwords; what lies behind the buffer's end reads as zero (robustBufferAccess)
};

Load uniform_block(const GfxState& g, const Port& port, const ConstantRange& r) {
  Load load{port, r.convert, r.first_slot, r.count * 4};
  const Descriptor* d = g.descriptor(r.binding);
  if (!d || !d->buffer || !d->buffer->address) return load;
  const BoundSet& bound = g.sets[r.binding.set];
  const auto* layout = bound.set->find(r.binding.binding);
  uint64_t offset = d->offset;
  const size_t dynamic = layout->first_dynamic + r.binding.element;
  if (layout->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC && dynamic < bound.dynamic.size()) offset += bound.dynamic[dynamic];
  const uint64_t visible = d->buffer->bytes(offset, d->range);
  if (visible <= r.offset) return load;
  load.have = static_cast<uint32_t>(std::min<uint64_t>((visible - r.offset) / 4, load.dwords));
  load.address = d->buffer->address + static_cast<hw::GpuAddress>(offset + r.offset);
  return load;
}

void emit(Cs& cs, const Load& l) {
  l.port.begin(cs, l.slot);
  if (l.have) cs.load_port(l.port.data(), l.address, l.have);
  if (l.have < l.dwords) cs.port(l.port.data(), std::vector<uint32_t>(l.dwords - l.have));
}

/// Integers as floats, in place; those that no float holds are rounded to nearest.
void convert(std::span<uint32_t> dwords, ConstantRange::Convert from) {
  if (from == ConstantRange::Convert::none) return;
  const bool is_signed = from == ConstantRange::Convert::from_int;
  for (uint32_t& d : dwords) d = std::bit_cast<uint32_t>(is_signed ? static_cast<float>(static_cast<int32_t>(d)) : static_cast<float>(d));
}

void emit_converted(HostContext& h, const Load& l) {
  std::vector<uint32_t> d(l.dwords);
  if (l.have) std::memcpy(d.data(), h.device.host(l.address), l.have * 4);
  convert(d, l.convert);
  l.port.put(h.cs, l.slot, d);
}

void floats(Cs& cs, const Port& port, uint32_t slot, std::initializer_list<float> values) {
  std::array<uint32_t, 8> d;
  std::transform(values.begin(), values.end(), d.begin(), [](float v) { return std::bit_cast<uint32_t>(v); });
  port.put(cs, slot, std::span(d).first(values.size()));
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

void stage(Cs& cs, const GfxState& g, const Port& port, const std::vector<ConstantRange>& ranges, std::vector<Load>& on_host) {
  const auto dirty = [&](uint32_t bits) { return (g.dirty & (bits | kProgram)) != 0; };
  for (const ConstantRange& r : ranges) switch (r.source) {
      case ConstantRange::Source::uniform_block:
        if (!dirty(kDescriptors | kMemory)) break;
        if (const Load l = uniform_block(g, port, r); l.convert == ConstantRange::Convert::none && !port.narrow(cs))
          emit(cs, l);
        else
          on_host.push_back(l);
        break;
      case ConstantRange::Source::push_constant:
        if (dirty(kPushConstants)) {
          std::array<uint32_t, kMostConstants * 4> all;
          const std::span<uint32_t> d = std::span(all).first(std::min<size_t>(r.count, kMostConstants) * 4);
          const size_t have = r.offset < g.push.size() ? std::min(g.push.size() - r.offset, d.size_bytes()) : 0;
          std::memcpy(d.data(), g.push.data() + r.offset, have);
          std::fill(d.begin() + static_cast<std::ptrdiff_t>(have / 4), d.end(), 0u);
          if (r.convert != ConstantRange::Convert::none) convert(d, r.convert);
          port.put(cs, r.first_slot, d);
        }
        break;
      case ConstantRange::Source::driver:
        if (r.parameter == ConstantRange::Parameter::viewport_transform && dirty(kViewport))
          floats(cs, port, r.first_slot, {g.viewport.maxDepth - g.viewport.minDepth, g.viewport.minDepth, 0, 0});
        if (r.parameter == ConstantRange::Parameter::viewport_window && dirty(kViewport)) {
          const float x = g.viewport.width * 0.5f, y = g.viewport.height * 0.5f;
          floats(cs, port, r.first_slot, {x, g.viewport.x + x, y, g.viewport.y + y});
        }
        if (r.parameter == ConstantRange::Parameter::texture_size && dirty(kDescriptors)) texture_size(cs, g, port, r);
        break;
      case ConstantRange::Source::immediate: break;  // with the program
    }
}

}  // namespace

void atom_constants(Cs& cs, const GfxState& g) {
  std::vector<Load> on_host;
  stage(cs, g, {true}, g.program->vertex.constants, on_host);
  stage(cs, g, {false}, g.program->fragment.constants, on_host);
  if (on_host.empty()) return;
  cs.host_step([on_host = std::move(on_host)](HostContext& h) {
    for (const Load& l : on_host) emit_converted(h, l);
  });
}

bool reads_draw_constants(const compiler::Program& program) {
  const auto any = [](const std::vector<ConstantRange>& ranges) {
    return std::ranges::any_of(ranges, [](const ConstantRange& r) {
      return r.source == ConstantRange::Source::driver &&
             (r.parameter == ConstantRange::Parameter::instance_index || r.parameter == ConstantRange::Parameter::base_vertex);
    });
  };
  return any(program.vertex.constants) || any(program.fragment.constants);
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
