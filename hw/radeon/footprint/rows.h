// SPDX-License-Identifier: MIT
/// Memory descriptions used by footprints: rows of bytes, and the range that contains them.
#pragma once
#include <cstdint>

namespace pumice::hw {

/// Bytes begin <= address < end.
struct ByteRange {
  uint64_t begin = 0, end = 0;
  uint64_t size() const { return end - begin; }
  bool overlaps(const ByteRange& o) const { return begin < o.end && o.begin < end; }
  bool operator==(const ByteRange&) const = default;
};

/// Rows of bytes in memory: `count` times `bytes` bytes, `pitch` bytes apart. Unbacked parts are ignored.
struct Rows {
  uint64_t address = 0, bytes = 0, pitch = 0, count = 1;
  /// From the first byte of the first row to the last of the last. Of at least one row.
  ByteRange hull() const { return {address, address + (count - 1) * pitch + bytes}; }
  bool operator==(const Rows&) const = default;
};

}  // namespace pumice::hw
