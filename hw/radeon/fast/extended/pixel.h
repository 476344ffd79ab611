// SPDX-License-Identifier: MIT
/// Pixels of extended draws in blocks of 4x4.
#pragma once
#include <atomic>
#include <memory>
#include <string>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/fast/extended/routine.h"
#include "hw/radeon/fast/raster/inputs.h"
#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::fast {
class ReportQueue;
}

namespace pumice::hw::fast::extended {

/// State of one draw that its blocks need.
struct PixelJob {
  raster::PixelInputs inputs;
  int32_t width = 0, height = 0;  ///< pixels behind are not drawn
  uint32_t layers = 1;            ///< primitives of other layers are not drawn
};

class PixelWorker {
 public:
  PixelWorker(Memory& memory, ReportQueue& reports, const std::atomic<bool>& stop, std::atomic<uint64_t>& lost_draw, Cpu cpu);
  /// Null: the reference must draw; `why` says why if it is not null.
  static std::shared_ptr<const PixelJob> prepare(DrawContext& ctx, Routines& routines, std::string* why);
  void begin(const PixelJob& job, const Draw& draw);
  void block(const raster::Record& record, int32_t x, int32_t y, const LaneMask* covered);
  void end();

  uint64_t zpass = 0;  ///< since the pool last collected it
};

}  // namespace pumice::hw::fast::extended
