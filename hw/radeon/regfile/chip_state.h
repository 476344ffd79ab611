// SPDX-License-Identifier: MIT
/// Everything a draw depends on besides memory: the register values and the stores that are loaded through register ports.
/// Plain data, so that a draw can take a snapshot by copying it.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "hw/db/groups.h"
#include "hw/db/regs_r300.h"
#include "hw/db/regs_r500.h"
#include "hw/radeon/regfile/on_chip_ram.h"
#include "hw/types.h"

namespace pumice::hw {

struct ChipState {
  explicit ChipState(Profile chip) : profile(chip) {}
  Profile profile;
  const Capabilities& chip() const { return capabilities(profile); }
  /// Register values by dword index (byte offset / 4). Values only; hooks and ports are elsewhere in hw/radeon/regfile.
  std::array<uint32_t, kRegistersEnd / 4> reg{};
  /// US instruction store (R5xx): slots of 6 dwords in the order of the GA_US_VECTOR_DATA port (us-isa A1).
  /// R4xx: both stores, bank after bank (UploadPorts), slot n has the dwords of ALU instruction n and, last, of texture instruction n; of
  /// the bank that US_CODE_BANK selects the registers hold them.
  std::array<std::array<uint32_t, 6>, most::us_slots> us_code{};
  /// US constants (r,g,b,a), FP32 bits.
  std::array<std::array<uint32_t, 4>, most::us_constants> us_const{};
  /// PVS vector memory by octword address: code, constants, user clip planes (Capabilities::pvs_*, pvs-isa s.10).
  std::array<std::array<uint32_t, 4>, most::pvs_memory> pvs{};
  /// Kernel of the filter4 texture filter (R5xx): [horizontal, vertical][phase][tap] in 1/512, loaded by TX_FILTER4 (pipeline s.6).
  std::array<std::array<std::array<int16_t, 4>, 9>, 2> filter4{};
  /// The chip's RAMs; a copy of the state shares them. Null in block tests: fast fill is off then.
  OnChipRams* rams = nullptr;

  uint32_t raw(uint32_t byte_offset) const { return reg[byte_offset / 4]; }
  float raw_float(uint32_t byte_offset) const { return std::bit_cast<float>(raw(byte_offset)); }
  /// get<regs::ZB_CNTL>() or get<regs::TX_FORMAT0>(unit).
  template <class R>
  R get(uint32_t i = 0) const {
    return R{raw(R::at(i))};
  }
  template <class R>
  void set(R value, uint32_t i = 0) {
    reg[R::at(i) / 4] = value.raw;
  }
  template <class R>
  float get_float(uint32_t i = 0) const {
    return raw_float(R::at(i));
  }
};

/// Loads every register's reset value for the profile and clears the stores.
void reset(ChipState& state, Profile profile);

}  // namespace pumice::hw
