// SPDX-License-Identifier: MIT
/// X registers under a short name.
#pragma once
#include "hw/db/regs_r5x.h"
#include "icd/cs.h"

namespace pumice::icd::r5x {

namespace xr = pumice::regs::r5x;

/// Cs::state() of a register whose whole value is at hand.
template <class R>
void state_raw(Cs& cs, uint32_t value, uint32_t i = 0) {
  R r;
  r.raw = value;
  cs.state(r, i);
}
template <class Lo, class Hi>
void state_address(Cs& cs, hw::GpuAddress address, uint32_t i = 0) {
  state_raw<Lo>(cs, static_cast<uint32_t>(address), i);
  state_raw<Hi>(cs, static_cast<uint32_t>(address >> 32), i);
}

}  // namespace pumice::icd::r5x
