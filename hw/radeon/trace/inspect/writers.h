// SPDX-License-Identifier: MIT
/// Which packet wrote a register last, and how the registers of two draws differ.
#pragma once
#include <functional>
#include <unordered_map>

#include "hw/radeon/cp/packet.h"
#include "hw/radeon/cp/reporter.h"

namespace pumice::hw::trace {

class Writers {
 public:
  explicit Writers(Profile profile) : profile_(profile) {}
  /// Each packet before it is executed.
  void packet(const Where& where, std::span<const uint32_t> words);
  /// "ring dword 0x12, type 0 write of ZB_CNTL", or "the host" for registers that no packet wrote. Of several registers that write the
  /// same store: the last packet.
  std::string writer(std::initializer_list<uint32_t> offsets) const;

 private:
  const Profile profile_;
  struct Write {
    uint64_t number = 0;
    Where where;
  };
  std::unordered_map<uint32_t, Write> last_;  ///< by byte offset
  uint64_t packets_ = 0;
};

/// Calls see(offset) for each register that a draw depends on, i.e. that is in a dirty group, in the order of addresses.
void each_state_register(Profile profile, const std::function<void(uint32_t)>& see);

}  // namespace pumice::hw::trace
