// SPDX-License-Identifier: MIT
/// Callbacks::wide: an operation on numbers of 64 bits (docs/r5x.md s.4.2) in all lanes of a group, equal to hw/radeon/ref/us/wide.h.
#pragma once
#include "hw/common/simd/choose.h"
#include "hw/radeon/jit/x/args.h"

namespace pumice::hw::fast::extended {

using WideRoutine = void (*)(GroupArgs* args, GroupArgs*);
WideRoutine wide_routine(Cpu cpu);

namespace portable {
void wide_lanes(GroupArgs* args, GroupArgs*);
}
namespace avx2 {
void wide_lanes(GroupArgs* args, GroupArgs*);
}
namespace avx512 {
void wide_lanes(GroupArgs* args, GroupArgs*);
}

}  // namespace pumice::hw::fast::extended
