// SPDX-License-Identifier: MIT
/// IR -> IR: everything between the frontend and the back ends. run_passes() brings a valid module into chip form (ir/ir.h).
#pragma once
#include <functional>
#include <string>

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

namespace pumice::compiler {

struct PassOptions {
  const ChipLimits* chip = nullptr;                            ///< never null in run_passes()
  std::vector<std::pair<TexturePair, TextureFacts>> textures;  ///< as in PipelineSource
  uint32_t color_attachments = ~0u;                            ///< fragment outputs elsewhere are dropped
  std::string* log = nullptr;                                  ///< receives the IR after every pass that changed it
  bool allow_ladders = true;                                   ///< else indexing a temporary at run time is refused
  bool check = true;                                           ///< validate after every pass (internal errors become diagnostics)
  bool check_form = true;                                      ///< that the result has chip form
};

/// False with at least one diagnostic if the chip cannot implement the module.
bool run_passes(ir::Module& module, const PassOptions& options, std::vector<Diagnostic>& diagnostics);

namespace passes {

struct Context {
  ir::Module& module;
  const PassOptions& options;
  std::vector<Diagnostic>& diagnostics;
  bool settled = true;  ///< cleared by reduce and eliminate_dead where what they did may give them more to do
  /// `at`: see ir::Origin.
  void refuse(const std::string& text, const uint32_t* at);  ///< `at`: ir::origin(), a row's; null without line
};

/// A pass transforms the module and returns whether it changed anything. One file per pass.
struct Pass {
  const char* name;
  bool (*run)(Context&);
  bool floats = false;  ///< serves chips without integers: run_passes() leaves it out on a module that has integers
};
/// All passes by name (for tests and tools).
std::span<const Pass> all();
const Pass* find(std::string_view name);

bool lower_wide(Context&);        ///< values of 64 bits -> pairs of words (chips with memory)
bool lower_integers(Context&);    ///< integers and booleans -> floats (chips without integers)
bool constant_arrays(Context&);   ///< temporaries that only ever hold one set of constants -> immediate uniform blocks
bool promote_temps(Context&);     ///< temporaries with static indices only -> SSA values
bool lower_arrays(Context&);      ///< dynamic indices of temporaries -> select ladders
bool fold_constants(Context&);    ///< also decided ifs and dynamic indices that became constant
bool propagate_copies(Context&);  ///< also swizzles, signs and vec
bool simplify(Context&);          ///< algebra: neutral elements, strength, saturate
bool eliminate_common(Context&);
bool reduce(Context&);  ///< the four above in one walk
bool eliminate_dead(Context&);
bool unroll_loops(Context&);
bool bound_loops(Context&);  ///< vertex stage: loops get a fixed number of rounds
bool convert_ifs(Context&);
bool check_exactness(Context&);
bool fold_addresses(Context&);     ///< literal parts of addresses -> the instruction (chips with memory)
bool merge_loads(Context&);        ///< of neighbouring words (chips with memory)
bool lower_derivatives(Context&);  ///< of varyings, where the fragment unit has none
bool lower_inputs(Context&);       ///< window coordinates from the clip position, where the rasterizer gives none
bool lower_textures(Context&);
bool lower_math(Context&);
bool lower_uniforms(Context&);
bool form_mads(Context&);
bool scalarize(Context&);
bool finish(Context&);  ///< outputs last, unused table rows gone

}  // namespace passes
}  // namespace pumice::compiler
