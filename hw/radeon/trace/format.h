// SPDX-License-Identifier: MIT
/// The trace file in numbers; docs/trace.md is its specification. All numbers are little endian.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace pumice::hw::trace {

inline constexpr char kMagic[8] = {'P', 'M', 'T', 'R', 'A', 'C', 'E', '\n'};
inline constexpr uint32_t kVersion = 2;  ///< 1 lacks Kind::clock

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t bytes;    ///< of this header
  uint32_t profile;  ///< 3: r300, 5: r500, 6: r5x
  uint32_t page;
  uint64_t instruction_limit;
  uint64_t reserved[3];
  uint64_t digest;  ///< of what is before
};
static_assert(sizeof(Header) == 64);

/// In front of each block of records.
struct BlockHead {
  uint32_t magic;
  uint32_t raw_bytes;     ///< of the records
  uint32_t stored_bytes;  ///< of the compressed records that follow
  uint32_t reserved;
  uint64_t digest;  ///< of the uncompressed records
};
static_assert(sizeof(BlockHead) == 24);
inline constexpr uint32_t kBlockMagic = 0x4B4C4250;  // "PBLK"
inline constexpr uint32_t kMaxBlock = 1u << 22;      ///< raw bytes
inline constexpr uint32_t kMaxWrite = 1u << 16;      ///< bytes of one WRITE

enum class Kind : uint32_t {
  map = 1,
  unmap = 2,
  write = 3,
  packet = 4,
  host_register = 5,
  end = 6,
  wait = 7,
  reset = 8,
  note = 9,
  close = 10,
  clock = 11,
};

/// In front of each record; its payload is padded to four bytes.
struct RecordHead {
  uint32_t kind;
  uint32_t bytes;
};

enum class Note : uint32_t { program = 1, report = 2 };
enum class Close : uint32_t { complete = 0, size_limit = 1 };

/// The 64-bit digest of memory contents and blocks: four lanes of 8 bytes, the last lanes filled up with zeroes.
class Digest {
 public:
  /// Pieces are told apart: add("ab"), add("c") is not add("abc").
  void add(const void* data, size_t size) {
    const auto* at = static_cast<const unsigned char*>(data);
    size_t left = size;
    for (; left >= 32; left -= 32, at += 32) {
      uint64_t w[4];
      std::memcpy(w, at, 32);
      for (int i = 0; i < 4; ++i) step(lane_[i], w[i]);
    }
    uint64_t w[4] = {};
    std::memcpy(w, at, left);
    for (int i = 0; i < 4; ++i) step(lane_[i], w[i]);
    step(lane_[0], size);
  }
  void add_number(uint64_t v) { step(lane_[0], v); }
  uint64_t value() const {
    uint64_t h = 0;
    for (const uint64_t lane : lane_) step(h, lane);
    return h;
  }

 private:
  static void step(uint64_t& lane, uint64_t word) {
    lane = (lane ^ word) * 0x9E3779B97F4A7C15ull;
    lane ^= lane >> 32;
  }
  uint64_t lane_[4] = {1, 2, 3, 4};
};

inline uint64_t digest_of(const void* data, size_t size) {
  Digest d;
  d.add(data, size);
  return d.value();
}

}  // namespace pumice::hw::trace
