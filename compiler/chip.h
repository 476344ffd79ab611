// SPDX-License-Identifier: MIT
/// Chip limits seen by the compiler: one row of plain numbers per chip, made from its capabilities (hw/db/chips.xml) and passed in
/// PipelineSource. No other compiler code names a chip or hard-codes a limit. The maxima that instruction words can encode (as opposed to
/// what a chip has) are defined next to the words, in us/machine.h and pvs/machine.h.
#pragma once
#include <cstdint>
#include <string_view>

#include "hw/db/chips.h"

namespace pumice::compiler {

struct ChipLimits {
  enum class BackEnd : uint8_t {
    none,
    pvs_us_r500,  ///< pvs/ and us/
    pvs_us_r300,  ///< pvs/ and us_r300/: fragment programs of levels
    x,            ///< us/ with the extension blocks, all stages (docs/r5x.md)
  };

  std::string_view name;  ///< in diagnostics
  uint8_t id = 0;         ///< part of source_key(): another one for each row
  BackEnd back_end = BackEnd::none;
  // Number systems and stages; the names of these members are what diagnostics name.
  bool integers = false;         ///< 32-bit integers and booleans in shaders; without, lower_integers makes floats of them
  bool compute = false;          ///< compute programs
  bool flow_control = true;      ///< fragment programs have loops and branches; without, all of them are unrolled and converted
  bool lookups_by_level = true;  ///< lookups with a given level or gradients, texel coordinates
  bool derivatives = true;       ///< of the fragment unit; without, the vertex program has slopes of its triangle (driver/slopes.h)
  bool sines = true;             ///< of the fragment unit; without, polynomials
  bool flat_varyings = true, facing = true, window_position = true;  ///< what the rasterizer gives besides interpolated vectors
  bool memory = false;  ///< descriptors in memory, loads, stores and atomics by byte address, and all that docs/r5x.md has besides integers

  uint32_t interpolators = 0;      ///< vectors from the vertex to the fragment stage
  uint32_t loop_rounds = 0;        ///< of one hardware loop; two nested ones make loop_rounds^2
  int32_t loop_step = 0;           ///< the largest step of a loop's index
  uint32_t branch_depth = 0;       ///< nested branches of a fragment program with full flow control
  uint32_t flat_branch_depth = 0;  ///< without

  struct Vertex {
    uint32_t slots = 0, temps = 0, constants = 0;
    uint32_t inputs = 0, outputs = 0;
    bool compares = true;     ///< equality, selection, IEEE forms of scalar functions
    bool absolute = true;     ///< of operands
    bool saturates = true;    ///< results
    uint32_t loops = 0;       ///< flow control entries
    uint32_t loop_depth = 0;  ///< nested loops
  } vertex;
  struct Fragment {
    uint32_t slots = 0, temps = 0, constants = 0;
    uint32_t tex_slots = 0, levels = 0;  ///< of chips with stores of their own for texture instructions (`slots`: ALU); else 0
    uint32_t literals = 0;               ///< of a program in memory, of which operands name the first `constants`
    uint32_t texture_units = 0, targets = 0;
    uint32_t loop_constants = 0;
    uint32_t loop_depth = 0;
    uint32_t exact_bits = 24;  ///< whole numbers up to 2^exact_bits are exact
  } fragment;

  /// Of a stage's floats: whole numbers up to 2^n are exact.
  uint32_t exact_bits(bool of_fragments) const { return of_fragments ? fragment.exact_bits : 24; }

  /// Of two hardware loops around each other.
  uint32_t nested_rounds() const { return loop_rounds * loop_rounds; }
};

/// A strict chip: us-isa A1..A9 and pvs-isa 1, 9.
constexpr ChipLimits strict_limits(const hw::Capabilities& c, std::string_view name, uint8_t id) {
  return {
      .name = name,
      .id = id,
      .back_end = c.us_slots ? ChipLimits::BackEnd::pvs_us_r500 : ChipLimits::BackEnd::pvs_us_r300,
      .integers = c.us_has_integers,
      .flow_control = c.us_has_flow_control,
      .lookups_by_level = c.us_slots != 0,
      .derivatives = c.us_slots != 0,
      .sines = c.us_slots != 0,
      .flat_varyings = c.has_shader_model_3,
      .facing = c.us_slots != 0,
      .window_position = c.us_slots != 0,
      .interpolators = c.texcoord_sets,
      .loop_rounds = c.us_loop_rounds,
      .loop_step = static_cast<int32_t>(c.us_loop_step),
      .branch_depth = c.us_branch_depth,
      .flat_branch_depth = c.us_flat_branch_depth,
      .vertex = {.slots = c.pvs_slots,
                 .temps = c.pvs_temps,
                 .constants = c.pvs_constants,
                 .inputs = c.pvs_inputs,
                 .outputs = c.pvs_outputs,
                 .compares = c.pvs_has_compares,
                 .absolute = c.pvs_has_absolute_value,
                 .saturates = c.pvs_has_saturation,
                 .loops = c.pvs_flow_entries,
                 .loop_depth = c.pvs_loop_depth},
      .fragment = {.slots = c.us_slots ? c.us_slots : c.us_alu_slots,
                   .temps = c.us_temps,
                   .constants = c.us_constants,
                   .tex_slots = c.us_slots ? 0 : c.us_tex_slots,
                   .levels = c.us_slots ? 0 : c.us_indirections,
                   .texture_units = c.texture_units,
                   .targets = c.color_targets,
                   .loop_constants = c.us_int_constants,
                   .loop_depth = c.us_loop_depth,
                   .exact_bits = c.us_has_fp24 ? 17u : 24u},
  };
}

/// Extended programs (docs/r5x.md). Loops, branches and what a program reads are bounded by its slots alone; what a stage may have is the
/// same for all of them, so `vertex` counts attributes, varyings and what else differs.
constexpr ChipLimits extended_limits(const hw::Capabilities& c, std::string_view name, uint8_t id) {
  return {
      .name = name,
      .id = id,
      .back_end = ChipLimits::BackEnd::x,
      .integers = c.us_has_integers,
      .compute = c.workgroup_invocations != 0,
      .memory = c.has_extended_shaders,
      .interpolators = c.x_varyings,
      .vertex = {.slots = c.x_slots, .temps = c.us_temps, .constants = c.us_constants, .inputs = c.x_attributes, .outputs = c.x_varyings},
      .fragment = {.slots = c.x_slots, .temps = c.us_temps, .constants = c.us_constants, .literals = c.x_literals, .targets = c.x_targets},
  };
}

/// Of any chip: invocations of a workgroup, and its local memory in bytes.
inline constexpr uint32_t kMostInvocations = hw::most::workgroup_invocations, kMostLocalMemory = hw::most::local_memory;

inline constexpr ChipLimits kR500 = strict_limits(hw::capabilities(hw::Profile::r500), "R5xx", 1);
inline constexpr ChipLimits kR300 = strict_limits(hw::capabilities(hw::Profile::r300), "R3xx", 3);
inline constexpr ChipLimits kR5x = extended_limits(hw::capabilities(hw::Profile::r5x), "R5xx with extension blocks", 2);

}  // namespace pumice::compiler
