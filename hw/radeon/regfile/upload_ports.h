// SPDX-License-Identifier: MIT
/// The FIFO-like ports through which programs and constants reach the on-chip stores: VAP_PVS_VECTOR_* (pvs-isa s.10),
/// GA_US_VECTOR_* and the US shadow windows of R5xx (us-isa A1), US_CODE_BANK of R4xx (us-isa B1), TX_FILTER4 (pipeline s.6).
#pragma once
#include <cstdint>
#include <span>

#include "hw/radeon/regfile/register_file.h"

namespace pumice::hw {

class UploadPorts {
 public:
  UploadPorts(ChipState& state, RegisterFile& registers);
  void reset();
  /// As if the values had been written to the register one by one; false (nothing done) when it is none of the data ports.
  bool take(uint32_t offset, std::span<const uint32_t> values);

 private:
  void set(uint32_t& word, uint32_t value, uint8_t group);
  void pvs_data(uint32_t value);
  void us_data(uint32_t value);
  uint8_t pvs_group(uint32_t at) const;
  void filter4(uint32_t value);
  void code_bank(uint32_t bank);

  ChipState& state_;
  RegisterFile& registers_;
  uint32_t pvs_component_ = 0;  ///< dword within the vector at VAP_PVS_VECTOR_INDX_REG
  uint32_t us_word_ = 0;        ///< dword within the slot or constant at GA_US_VECTOR_INDEX
  uint32_t bank_ = 0;           ///< that the registers of R3xx code show
};

}  // namespace pumice::hw
