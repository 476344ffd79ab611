// SPDX-License-Identifier: MIT
/// Packets and register values with numbers in place of addresses, so that recordings of two runs can be compared.
#pragma once
#include <unordered_map>

#include "hw/radeon/cp/packet.h"

namespace pumice::hw::trace {

/// Numbers addresses in the order in which they come up.
class AddressNames {
 public:
  uint64_t of(uint64_t address) { return names_.try_emplace(address, names_.size()).first->second; }

 private:
  std::unordered_map<uint64_t, uint64_t> names_;
};

/// The bits of a register that are an address; 0: it holds none.
uint32_t address_bits(uint32_t offset);
/// A value of the register at `offset`, its address replaced by the address' name: two words.
inline uint64_t normal_value(AddressNames& names, uint32_t offset, uint32_t value) {
  const uint32_t mask = address_bits(offset);
  return mask && (value & mask) ? names.of(value & mask) << 32 | (value & ~mask) : value;
}
/// A number that is the same for packets that do the same.
/// A NOP that declares a module or program (docs/trace.md, "Labels"): not what the chip computes.
bool declares_module(std::span<const uint32_t> packet);

uint64_t normal_packet(Profile profile, AddressNames& names, std::span<const uint32_t> words);

}  // namespace pumice::hw::trace
