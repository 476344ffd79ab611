// SPDX-License-Identifier: MIT
/// Internal to hw/radeon/fast/pixel: the tables of routines.
#pragma once
#include "hw/radeon/fast/pixel/output.h"

namespace pumice::hw::fast::output {

/// Routines of one instruction set. Those before the rows return the routine for a State that prepare() has filled so far, or null: not
/// supported.
struct RoutineTable {
  DepthRoutine (*depth)(const State& state);
  /// For fast fill: reads the Z mask and calls State::depth_expanded for blocks that are not cleared.
  DepthRoutine (*fast_fill_depth)(const State& state);
  FogAlphaRoutine (*fog_alpha)(const State& state);
  SampleMaskRoutine sample_mask;
  ColorRoutine (*color)(const State& state, const Target& target);
  Resolving::Row (*resolve)(const Resolving& r);
  /// `count` times the first `bytes` (1, 2, 4, 8, 16) bytes of `bits`.
  void (*fill_row)(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count);
  /// `count` dwords become (dword & keep) | value.
  void (*merge_row)(std::byte* to, uint32_t keep, uint32_t value, size_t count);
};

/// The reference blocks behind the same signatures: all state is supported, unbacked pixels are dropped and counted as faults. No rows.
extern const RoutineTable kReferenceRoutines;

const RoutineTable& routine_table(Cpu cpu);

/// Every field is `kind`, rounds and is written, and nothing else comes after the blender.
bool is_plain(const Target& t, rb3d::Kind kind);
/// Four bytes, C0 lowest.
bool is_bytes(const Target& t);
/// fill() of target `i`, and resolve(), for targets with a colour mask.
void fill_masked(const State& state, size_t i, const rb3d::PixelBits& bits, const Rect& rect);
void resolve_masked(const State& state, const Rect& rect);

}  // namespace pumice::hw::fast::output

namespace pumice::hw::fast {
namespace portable {
const output::RoutineTable& output_routines();
}
namespace avx2 {
const output::RoutineTable& output_routines();
}
namespace avx512 {
const output::RoutineTable& output_routines();
}
}  // namespace pumice::hw::fast
