// SPDX-License-Identifier: MIT
/// Groups of vertex and fragment programs of extended draws by native code, called by the reference's blocks (x::run).
#pragma once
#include "hw/radeon/fast/extended/caller.h"
#include "hw/radeon/fast/extended/chosen.h"
#include "hw/radeon/fast/extended/stage.h"
#include "hw/radeon/jit/x/block_cache.h"

namespace pumice::hw::fast::extended {

class Runner final : public hw::x::GroupExecutor {
 public:
  explicit Runner(Routines& routines) : routines_(routines) {}
  /// Makes the groups of one draw native, for as long as the object lives. `ctx` is the draw's.
  class Draw {
   public:
    Draw(Runner& runner, DrawContext& ctx) : runner_(runner), programs_(ctx.programs) {
      if (programs_) programs_->groups = &runner;
    }
    ~Draw() {
      if (programs_) programs_->groups = nullptr;
      for (Stage& s : runner_.stages_) s.forget();
    }
    Draw(const Draw&) = delete;
    Draw& operator=(const Draw&) = delete;

   private:
    Runner& runner_;
    hw::x::Programs* const programs_;
  };

  bool run(DrawContext& ctx, const hw::x::Group& group) override;

 private:
  /// Of vertices and of fragments, made by the first group of a draw.
  struct Stage {
    bool known = false;
    std::optional<PreparedStage> prepared;
    std::optional<hw::us::GroupThread<hw::x::kGroupLanes>> thread;
    Caller caller;
    ChosenDescriptors chosen;
    GroupArgs args;
    Scratch scratch;
    void forget() { known = false, prepared.reset(), thread.reset(); }
  };
  void begin(DrawContext& ctx, const hw::x::Group& group, Stage& stage);

  Routines& routines_;
  std::array<Stage, 2> stages_;
  BlockCache blocks_;
};

}  // namespace pumice::hw::fast::extended
