// SPDX-License-Identifier: MIT
/// A write of a register.
#pragma once
#include <cstdint>

namespace pumice::hw {

struct RegisterValue {
  uint32_t offset, value;
};

}  // namespace pumice::hw
