// SPDX-License-Identifier: MIT
/// The line of a US instruction without what exact.h adds, common to the R5xx and the R3xx. Private to this folder.
#pragma once
#include "hw/common/text/scanner.h"
#include "hw/db/isa_us_r500.h"

namespace pumice::hw::assembly {

/// Up to the corrections; an error is in the scanner.
isa::us_r500::Instruction parse_us(text::Scanner& s);

}  // namespace pumice::hw::assembly
