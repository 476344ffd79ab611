// SPDX-License-Identifier: MIT
/// The fast front end: takes the place of vap::run. The same primitives in the same order, to the bit, from 16 vertices at a time.
#pragma once
#include <memory>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/raster/triangles.h"

namespace pumice::hw::fast::vertex {

/// Belongs to one chip; keeps programs and scratch memory from draw to draw. Its vertex cache is empty at the begin of each draw.
class Front {
 public:
  /// A program is compiled once so many vertices were interpreted.
  static constexpr uint32_t kNativeAfter = 256;
  explicit Front(Cpu cpu, uint32_t native_after = kNativeAfter, CodeNames names = {});
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  /// Primitives go to ga::primitive, plain triangles to `sink` if there is one. Draws it cannot do (programs of more than 2^14 steps,
  /// budgets that might run out) go to vap::run. `changed`: whether registers of Changes::kVertex may differ from the last call's.
  void run(DrawContext& ctx, const DrawInput& input, raster::TriangleSink* sink = nullptr, bool changed = true);

  struct Statistics {
    uint64_t batches = 0, native = 0;      ///< batches of 16; by native code
    uint64_t vertices = 0;                 ///< shaded
    uint64_t primitives = 0, careful = 0;  ///< primitives that arrived, and those that the reference's clipper decided
  };
  const Statistics& statistics() const;

  class State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace pumice::hw::fast::vertex
