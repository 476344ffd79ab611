// SPDX-License-Identifier: MIT
/// How the interpreters reach one lane's place in a buffer (BufferView): aligned, within bounds or not at all.
#pragma once
#include <cstring>

#include "hw/radeon/jit/lane/ir.h"

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

}  // namespace pumice::hw::fast::lane
