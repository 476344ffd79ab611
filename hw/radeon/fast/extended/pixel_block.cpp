// SPDX-License-Identifier: MIT
/// See pixel_block.h.
#include "hw/radeon/fast/extended/pixel_block.h"

#include "hw/common/simd/choose.h"

namespace pumice::hw::fast {

namespace portable {
extern const extended::BlockRoutines kBlockRoutines;
}
namespace avx2 {
extern const extended::BlockRoutines kBlockRoutines;
}
namespace avx512 {
extern const extended::BlockRoutines kBlockRoutines;
}

extended::BlockRoutines extended::block_routines(Cpu cpu) { PUMICE_RETURN_FOR(cpu, kBlockRoutines); }

}  // namespace pumice::hw::fast
