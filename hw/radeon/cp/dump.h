// SPDX-License-Identifier: MIT
/// Packets in words: the dumping visitor of the packet decoder. dump_stream is in hw/radeon/gpu.h, for drivers.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "hw/types.h"

namespace pumice::hw {

/// One line for the packet and one indented line per register write or other effect.
std::string dump_packet(Profile profile, std::span<const uint32_t> packet);

}  // namespace pumice::hw
