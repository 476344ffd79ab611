// SPDX-License-Identifier: MIT
/// See pixel_block.h.
#include "hw/radeon/fast/extended/pixel_block.h"

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

extended::BlockRoutines extended::block_routines([[maybe_unused]] Cpu cpu) {
#if defined(__x86_64__)
  if (cpu == Cpu::avx512) return avx512::kBlockRoutines;
  if (cpu == Cpu::avx2) return avx2::kBlockRoutines;
#endif
  return portable::kBlockRoutines;
}

}  // namespace pumice::hw::fast
