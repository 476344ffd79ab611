// SPDX-License-Identifier: MIT
/// The data of a draw that PixelWorker uses. Private to hw/radeon/fast/extended.
#pragma once
#include <optional>

#include "hw/radeon/fast/extended/later_routine.h"
#include "hw/radeon/fast/extended/picture.h"
#include "hw/radeon/fast/extended/pixel.h"
#include "hw/radeon/fast/extended/pixel_block.h"
#include "hw/radeon/fast/extended/pixel_code.h"
#include "hw/radeon/fast/extended/stage.h"

namespace pumice::hw::fast::extended {

/// The part that depends on programs and on all registers except those of Changes::kConstants and kVertexConstants; shared by draws.
struct PixelState : PixelTraits {
  std::shared_ptr<const hw::x::Program> program;
  lane::BufferView literals;
  uint32_t scratch = 0;                        ///< bytes of a lane
  std::array<PixelKey, 2> key;                 ///< [1]: of back facing primitives, where two_sided
  std::array<std::vector<uint32_t>, 2> words;  ///< of the keys
  bool two_sided = false;
  bool collects = false;  ///< blocks may be collected (collected.h), if the program does not see other lanes
  bool packs = false;     ///< quads may be packed (packed.h)
  PixelConstants constants;
  BlockDraw blocks;
  uint64_t group_budget = 0;
};

/// Makes `made`, which is new. False, and the reason, if the reference must draw it.
bool make_pixel_state(DrawContext& ctx, PixelState& made, std::string* why);

struct DrawJob final : PixelJob {
  uint64_t number = 0;  ///< another one for each content
  std::shared_ptr<const PixelState> state;
  struct Face {
    std::shared_ptr<const Routine> routine;
    std::shared_ptr<LaterRoutine> collected;  ///< for collected blocks or packed quads; null: there are none
    bool packed = false;                      ///< the latter
  };
  std::array<Face, 2> face;                    ///< as PixelState::key
  Picture rows;                                ///< PixelTraits::picture
  std::shared_ptr<const ChipState> registers;  ///< where Routine::calls(): but for those of bindings, which PixelBindings has
  const raster::PixelInputs& inputs() const override { return state->key[0].inputs; }
};

}  // namespace pumice::hw::fast::extended
