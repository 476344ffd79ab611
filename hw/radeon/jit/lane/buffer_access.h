// SPDX-License-Identifier: MIT
/// How the interpreters reach one lane's place in a buffer (BufferView): aligned, within bounds or not at all.
#pragma once
#include <cstring>

#include "hw/radeon/jit/lane/evaluate.h"

namespace pumice::hw::fast::lane {

/// `at` is what the buffer's pointer points to, `index` the value of its scalar where it has one.
inline BufferView view_of(const Program::Buffer& b, const void* at, int32_t index) {
  BufferView view;
  if (b.index >= 0 && uint32_t(index) >= b.count) return view;
  const char* from = static_cast<const char*>(at) + b.offset + (b.index >= 0 ? uint64_t{b.stride} * uint32_t(index) : 0);
  std::memcpy(&view.base, from, sizeof view.base);
  std::memcpy(&view.size, from + sizeof view.base, sizeof view.size);
  return view;
}
/// Of a block's buffer: `rows` is what its pointer to BlockRows points to.
inline BufferView block_view_of(const Program::Buffer& b, const void* at, const void* rows) {
  BlockRows r;
  std::memcpy(&r, static_cast<const char*>(rows) + b.rows, sizeof r);
  BufferView view = view_of(b, at, 0);
  view.base = static_cast<const char*>(view.base) + r.first, view.size = ~uint32_t{3};
  return view;
}

/// Null: out of bounds.
template <class T>
char* lane_address(const BufferView& view, uint32_t offset) {
  constexpr uint32_t kAlign = ~uint32_t{sizeof(T) - 1};
  offset &= kAlign;
  return offset < (view.size & kAlign) ? static_cast<char*>(const_cast<void*>(view.base)) + offset : nullptr;
}
template <class T>
uint32_t load_lane(const BufferView& view, uint32_t offset) {
  T v = 0;
  if (const char* from = lane_address<T>(view, offset)) std::memcpy(&v, from, sizeof v);
  return uint32_t(v);
}
template <class T>
void store_lane(const BufferView& view, uint32_t offset, uint32_t v) {
  const auto word = T(v);
  if (char* to = lane_address<T>(view, offset)) std::memcpy(to, &word, sizeof word);
}
/// Replaces what is there by f of it; what was there before, or 0.
template <class F>
uint32_t atomic_lane(const BufferView& view, uint32_t offset, F f) {
  auto* const at = reinterpret_cast<uint32_t*>(lane_address<uint32_t>(view, offset));
  if (!at) return 0;
  uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, f(old), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

/// The same of 64 bits. Not one step where the host has none: at other places than multiples of 8.
template <class F>
uint64_t atomic_lane_64(const BufferView& view, uint32_t offset, F f) {
  char* const place = lane_address<uint64_t>(view, offset);
  if (!place) return 0;
  uint64_t old;
  if (reinterpret_cast<uintptr_t>(place) % alignof(uint64_t)) {
    std::memcpy(&old, place, sizeof old);
    const uint64_t stored = f(old);
    std::memcpy(place, &stored, sizeof stored);
    return old;
  }
  auto* const at = reinterpret_cast<uint64_t*>(place);
  old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, f(old), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}
/// Op::atomic_64 of all lanes; `rows`: Atomic64Rows.
template <class Active, class Offset>
void atomic_lanes_64(Atomic64 op, const BufferView& view, char* rows, const Active& active, const Offset& offset) {
  const auto word = [rows](uint32_t at, uint32_t l) { return rows + at + sizeof(uint32_t) * l; };
  const auto number = [&](uint32_t at, uint32_t l) {
    uint32_t w[2];
    for (uint32_t i = 0; i < 2; ++i) std::memcpy(&w[i], word(at + 64 * i, l), sizeof w[i]);
    return uint64_t{w[1]} << 32 | w[0];
  };
  for (uint32_t l = 0; l < uint32_t(kLanes); ++l) {
    uint64_t old = 0;
    if (active(l)) {
      const uint64_t b = number(Atomic64Rows::b, l), c = op == Atomic64::compare_exchange ? number(Atomic64Rows::c, l) : 0;
      old = atomic_lane_64(view, offset(l), [&](uint64_t before) { return combined(op, before, b, c); });
    }
    const uint32_t w[2] = {uint32_t(old), uint32_t(old >> 32)};
    for (uint32_t i = 0; i < 2; ++i) std::memcpy(word(Atomic64Rows::out + 64 * i, l), &w[i], sizeof w[i]);
  }
}

}  // namespace pumice::hw::fast::lane
