// SPDX-License-Identifier: MIT
/// Chip limits seen by the compiler: one row of plain numbers per chip, passed in PipelineSource. No other compiler code names a chip or
/// hard-codes a limit. The maxima that instruction words can encode (as opposed to what a chip has) are defined next to the words, in
/// us/machine.h and pvs/machine.h.
#pragma once
#include <cstdint>
#include <string_view>

namespace pumice::compiler {

struct ChipLimits {
  enum class BackEnd : uint8_t {
    none,
    pvs_us_r500,  ///< pvs/ and us/
    x,            ///< us/ with the extension blocks, all stages (docs/r5x.md)
  };

  std::string_view name;  ///< in diagnostics
  uint8_t id = 0;         ///< part of source_key(): another one for each row
  BackEnd back_end = BackEnd::none;
  // Number systems and stages; the names of these members are what diagnostics name.
  bool integers = false;  ///< 32-bit integers and booleans in shaders; without, lower_integers makes floats of them
  bool compute = false;   ///< compute programs
  bool memory = false;  ///< descriptors in memory, loads, stores and atomics by byte address, and all that docs/r5x.md has besides integers

  uint32_t interpolators = 0;      ///< vectors from the vertex to the fragment stage
  uint32_t loop_rounds = 0;        ///< of one hardware loop; two nested ones make loop_rounds^2
  int32_t loop_step = 0;           ///< the largest step of a loop's index
  uint32_t branch_depth = 0;       ///< nested branches of a fragment program with full flow control
  uint32_t flat_branch_depth = 0;  ///< without

  struct Vertex {
    uint32_t slots = 0, temps = 0, constants = 0;
    uint32_t inputs = 0, outputs = 0;
    uint32_t loops = 0;       ///< flow control entries
    uint32_t loop_depth = 0;  ///< nested loops
  } vertex;
  struct Fragment {
    uint32_t slots = 0, temps = 0, constants = 0;
    uint32_t literals = 0;  ///< of a program in memory, of which operands name the first `constants`
    uint32_t texture_units = 0, targets = 0;
    uint32_t loop_constants = 0;
    uint32_t loop_depth = 0;
  } fragment;

  /// Of two hardware loops around each other.
  uint32_t nested_rounds() const { return loop_rounds * loop_rounds; }
};

/// us-isa A1..A9 and pvs-isa 1, 9.
inline constexpr ChipLimits kR500{
    .name = "R5xx",
    .id = 1,
    .back_end = ChipLimits::BackEnd::pvs_us_r500,
    .interpolators = 10,
    .loop_rounds = 255,
    .loop_step = 127,
    .branch_depth = 32,
    .flat_branch_depth = 4,
    .vertex = {.slots = 1024, .temps = 32, .constants = 256, .inputs = 16, .outputs = 16, .loops = 16, .loop_depth = 8},
    .fragment = {.slots = 512, .temps = 128, .constants = 256, .texture_units = 16, .targets = 4, .loop_constants = 32, .loop_depth = 4},
};

/// docs/r5x.md. Loops, branches and what a program reads are bounded by its slots alone; what a stage may have is the same for all of them,
/// so `vertex` counts attributes, varyings and what else differs.
inline constexpr ChipLimits kR5x{
    .name = "R5xx with extension blocks",
    .id = 2,
    .back_end = ChipLimits::BackEnd::x,
    .integers = true,
    .compute = true,
    .memory = true,
    .interpolators = 32,
    .vertex = {.slots = 65535, .temps = 128, .constants = 256, .inputs = 32, .outputs = 32},
    .fragment = {.slots = 65535, .temps = 128, .constants = 256, .literals = 65535, .targets = 8},
};

}  // namespace pumice::compiler
