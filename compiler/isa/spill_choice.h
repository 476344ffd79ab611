// SPDX-License-Identifier: MIT
/// Which virtual registers should live in memory so that the others fit a register file.
#pragma once
#include "compiler/isa/allocate.h"

namespace pumice::compiler::isa {

inline constexpr uint32_t kNeverSpill = ~0u;

/// `cost`, per register: what keeping it in memory costs; kNeverSpill: it cannot. `registers_wanted`: so many registers of four channels
/// the rest shall need at most, by a count of channels: lanes of one value may still not find room in one register. Those that
/// keep most points free for their cost go first. Empty when nothing that may go would help.
Vec<uint32_t> choose_spills(const Vec<VirtualRegister>& registers, const Vec<Point>& points, const Vec<uint32_t>& cost,
                            uint32_t registers_wanted);

}  // namespace pumice::compiler::isa
