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

/// f(begin, end) for the backed parts, in ascending order; what follows each of them is not backed.
template <class F>
void each_backed(const Memory& memory, uint64_t begin, uint64_t end, F f) {
  for (uint64_t at = begin; at < end;) {
    const uint64_t from = memory.next_page(at, end, true), to = memory.next_page(from, end, false);
    if (from < to) f(from, to);
    at = to;
  }
}

}  // namespace pumice::hw::trace
