// SPDX-License-Identifier: MIT
/// Texture units of the fast executor: prepared once per draw, then called by the shader routines for blocks (block.h, UnitHead).
#pragma once
#include <array>
#include <atomic>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/texture/unit.h"
#include "hw/radeon/ref/tx/lookup.h"

namespace pumice::hw::fast::tx {

/// A unit and what its slow path needs. Large; prepared in place.
struct Prepared : Unit {
  hw::tx::Texture texture;
  const Memory* memory = nullptr;
  const hw::tx::Filter4Kernel* kernel = nullptr;
  uint32_t number = 0;
  bool direct = false;  ///< SIMD routines; else the reference, quad by quad
  Shape shape = Shape::flat;
  Texels texels = Texels::fields;
  bool kills = false;                         ///< the chroma key may kill: SampleArgs::killed
  hw::tx::Complaints complaints = 0;          ///< reported once a lookup was made
  mutable std::atomic<bool> touched = false;  ///< a lookup was made (units with complaints)

  Prepared() = default;
  Prepared(const Prepared&) = delete;
};

/// Fills `out` from the registers of unit `number`. `state` (its filter4 kernel) and the pages of `memory` stay until the draw is done.
/// A texture of a common format whose reachable levels are all backed gets SIMD routines; all others go through the reference, so faults
/// are counted the same.
void prepare(Prepared& out, const ChipState& state, Memory& memory, uint32_t number, Cpu cpu);

/// Reports what the reference would have reported, once per draw, on the thread that owns ctx.
void take_reports(const Prepared& unit, DrawContext& ctx);

}  // namespace pumice::hw::fast::tx
