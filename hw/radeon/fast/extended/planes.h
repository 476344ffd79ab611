// SPDX-License-Identifier: MIT
/// Planes of 1/w and of the varyings of an extended draw's primitive (hw/radeon/ref/xr/fragment.cpp, Varyings), vectorised across varyings.
/// Called with FTZ and DAZ set.
#pragma once
#include "hw/common/simd/cpu.h"
#include "hw/radeon/fast/extended/pixel_args.h"

namespace pumice::hw::fast::extended {

/// value = (origin + x*dx) + y*dy, x and y in grid steps from point 0.
struct alignas(64) Planes {
  double origin[kMostPlanes], dx[kMostPlanes], dy[kMostPlanes];
  double w = 0, w_dx = 0, w_dy = 0;
};

struct PlaneRoutines {
  /// Planes and the steps in `args`. `linear`: by plane, stride of them.
  void (*make)(Planes& planes, PixelArgs& args, const raster::Record& record, const uint8_t* linear);
  /// PixelArgs::base and w of the block whose first pixel's centre is (x, y) grid steps from point 0.
  void (*at)(const Planes& planes, PixelArgs& args, uint32_t stride, double x, double y);
};
PlaneRoutines plane_routines(Cpu cpu);

}  // namespace pumice::hw::fast::extended
