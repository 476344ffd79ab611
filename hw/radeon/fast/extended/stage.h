// SPDX-License-Identifier: MIT
/// The program of a stage with its data, ready for the groups of one draw or dispatch.
#pragma once
#include <vector>

#include "hw/radeon/fast/extended/images.h"
#include "hw/radeon/fast/extended/routine.h"
#include "hw/radeon/fast/extended/textures.h"

namespace pumice::hw::fast::extended {

/// A routine and the buffers that it names.
struct Variant {
  std::shared_ptr<const Routine> routine;
  std::vector<View> views;
  std::vector<std::vector<uint32_t>> copies;  ///< of View::constants
};

struct PreparedStage {
  std::shared_ptr<const hw::x::Program> program;
  hw::x::Resources needs;
  Variant partial, full;  ///< full: all 16 lanes exist and begin active; without routine where no group is
  Textures textures;
  Images images;
  lane::BufferView literals;
  uint32_t bools = 0;  ///< US_FC_BOOL_CONST
};

/// The view of a buffer; false: native code cannot access it, or it is not backed.
bool buffer_view(Memory& memory, uint64_t address, uint32_t size, View& view);

/// Empty if native code cannot execute it: the program uses something that only the reference supports, or a buffer that it names is not
/// backed, which the reference reports where it is used.
std::optional<PreparedStage> prepare(DrawContext& ctx, Routines& routines, hw::x::Stage stage, bool partial, bool full,
                                     GroupRows rows = GroupRows::any);
/// The same with code of the stage (Routines::find): `full` alone.
std::optional<PreparedStage> prepare(DrawContext& ctx, Routines& routines, hw::x::Stage stage, StageCode& code, const Routines::Words& key);
/// Updates `s`, made by prepare() for an earlier draw with the same program, code and key, after changes of only registers of
/// Changes::kConstants or memory. False: native code cannot execute it, and `s` is invalid.
bool bind(DrawContext& ctx, Routines& routines, hw::x::Stage stage, StageCode& code, const Routines::Words& key, PreparedStage& s);

}  // namespace pumice::hw::fast::extended
