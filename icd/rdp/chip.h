// SPDX-License-Identifier: MIT
/// The RDP's row of the chip table.
#pragma once
#include "icd/physical_device.h"

namespace pumice::icd {

constexpr uint32_t kRdramUnit = 1u << 20;  ///< sizes of RDRAM are multiples
constexpr uint32_t kMaxImage = 2048;       ///< extent of images; the chip draws into kMaxDraw
constexpr uint32_t kMaxDraw = 1024;        ///< Set Color Image's width has 10 bits, coordinates 10.2

ChipInfo rdp_chip();

}  // namespace pumice::icd
