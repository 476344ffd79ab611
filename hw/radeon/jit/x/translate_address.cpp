// SPDX-License-Identifier: MIT
/// Accesses by address (SET 15, docs/r5x.md s.4). Memory has gaps, and what touches one is reported, so the places of all lanes are looked
/// at first: in the largest range without gaps, which is nearly all of what is backed, by two comparisons; else by the bits of pages. If a
/// lane's place is not backed the reference's code executes the slot. Both are at the end of the code.
#include <algorithm>

#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Extended;
using isa::us_r500::XOp;
using isa::us_r500::XWidth;
using lane::kArgs;

namespace {

/// Bytes from the place's first aligned component on, but those of that component. Three components are loaded as four (lane:
/// find_groups()).
uint32_t bytes_behind(const Extended& e) {
  const bool is_atomic = info(e.op).loads && info(e.op).stores;
  if (is_atomic || XWidth(e.width) != XWidth::DWORD) return 0;
  return e.op == XOp::LDB && e.components == 2 ? 12 : 4u * e.components;
}

}  // namespace

bool Translator::is_by_address(const Extended& e) {
  return e.descriptor.set == hw::x::kWholeMemory && (e.op == XOp::LDB || e.op == XOp::STB || e.op == XOp::ATB);
}

Translator::Place Translator::whole_memory(bool writes) {
  const uint32_t n = view({.set = hw::x::kWholeMemory}, false, writes);
  const uint32_t at = n * uint32_t(sizeof(View));
  return {.buffer = b_.buffer(views_, at), .view = int32_t(n), .within = b_.splat(views_, at + uint32_t(offsetof(View, first)))};
}

void Translator::set_results(const Instruction& x, const Values& out, const std::array<lane::Variable, 4>& to) {
  for (uint32_t c = 0; c < 4; ++c)
    if (to[c].id >= 0) b_.set(to[c], exact(out[x.tex.dest.swizzle[c]]));
}

void Translator::by_address(uint32_t pc, const Instruction& x) {
  const Extended& e = x.tex.x;
  out_.calls = true;
  const Place memory = whole_memory(info(e.op).stores);
  Elsewhere other{.label = b_.make_label(), .back = b_.make_label(), .x = &x, .pc = pc, .access = access_of(x)};
  // Lanes that run along with others have any address.
  if (!info(e.op).stores && !x.write_inactive) other.access.lanes = wanted();
  const uint32_t mask = info(e.op).loads ? x.rgb.write | x.alpha.write << 3 : 0;
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1u) other.result[c] = b_.variable();
  other.wanted = wanted(), other.helpers = read_mask(helpers());
  if (x.rgb_predicate || x.alpha_predicate)
    for (uint32_t c = 0; c < 4; ++c) other.predicates[c] = read_mask(predicate(c));
  const std::array<Mask, 4> on = enabled_channels(x);

  const uint32_t member = uint32_t(memory.view) * uint32_t(sizeof(View));
  const auto of_view = [&](size_t at) { return b_.splat(views_, member + uint32_t(at)); };
  const Value from = b_.isub(b_.iadd(other.access.source, b_.constant_bits(e.immediate)), of_view(offsetof(View, first)));
  const Value end = b_.isub(of_view(offsetof(View, bytes)), b_.constant_bits(bytes_behind(e)));
  b_.jump_any(b_.mask_andnot(b_.ult(from, end), other.access.lanes), other.label);
  set_results(x, access(e, memory, other.access), other.result);
  b_.place(other.back);
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1u) write_temp(x.tex.dest.temp, c, {b_.get(other.result[c])}, on[c], live(x));
  elsewhere_.push_back(other);
}

/// The lanes, of those given, whose page is backed.
Translator::Mask Translator::backed(const Extended& e, const Place& memory, Value offset, Mask lanes) {
  const lane::Pointer pages = b_.pointer(views_, uint32_t(memory.view) * uint32_t(sizeof(View)) + uint32_t(offsetof(View, constants)));
  // The last page counts as a gap: no offset wraps.
  Mask out = b_.mask_and(lanes, b_.ult(offset, b_.constant_bits(0xFFFFF000u)));
  const auto look = [&](Value at) {
    const Value dwords = b_.gather_now(pages, b_.bit_and(b_.shr(at, 15), b_.constant_bits(~3u)), out);
    const Value bit = b_.bit_and(b_.shr_by(dwords, b_.bit_and(b_.shr(at, 12), b_.constant_bits(31))), b_.constant_bits(1));
    out = b_.mask_and(out, b_.ine(bit, zero()));
  };
  look(offset);
  if (const uint32_t behind = bytes_behind(e)) look(b_.iadd(b_.bit_and(offset, b_.constant_bits(~3u)), b_.constant_bits(behind)));
  return out;
}

void Translator::access_elsewhere() {
  if (elsewhere_.empty()) return;
  const lane::Label rare = b_.make_label();
  b_.place(rare);
  b_.program().rare = rare.id;
  for (const Elsewhere& e : elsewhere_) access_elsewhere(e);
}

void Translator::access_elsewhere(const Elsewhere& other) {
  const Instruction& x = *other.x;
  const Extended& e = x.tex.x;
  const lane::Label gap = b_.make_label();
  b_.place(other.label);
  const Place memory = whole_memory(info(e.op).stores);
  const Mask there = backed(e, memory, b_.iadd(other.access.source, b_.constant_bits(e.immediate)), other.access.lanes);
  b_.jump_any(b_.mask_andnot(there, other.access.lanes), gap);
  set_results(x, access(e, memory, other.access), other.result);
  b_.jump(other.back);

  b_.place(gap);
  const SlotTemps temps = temps_of(x);
  const auto put = [&](const isa::us_r500::Port& port, uint32_t component, Value v) {
    if (!v) return;
    const auto n = uint32_t(std::find(temps.temp.begin(), temps.temp.end(), port.temp) - temps.temp.begin());
    b_.store(kArgs, uint32_t(offsetof(GroupArgs, temp) + (4 * n + port.swizzle[component]) * sizeof(Lanes)), v);
  };
  put(x.tex.source, 0, other.access.source);
  for (uint32_t c = 0; c < 4; ++c) put(x.tex.dx, c, other.access.value[c]), put(x.tex.dy, c, other.access.compare[c]);
  prepare_call(other.pc, x, other.wanted, other.helpers, other.predicates);
  b_.call(callbacks_.slot, kArgs, kArgs, 0);
  for (uint32_t c = 0; c < 4; ++c)
    if (other.result[c].id >= 0) b_.set(other.result[c], b_.lanes_now(kArgs, uint32_t(offsetof(GroupArgs, out) + c * sizeof(Lanes))));
  b_.jump(other.back);
}

}  // namespace pumice::hw::fast::extended
