// SPDX-License-Identifier: MIT
/// See planes.h.
#include "hw/radeon/fast/extended/planes.h"

namespace pumice::hw::fast {

namespace portable {
extern const extended::PlaneRoutines kPlaneRoutines;
}
namespace avx2 {
extern const extended::PlaneRoutines kPlaneRoutines;
}
namespace avx512 {
extern const extended::PlaneRoutines kPlaneRoutines;
}

extended::PlaneRoutines extended::plane_routines([[maybe_unused]] Cpu cpu) {
#if defined(__x86_64__)
  if (cpu == Cpu::avx512) return avx512::kPlaneRoutines;
  if (cpu == Cpu::avx2) return avx2::kPlaneRoutines;
#endif
  return portable::kPlaneRoutines;
}

}  // namespace pumice::hw::fast
