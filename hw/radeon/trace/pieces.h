// SPDX-License-Identifier: MIT
/// Rows of memory as half-open byte ranges inside the address space, and the backed parts of a range.
#pragma once
#include <algorithm>

#include "hw/radeon/cp/observer.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::trace {

/// f(begin, end) for each row inside an address space of `space` bytes, or once when rows touch.
template <class F>
void each_row(const Rows& rows, uint64_t space, F f) {
  if (rows.bytes == 0 || rows.count == 0) return;
  if (rows.bytes >= rows.pitch) {  // also a single row
    const uint64_t end = rows.address + (rows.count - 1) * rows.pitch + rows.bytes;
    if (rows.address < space) f(rows.address, std::min(end, space));
    return;
  }
  uint64_t at = rows.address;
  for (uint64_t i = 0; i < rows.count && at < space; ++i, at += rows.pitch) f(at, std::min(at + rows.bytes, space));
}

/// f(begin, end) for the backed parts: the whole range, or page by page.
template <class F>
void each_backed(const Memory& memory, uint64_t begin, uint64_t end, F f) {
  constexpr uint64_t kPage = kPageBytes;
  for (uint64_t at = begin; at < end;) {
    if (memory.backed(at, end - at)) return f(at, end);
    const uint64_t next = std::min(end, (at / kPage + 1) * kPage);
    if (memory.backed(at, next - at)) f(at, next);
    at = next;
  }
}

}  // namespace pumice::hw::trace
