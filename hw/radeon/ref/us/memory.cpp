// SPDX-License-Identifier: MIT
/// XM slots (docs/r5x.md s.4): loads, stores and atomics of buffers, push constants, literals, local memory and scratch, and what a program
/// exchanges with its stage. Components in ascending order, each for the lanes in ascending order.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>

#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/ref/us/xi.h"

namespace pumice::hw::us {

using isa::us_r500::Extended;
using isa::us_r500::Selector;
using isa::us_r500::SubOp;
using isa::us_r500::XiOp;
using isa::us_r500::XOp;
using isa::us_r500::XWidth;

template <size_t N>
void load_descriptor(GroupThread<N>& t, const Selector& s, uint32_t lane, std::span<uint32_t> out, bool is_sampler) {
  std::fill(out.begin(), out.end(), 0);
  if (s.set >= t.resources.set.size()) return t.complain(Complaint::reserved, "descriptor set above 8: reads as a null descriptor");
  uint64_t address = t.resources.descriptor(s);
  if (s.indirect) {
    const int32_t i = t.temp_index(s.temp, false);
    if (i < 0) return;
    address += bits(t.temp(size_t(i))[lane][s.component]);
  }
  std::array<uint32_t, xt::kBufferDwords> first;
  if (!t.ctx.memory.backed(address, sizeof first)) return t.fault(address, "the descriptor");
  t.ctx.memory.read(address, first.data(), sizeof first);
  std::copy_n(first.begin(), std::min(first.size(), out.size()), out.begin());
  if (out.size() <= first.size()) return;
  if (!is_sampler && static_cast<xt::Dim>(first[1] >> 24 & 7u) == xt::Dim::buffer) return;
  if (!t.ctx.memory.backed(address, out.size_bytes())) {
    std::fill(out.begin(), out.end(), 0);
    return t.fault(address, "the descriptor");
  }
  t.ctx.memory.read(address, out.data(), out.size_bytes());
}

std::array<uint32_t, 2> clock_words() {
  const auto now = uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  return {uint32_t(now), uint32_t(now >> 32)};
}

bool has_combine(uint32_t sub, bool is_float) {
  if (is_float) return sub <= uint32_t(SubOp::SMAX) || SubOp(sub) == SubOp::MUL;
  return sub <= uint32_t(SubOp::MUL);
}

uint32_t combine(uint32_t sub, bool is_float, uint32_t a, uint32_t b) {
  const auto real = [](float v) { return bits(canonical(v)); };
  switch (SubOp(sub)) {
    case SubOp::ADD: return is_float ? real(num::add(from_bits(a), from_bits(b))) : a + b;
    case SubOp::SMIN: return xi::evaluate(is_float ? XiOp::FMIN : XiOp::IMIN, a, b, 0);
    case SubOp::SMAX: return xi::evaluate(is_float ? XiOp::FMAX : XiOp::IMAX, a, b, 0);
    case SubOp::UMIN: return std::min(a, b);
    case SubOp::UMAX: return std::max(a, b);
    case SubOp::AND: return a & b;
    case SubOp::OR: return a | b;
    case SubOp::XOR: return a ^ b;
    case SubOp::EXCHANGE: return b;
    case SubOp::MUL: return is_float ? real(num::mul(from_bits(a), from_bits(b))) : a * b;
    case SubOp::COMPARE_EXCHANGE: break;  // has a third operand
  }
  return a;
}

namespace {

/// Puts next(old) in the place of the number at `at`, and returns the old one.
template <class Number, class Next>
Number replace(uint8_t* at, const Next& next) {
  if (reinterpret_cast<uintptr_t>(at) % alignof(Number)) {  // hosts have no atomics there
    Number old;
    std::memcpy(&old, at, sizeof old);
    const Number stored = next(old);
    std::memcpy(at, &stored, sizeof stored);
    return old;
  }
  std::atomic_ref<Number> number(*reinterpret_cast<Number*>(at));
  Number old = number.load(std::memory_order_relaxed);
  while (!number.compare_exchange_weak(old, next(old))) {
  }
  return old;
}

}  // namespace

uint32_t exchange(uint8_t* at, const Extended& e, uint32_t value, uint32_t compare) {
  const auto next = [&](uint32_t old) {
    if (SubOp(e.sub) == SubOp::COMPARE_EXCHANGE) return old == compare ? value : old;
    return combine(e.sub, e.is_float, old, value);
  };
  return replace<uint32_t>(at, next);
}

namespace {

uint64_t combine_wide(uint32_t sub, uint64_t a, uint64_t b) {
  switch (SubOp(sub)) {
    case SubOp::ADD: return a + b;
    case SubOp::SMIN: return uint64_t(std::min(int64_t(a), int64_t(b)));
    case SubOp::SMAX: return uint64_t(std::max(int64_t(a), int64_t(b)));
    case SubOp::UMIN: return std::min(a, b);
    case SubOp::UMAX: return std::max(a, b);
    case SubOp::AND: return a & b;
    case SubOp::OR: return a | b;
    case SubOp::XOR: return a ^ b;
    case SubOp::EXCHANGE: return b;
    case SubOp::MUL: return a * b;
    case SubOp::COMPARE_EXCHANGE: break;  // has a third operand
  }
  return a;
}

}  // namespace

std::array<uint32_t, 2> exchange_wide(uint8_t* at, uint32_t sub, const Bits4& value, const Bits4& compare) {
  const auto number = [](const Bits4& v) { return uint64_t{v[1]} << 32 | v[0]; };
  const auto next = [&](uint64_t old) {
    if (SubOp(sub) == SubOp::COMPARE_EXCHANGE) return old == number(compare) ? number(value) : old;
    return combine_wide(sub, old, number(value));
  };
  const auto old = replace<uint64_t>(at, next);
  return {uint32_t(old), uint32_t(old >> 32)};
}

bool has_atomic(const Extended& e) {
  const bool wide = e.components != 0;
  return has_combine(e.sub, e.is_float) && XWidth(e.width) == XWidth::DWORD && e.components <= 1 && !(wide && e.is_float);
}

namespace {

/// What a lane's accesses reach: bytes of the chip itself, or a range of the address space.
template <size_t N>
class Place {
 public:
  explicit Place(std::span<uint8_t> bytes) : bytes_(bytes.data()), size_(bytes.size()) {}
  Place(GroupThread<N>& t, uint64_t address, uint64_t size) : t_(&t), address_(address), size_(size) {}
  uint64_t size() const { return size_; }
  /// Null: outside, or memory that is not backed.
  uint8_t* at(uint64_t offset, uint32_t bytes) const {
    if (offset + bytes > size_) return nullptr;
    if (!t_) return bytes_ + offset;
    Memory& memory = t_->ctx.memory;
    if (memory.backed(address_ + offset, bytes)) return reinterpret_cast<uint8_t*>(memory.host_pointer(address_ + offset));
    t_->fault(address_ + offset, "memory of a buffer");
    return nullptr;
  }

