// SPDX-License-Identifier: MIT
/// The source lines behind the slots of a program, for listings.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "compiler/vec.h"

namespace pumice::compiler::isa {

/// Where in the SPIR-V what a slot does comes from: the first operation and the one that shares the slot; null: not known.
using SlotPlace = std::array<const uint32_t*, 2>;

/// "a.frag:7", or "a.frag:7, a.frag:9" where two operations share a slot; "" where the SPIR-V does not say.
std::vector<std::string> slot_lines(const Vec<SlotPlace>& places, std::span<const uint32_t> words);
/// A listing with them behind its slots: "  ; a.frag:7". Lines that begin with ';' are no slots.
std::string with_lines(const std::string& listing, const std::vector<std::string>& lines);

}  // namespace pumice::compiler::isa
