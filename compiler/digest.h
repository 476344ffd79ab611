// SPDX-License-Identifier: MIT
/// BLAKE2b with 256 bits of output (RFC 7693, no key): names cache entries and guards their bytes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pumice::compiler {

using Digest = std::array<uint8_t, 32>;

class Hasher {
 public:
  Hasher();
  void add(std::span<const uint8_t> bytes);
  Digest finish();

 private:
  void block(const uint8_t* bytes, bool last);
  std::array<uint64_t, 8> state_;
  std::array<uint8_t, 128> buffer_{};
  size_t used_ = 0;     ///< bytes in buffer_
  uint64_t total_ = 0;  ///< bytes in all blocks compressed so far
};

Digest digest(std::span<const uint8_t> bytes);
/// Of the words' little-endian bytes.
Digest digest(std::span<const uint32_t> words);

}  // namespace pumice::compiler
