// SPDX-License-Identifier: MIT
/// The attribute commands: words to State.
#pragma once
#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

/// Executes one attribute command (all of them are one word); other opcodes change nothing.
void set_attributes(State& state, const uint64_t* words);

}  // namespace pumice::hw::rdp
