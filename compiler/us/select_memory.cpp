// SPDX-License-Identifier: MIT
/// XM and XT (docs/r5x.md, 4): buffers, local and scratch memory, images, textures, lanes of the group. Ports read registers, so what is
/// elsewhere is moved into one first.
#include "compiler/isa/error.h"
#include "compiler/us/selector.h"

namespace pumice::compiler::us::select_detail {

Selector::Slot Selector::slot(XOp op) const {
  Slot s;
  s.op.kind = Op::Kind::tex;
  s.op.inst = TexOp::X;
  s.x.say.op = op;
  return s;
}

void Selector::emit_slot(Slot& s) {
  s.op.x = static_cast<int32_t>(lir_.slots.size());
  lir_.slots.push_back(s.x);
  emit(s.op);
}

VSource Selector::port_of(const isa::Operand& o, unsigned n) {
  Vec<PortLane> lanes;
  lanes.reserve(4);
  Ports ports;
  for (uint8_t l = 0; l < n; l++) {
    lanes.push_back({o, l});
    ports.push_back(l);
  }
  return port(lanes, ports, {});
}
VSource Selector::port_of(const ir::Source& source, unsigned lanes) { return port_of(places_.read(source), lanes); }

/// Reads 0: temps are 0 when a program begins, and nothing writes this one.
VSource Selector::zero_port() {
  if (!zero_) zero_ = lir_.new_register({15});
  VSource s;
  s.kind = VSource::Kind::reg;
  s.index = *zero_;
  s.lane.fill(0);
  return s;
}

/// Where the slot's result goes: lane l of the value from component first_channel + l.
void Selector::result(Slot& s, const ir::Instruction& x, unsigned first_channel) {
  const unsigned n = module_.comps(x.result);
  Place& p = places_.at(x.result);
  if (p.kind == Place::Kind::unset) {
    p.kind = Place::Kind::reg;
    constexpr std::array<uint8_t, 4> kAny{15, 15, 15, 15};
    p.index = lir_.new_register(std::span(kAny).first(n));
    for (unsigned l = 0; l < n; l++) p.lane[l] = static_cast<uint8_t>(l);
  }
  s.op.dst = static_cast<int32_t>(p.index);
  for (unsigned l = 0; l < n; l++) s.op.dst_lane[first_channel + l] = p.lane[l];
}

/// src and immediate.
void Selector::address(Slot& s, const ir::Source& source, uint32_t offset) {
  const isa::Operand o = places_.read(source);
  s.x.say.immediate = offset;
  if (o.place.kind == Place::Kind::immediate) {
    s.x.say.immediate += std::bit_cast<uint32_t>(o.place.value[o.place.lane[o.swizzle[0]]]);
    s.op.coord = zero_port();
  } else {
    s.op.coord = port_of(o, 1);
  }
}

namespace {
constexpr uint8_t kDynamicSet = 8;
DescriptorSelector selector(const ir::Resource& resource, uint32_t element, uint32_t further) {
  const DescriptorLayout& layout = resource.layout;
  const uint32_t bytes = layout.offset + element * layout.stride + further;
  constexpr uint32_t kOffsets = 1u << 18;
  if (bytes / 16 >= kOffsets)
    throw isa::Unsupported("a descriptor " + std::to_string(bytes) + " bytes from the beginning of its set, instructions reach " +
                               std::to_string(kOffsets * 16),
                           resource.at);
  DescriptorSelector out;
  out.set = layout.dynamic ? kDynamicSet : static_cast<uint8_t>(layout.set);
  out.offset = bytes / 16;
  return out;
}
}  // namespace

void Selector::descriptor(Slot& s, const ir::Instruction& x) {
  const ir::Access a = x.access();
  s.x.say.descriptor = selector(module_.resources[x.index], a.element, 0);
  s.x.say.coherent = (a.flags & ir::Access::kCoherent) != 0;
  if (a.flags & ir::Access::kIndexed) s.op.index = port_of(x.source[static_cast<size_t>(x.index_source())], 1);
}

/// Of a combined image sampler it lies behind the image.
void Selector::sampler(Slot& s, const ir::Instruction& x) {
  const ir::Access a = x.access();
  const ir::Resource& image = module_.resources[x.index];
  if (!a.sampler) {
    if (image.layout.kind != DescriptorLayout::Kind::combined) return;
    s.x.sampled = true;
    s.x.sampler = selector(image, a.element, kSamplerBehindImage);
    s.op.sampler_index = s.op.index;
    return;
  }
  s.x.sampled = true;
  s.x.sampler = selector(module_.resources[a.sampler - 1], a.sampler_element, 0);
  if (!(a.flags & ir::Access::kSamplerIndexed)) return;
  isa::Operand o = places_.read(x.source[static_cast<size_t>(x.index_source())]);
  if (a.flags & ir::Access::kIndexed) o.swizzle.fill(o.swizzle[1]);
  s.op.sampler_index = port_of(o, 1);
}

namespace {
/// The slot's fields for memory of the instruction's width.
void narrow(Extended& say, const ir::Access& a) {
  say.width = a.width == 8 ? 1 : a.width == 16 ? 2 : 0;
  say.is_signed = (a.flags & ir::Access::kSigned) != 0;
}
}  // namespace

void Selector::memory(const ir::Instruction& x, XOp op, bool described) {
  Slot s = slot(op);
  address(s, x.source[0], x.offset);
  s.x.say.components = static_cast<uint8_t>(module_.comps(x.result) - 1);
  narrow(s.x.say, x.access());
  if (described) descriptor(s, x);
  result(s, x);
  emit_slot(s);
}

void Selector::store_memory(const ir::Instruction& x, XOp op, bool described) {
  Slot s = slot(op);
  const unsigned lanes = ir::source_lanes(module_, x, 1);
  address(s, x.source[0], x.offset);
  s.x.say.components = static_cast<uint8_t>(lanes - 1);
  narrow(s.x.say, x.access());
  s.op.dx = port_of(x.source[1], lanes);
  if (described) descriptor(s, x);
  emit_slot(s);
}

void Selector::atomic(const ir::Instruction& x, XOp op, bool described) {
  Slot s = slot(op);
  const ir::Access a = x.access();
  if (op == XOp::ATI)
    s.op.coord = port_of(x.source[0], ir::source_lanes(module_, x, 0));
  else
    address(s, x.source[0], x.offset);
  s.x.say.sub = a.sub;
  s.x.say.is_float = module_.value(x.result).type == ir::Type::f32;
  const unsigned lanes = module_.comps(x.result);
  s.x.say.components = static_cast<uint8_t>(lanes - 1);
  s.op.dx = port_of(x.source[1], lanes);
  if (ir::Atomic(a.sub) == ir::Atomic::compare_exchange) s.op.dy = port_of(x.source[2], lanes);
  if (described) descriptor(s, x);
  result(s, x);
  emit_slot(s);
}

void Selector::images(const ir::Instruction& x, XOp op) {
  Slot s = slot(op);
  const bool store = op == XOp::STI;
  if (op == XOp::LDI || store) s.op.coord = port_of(x.source[0], ir::source_lanes(module_, x, 0));
  if (store) s.op.dx = port_of(x.source[1], 4);
  if (op == XOp::QSIZE) s.op.dx = module_.resources[x.index].texels ? zero_port() : port_of(x.source[0], 1);
  descriptor(s, x);
  if (!store) result(s, x);
  emit_slot(s);
}

void Selector::sample(const ir::Instruction& x) {
  const ir::Access a = x.access();
  XOp op = XOp::SAMPLE;
  switch (x.tex_kind) {
    case ir::TexKind::bias: op = XOp::SAMPLEB; break;
    case ir::TexKind::lod: op = XOp::SAMPLEL; break;
    case ir::TexKind::grad: op = XOp::SAMPLEG; break;
    case ir::TexKind::fetch: op = XOp::FETCH; break;
    case ir::TexKind::gather: op = XOp::GATHER; break;
    default: break;
  }
  if (x.op == ir::Op::sample_lod) op = XOp::QLOD;
  Slot s = slot(op);
  s.x.say.sub = op == XOp::GATHER ? a.sub : uint8_t{0};
  s.x.say.compare = x.dref;
  s.x.say.offset = (a.flags & ir::Access::kOffset) != 0;
  const unsigned sources = x.source_count - (x.index_source() >= 0);
  VSource* const ports[] = {&s.op.coord, &s.op.dx, &s.op.dy};
  for (unsigned i = 0; i < sources; i++) *ports[i] = port_of(x.source[i], ir::source_lanes(module_, x, i));
  descriptor(s, x);
  sampler(s, x);
  result(s, x);
  emit_slot(s);
}

/// An element of a constant array. Known ones are literals, the others are loaded from the program's literals.
void Selector::constant_array(const ir::Instruction& x) {
  const auto& values = module_.uniforms[x.index].immediate;
  const auto value = [&](size_t i) { return i < values.size() ? values[i] : 0.0f; };
  if (!x.source_count) {
    Place& p = places_.at(x.result);
    p.kind = Place::Kind::immediate;
    for (unsigned l = 0; l < 4; l++) p.value[l] = value(size_t{x.offset} * 4 + l);
    p.lane = {0, 1, 2, 3};
    return;
  }
  Place index;
  index.kind = Place::Kind::reg;
  index.index = lir_.new_register({scalar_class()});
  index.lane = {0, kNoLane, kNoLane, kNoLane};
  xi(XiOp::SHL, index, {places_.read(x.source[0]), literal_bits(4)});
  Slot s = slot(XOp::LDK);
  s.op.coord = port_of(whole(index), 1);
  s.x.say.components = 3;
  s.x.say.immediate = x.offset * 16;
  s.x.array = static_cast<int32_t>(x.index);
  result(s, x);
  emit_slot(s);
}

/// What the operation does not read names the first source again.
void Selector::numbers(const ir::Instruction& x) {
  Slot s = slot(XOp::WIDE);
  VSource* const ports[] = {&s.op.coord, &s.op.dx, &s.op.dy};
  for (unsigned i = 0; i < 3; i++) *ports[i] = i < x.source_count ? port_of(x.source[i], ir::source_lanes(module_, x, i)) : s.op.coord;
  s.x.say.components = static_cast<uint8_t>(module_.comps(x.result) - 1);
  s.x.say.immediate = x.access().sub;
  result(s, x);
  emit_slot(s);
}

bool Selector::memory_and_lanes(const ir::Instruction& x) {
  const auto lanes = [&](XOp op, unsigned sources) {
    Slot s = slot(op);
    VSource* const ports[] = {&s.op.coord, &s.op.dx};
    for (unsigned i = 0; i < sources; i++) *ports[i] = port_of(x.source[i], ir::source_lanes(module_, x, i));
    if (op == XOp::REDUCE || op == XOp::SCANI || op == XOp::SCANX) {
      s.x.say.sub = x.access().sub;
      s.x.say.is_float = module_.value(x.result).type == ir::Type::f32;
    }
    if (x.result) result(s, x);
    emit_slot(s);
    return true;
  };
  switch (x.op) {
    case ir::Op::load_uniform: return constant_array(x), true;
    case ir::Op::load_const: return memory(x, XOp::LDC, true), true;
    case ir::Op::load_buffer: return memory(x, XOp::LDB, true), true;
    case ir::Op::store_buffer: return store_memory(x, XOp::STB, true), true;
    case ir::Op::atomic_buffer: return atomic(x, XOp::ATB, true), true;
    case ir::Op::buffer_size: return images(x, XOp::LENB), true;
    case ir::Op::load_pushed: return memory(x, XOp::LDU, false), true;
    case ir::Op::load_shared: return memory(x, XOp::LDL, false), true;
    case ir::Op::store_shared: return store_memory(x, XOp::STL, false), true;
    case ir::Op::atomic_shared: return atomic(x, XOp::ATL, false), true;
    case ir::Op::load_scratch: return memory(x, XOp::LDP, false), true;
    case ir::Op::store_scratch: return store_memory(x, XOp::STP, false), true;
    case ir::Op::load_image: return images(x, XOp::LDI), true;
    case ir::Op::store_image: return images(x, XOp::STI), true;
    case ir::Op::atomic_image: return atomic(x, XOp::ATI, true), true;
    case ir::Op::sample:
    case ir::Op::sample_lod: return sample(x), true;
    case ir::Op::image_size: return images(x, XOp::QSIZE), true;
    case ir::Op::image_levels: return images(x, XOp::QLEVELS), true;
    case ir::Op::interpolate: return varying(x, x.access().sub), true;
    case ir::Op::is_helper: return system_value(x, kHelper), true;
    case ir::Op::clock: return system_value(x, kClock), true;
    case ir::Op::barrier: return lanes(XOp::BARRIER, 0);
    case ir::Op::fence: return lanes(XOp::FENCE, 0);
    case ir::Op::ballot: return lanes(XOp::BALLOT, 1);
    case ir::Op::shuffle: return lanes(XOp::SHUFFLE, 2);
    case ir::Op::first_lane: return lanes(XOp::FIRST, 1);
    case ir::Op::reduce: return lanes(XOp::REDUCE, 1);
    case ir::Op::scan: return lanes(XOp::SCANI, 1);
    case ir::Op::scan_exclusive: return lanes(XOp::SCANX, 1);
    case ir::Op::wide_op: return numbers(x), true;
    default: return false;
  }
}

}  // namespace pumice::compiler::us::select_detail
