// SPDX-License-Identifier: MIT
/// PUMICE_DEBUG=packets: a command stream as text. Values are raw; pumice-trace decodes fields.
#pragma once
#include <cstdint>
#include <span>

namespace pumice::icd {

void dump_packets(uint32_t address, std::span<const uint32_t> dwords);

}  // namespace pumice::icd