 private:
  GroupThread<N>* t_ = nullptr;
  uint64_t address_ = 0;
  uint8_t* bytes_ = nullptr;
  uint64_t size_ = 0;
};

template <size_t N>
Place<N> place_of(GroupThread<N>& t, const Extended& x, uint32_t lane) {
  switch (x.op) {
    case XOp::LDU: return {t, t.resources.push, t.resources.push_size};
    case XOp::LDL:
    case XOp::STL:
    case XOp::ATL: return Place<N>(t.local);
    case XOp::LDP:
    case XOp::STP: return Place<N>(t.scratch(lane));
    default: break;
  }
  if (x.descriptor.set == x::kWholeMemory) return {t, 0, UINT32_MAX};
  std::array<uint32_t, xt::kBufferDwords> words;
  load_descriptor(t, x.descriptor, lane, words);
  const xt::BufferDescriptor d = xt::decode_buffer(words);
  return {t, d.address, d.size};
}

template <class T>
uint32_t load_as(const uint8_t* from) {
  T v;
  std::memcpy(&v, from, sizeof v);
  return uint32_t(v);
}

uint32_t component_bytes(const Extended& x) { return XWidth(x.width) == XWidth::BYTE ? 1 : XWidth(x.width) == XWidth::HALF ? 2 : 4; }

uint32_t load_component(const Extended& x, const uint8_t* from) {
  if (!from) return 0;
  switch (XWidth(x.width)) {
    case XWidth::BYTE: return x.is_signed ? load_as<int8_t>(from) : load_as<uint8_t>(from);
    case XWidth::HALF: return x.is_signed ? load_as<int16_t>(from) : load_as<uint16_t>(from);
    case XWidth::DWORD: break;
  }
  return load_as<uint32_t>(from);
}

/// Components that an access has, and its byte offset, aligned.
uint32_t components(const Extended& x) { return component_bytes(x) == 4 ? x.components + 1u : 1u; }
uint64_t offset_of(const Extended& x, uint32_t source) { return (source + x.immediate) & ~(component_bytes(x) - 1u); }

template <size_t N>
void load(GroupThread<N>& t, const Instruction& x) {
  const Extended& e = x.tex.x;
  const auto source = t.read(x.tex.source);
  typename GroupThread<N>::Lanes4 out{};
  for (uint32_t l = 0; l < N; ++l) {
    if (!(t.live(x) >> l & 1u)) continue;
    const uint64_t offset = offset_of(e, source[l][0]);
    if (e.op == XOp::LDK) {
      for (uint32_t c = 0; c < components(e); ++c) {
        const uint64_t dword = offset / 4 + c;
        if (dword / 4 < t.program.literals.size()) out[l][c] = t.program.literals[dword / 4][dword % 4];
      }
      continue;
    }
    const Place<N> place = place_of(t, e, l);
    for (uint32_t c = 0; c < components(e); ++c) out[l][c] = load_component(e, place.at(offset + 4ull * c, component_bytes(e)));
  }
  t.write(x, out);
}

template <size_t N>
void store(GroupThread<N>& t, const Instruction& x) {
  const Extended& e = x.tex.x;
  const auto source = t.read(x.tex.source), value = t.read(x.tex.dx);
  // Scratch belongs to the lane alone; helpers may write it.
  const auto lanes = e.op == XOp::STP ? t.acting(x) : t.acting(x) & ~t.helpers;
  std::array<std::optional<Place<N>>, N> places;
  for (uint32_t l = 0; l < N; ++l)
    if (lanes >> l & 1u) places[l] = place_of(t, e, l);
  for (uint32_t c = 0; c < components(e); ++c)
    for (uint32_t l = 0; l < N; ++l)
      if (uint8_t* to = places[l] ? places[l]->at(offset_of(e, source[l][0]) + 4ull * c, component_bytes(e)) : nullptr)
        std::memcpy(to, &value[l][c], component_bytes(e));
}

template <size_t N>
void atomic(GroupThread<N>& t, const Instruction& x) {
  const Extended& e = x.tex.x;
  if (!has_atomic(e)) return t.complain(Complaint::reserved, "atomic operation that does not exist: nothing done");
  const auto source = t.read(x.tex.source), value = t.read(x.tex.dx), compare = t.read(x.tex.dy);
  typename GroupThread<N>::Lanes4 out{};
  const auto lanes = t.acting(x) & ~t.helpers;
  for (uint32_t l = 0; l < N; ++l) {
    if (!(lanes >> l & 1u)) continue;
    const bool wide = e.components != 0;
    const uint32_t bytes = wide ? 8 : 4;
    uint8_t* at = place_of(t, e, l).at(offset_of(e, source[l][0]) & ~uint64_t{bytes - 1}, bytes);
    if (!at) continue;
    if (wide) {
      const auto old = exchange_wide(at, e.sub, value[l], compare[l]);
      out[l][0] = old[0], out[l][1] = old[1];
      continue;
    }
    out[l][0] = exchange(at, e, value[l][0], compare[l][0]);
  }
  t.write(x, out);
}

/// LDA, LDV, SYS: the stage's answer for each lane that is written.
template <size_t N, class F>
void ask(GroupThread<N>& t, const Instruction& x, F answer) {
  typename GroupThread<N>::Lanes4 out{};
  for (uint32_t l = 0; l < N; ++l)
    if (t.live(x) >> l & 1u) out[l] = answer(l);
  t.write(x, out);
}

template <size_t N>
void write_slot(GroupThread<N>& t, const Instruction& x) {
  const uint32_t slot = x.tex.x.immediate, mask = x.rgb.write | x.alpha.write << 3;
  if (slot >= x::slot::count) return t.complain(Complaint::reserved, "export slot above 63: nothing done");
  const auto value = t.read(x.tex.source);
  for (uint32_t l = 0; l < N; ++l)
    if (t.acting(x) >> l & 1u) t.link->write(l, slot, mask, value[l]);
}

}  // namespace

template <size_t N>
void execute_memory(GroupThread<N>& t, const Instruction& x) {
  const Extended& e = x.tex.x;
  switch (e.op) {
    case XOp::LDB:
    case XOp::LDC:
    case XOp::LDU:
    case XOp::LDL:
    case XOp::LDP:
    case XOp::LDK: return load(t, x);
    case XOp::STB:
    case XOp::STL:
    case XOp::STP: return store(t, x);
    case XOp::ATB:
    case XOp::ATL: return atomic(t, x);
    case XOp::LENB: return ask(t, x, [&](uint32_t l) { return Bits4{uint32_t(place_of(t, e, l).size()), 0, 0, 0}; });
    case XOp::LDA: return ask(t, x, [&](uint32_t l) { return t.link->attribute(l, e.immediate); });
    case XOp::LDV: {
      const auto where = t.read(x.tex.source);
      return ask(t, x, [&](uint32_t l) { return t.link->varying(l, e.immediate, e.sub, where[l]); });
    }
    case XOp::SYS: {
      constexpr uint32_t kLane = 48;
      if (e.immediate == x::kClock) {
        const auto now = clock_words();
        return ask(t, x, [&](uint32_t) { return Bits4{now[0], now[1], 0, 0}; });
      }
      return ask(t, x, [&](uint32_t l) { return e.immediate == kLane ? Bits4{l, 0, 0, 0} : t.link->system(l, e.immediate); });
    }
    case XOp::EXP: return write_slot(t, x);
    case XOp::KILL: {
      const auto source = t.read(x.tex.source);
      typename GroupThread<N>::Mask lanes = 0;
      for (uint32_t l = 0; l < N; ++l) lanes = typename GroupThread<N>::Mask(lanes | uint32_t(source[l][0] != 0) << l);
      return t.kill(typename GroupThread<N>::Mask(lanes & t.acting(x)));
    }
    case XOp::FENCE: return;  // everything is in order
    default: return t.complain(Complaint::reserved, "extended operation that memory does not have: nothing done");
  }
}

template void execute_memory(GroupThread<4>&, const Instruction&);
template void execute_memory(GroupThread<kGroupLanes>&, const Instruction&);
template void load_descriptor(GroupThread<4>&, const Selector&, uint32_t, std::span<uint32_t>, bool);
template void load_descriptor(GroupThread<kGroupLanes>&, const Selector&, uint32_t, std::span<uint32_t>, bool);

}  // namespace pumice::hw::us
