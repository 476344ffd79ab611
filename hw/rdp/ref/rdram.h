// SPDX-License-Identifier: MIT
/// RDRAM as the RDP sees it: nine-bit bytes, big-endian (docs/reference/rdp.md section 4).
///
/// The eight ordinary bits of every byte lie in memory that the user of the model provides and may touch between
/// commands. The ninth bits live here: two for every 16-bit halfword, bit 1 belonging to the even byte.
/// Reads beyond the end give 0, writes there are dropped.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace pumice::hw::rdp {

/// How the user's memory holds RDRAM.
enum class ByteOrder : uint8_t {
  big_endian,  // byte n of RDRAM is byte n of the memory
  host_words,  // 32-bit words in the host's (little-endian) order, as most emulators keep it
};

class Rdram {
 public:
  Rdram(std::span<uint8_t> bytes, ByteOrder order)
      : data_(bytes.data()),
        size_(static_cast<uint32_t>(bytes.size() & ~size_t{7})),
        swap_(order == ByteOrder::host_words ? 3 : 0),
        hidden_(size_ / 2) {
    cpu_wrote(0, size_);
  }

  uint32_t size() const { return size_; }
  /// For code that checks its own bounds.
  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  uint8_t* hidden_data() { return hidden_.data(); }
  bool host_words() const { return swap_ != 0; }

  uint32_t read8(uint32_t a) const { return a < size_ ? data_[a ^ swap_] : 0; }
  /// Halfword number i, i.e. bytes 2i and 2i+1.
  uint32_t read16(uint32_t i) const { return i < size_ / 2 ? uint32_t{data_[(2 * i) ^ swap_]} << 8 | data_[(2 * i + 1) ^ swap_] : 0; }
  uint32_t read32(uint32_t i) const { return i < size_ / 4 ? read16(2 * i) << 16 | read16(2 * i + 1) : 0; }
  /// Eight bytes at any address.
  uint64_t read64(uint32_t a) const {
    // Loads live on this; everything else is the general case.
    if (a % 4 == 0 && a < size_ && size_ - a >= 8) {
      uint32_t high, low;
      std::memcpy(&high, data_ + a, 4);
      std::memcpy(&low, data_ + a + 4, 4);
      return swap_ ? uint64_t{high} << 32 | low : uint64_t{__builtin_bswap32(high)} << 32 | __builtin_bswap32(low);
    }
    uint64_t v = 0;
    for (uint32_t i = 0; i < 8; ++i) v = v << 8 | read8(a + i);
    return v;
  }
  /// Hidden bits of halfword i (0..3).
  uint32_t hidden(uint32_t i) const { return i < size_ / 2 ? hidden_[i] : 0; }

  /// Bytes carry no rule of their own; the pair's hidden bits follow its odd byte. UNCONFIRMED on hardware.
  void write8(uint32_t a, uint32_t v) {
    if (a >= size_) return;
    data_[a ^ swap_] = static_cast<uint8_t>(v);
    if (a & 1) hidden_[a / 2] = v & 1 ? 3 : 0;
  }
  void write16(uint32_t i, uint32_t v, uint32_t h) {
    if (i >= size_ / 2) return;
    data_[(2 * i) ^ swap_] = static_cast<uint8_t>(v >> 8);
    data_[(2 * i + 1) ^ swap_] = static_cast<uint8_t>(v);
    hidden_[i] = static_cast<uint8_t>(h & 3);
  }

  /// The rule for memory written by CPU or RSP: hidden bits 3 where bit 0 of the halfword is set, else 0.
  void cpu_wrote(uint32_t address, uint32_t length) {
    const uint64_t end = uint64_t{address} + length;
    for (uint64_t i = address / 2; 2 * i < end && i < size_ / 2; ++i) hidden_[i] = read16(static_cast<uint32_t>(i)) & 1 ? 3 : 0;
  }
  /// Bytes written by the CPU or another block without ninth bits.
  void cpu_write(uint64_t address, std::span<const uint8_t> bytes) {
    if (address >= size_) return;
    const auto at = static_cast<uint32_t>(address);
    const auto n = static_cast<uint32_t>(bytes.size() < size_ - at ? bytes.size() : size_ - at);
    for (uint32_t i = 0; i < n; ++i) data_[(at + i) ^ swap_] = bytes[i];
    cpu_wrote(at, n);
  }
  void set_hidden(uint32_t i, uint32_t h) {
    if (i < size_ / 2) hidden_[i] = static_cast<uint8_t>(h & 3);
  }

 private:
  uint8_t* data_;
  uint32_t size_;
  uint32_t swap_;
  std::vector<uint8_t> hidden_;
};

}  // namespace pumice::hw::rdp
