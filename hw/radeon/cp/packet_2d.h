// SPDX-License-Identifier: MIT
/// 2D packets: the GUI settings block (cp-pm4 s.4) and the rectangles, lines and scan lines behind it. Part of the packet decoder.
#pragma once
#include "hw/radeon/cp/packet.h"

namespace pumice::hw {

void visit_2d(pm4::Op op, std::span<const uint32_t> payload, PacketVisitor& visitor);
/// Packets without a settings block, which go on with that of an earlier one.
void visit_2d_next(pm4::Op op, std::span<const uint32_t> payload, PacketVisitor& visitor);

}  // namespace pumice::hw
