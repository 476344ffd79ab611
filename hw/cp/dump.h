// SPDX-License-Identifier: MIT
/// Command streams in words: the dumping visitor of the packet decoder.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "hw/gpu.h"

namespace pumice::hw {

/// One line for the packet and one, indented, for each register it writes or thing it does.
std::string dump_packet(Profile profile, std::span<const uint32_t> packet);
/// A whole buffer, each packet with its dword position in front; says so where a packet is cut off.
std::string dump_stream(Profile profile, std::span<const uint32_t> words);

}  // namespace pumice::hw
