// SPDX-License-Identifier: MIT
/// Depth that is filled before draws and behind them (a pass that neither loads nor stores it): what is drawn is that of the reference,
/// and memory is not touched. Random sequences: tests/fuzz.h.
#include "tests/hw/fast/x/kept_rig.h"

namespace pumice::hw::x_test {
namespace {

class XTransient : public XKept {
 protected:
  FillInput fill_of_numbered_depth(float z) {
    FillInput f = fill_of_depth(z);
    f.surface = 7;
    return f;
  }
  void random_pass() {
    if (below(4) == 0) z_ = between(0, 1);
    if (below(3)) fills_.push_back(fill_of_target(below(2)));
    if (below(8)) fills_.push_back(fill_of_numbered_depth(z_));
    depth_test(below(8), below(8) != 0);
    for (uint32_t draws = below(4); draws; --draws) {
      if (below(6) == 0) fills_.push_back(fill_of_target(below(2)));
      if (below(12) == 0) fills_.push_back(fill_of_numbered_depth(between(0, 1)));  // as vkCmdClearAttachments does
      if (below(6) == 0) depth_test(below(8), below(2));
      if (below(4) == 0) set(r5x::X_SCISSOR_TL{}.X(below(70)).Y(below(70)));
      if (below(8) == 0) fragment_program(2 + below(3));
      below(4) ? step({}, 3 * (1 + below(8))) : change();
    }
    if (below(6)) fills_.push_back(fill_of_numbered_depth(below(6) ? z_ : between(0, 1)));
  }
  float z_ = 1;
};

TEST_F(XTransient, RandomPassesLikeTheReference) {
  check_random([&] {
    *state = first_state_;
    for (uint32_t i = 0; i < 8; ++i) random_pass();
    step({}, 3);
  });
}

TEST_F(XTransient, DepthOfAPassStaysInTheTile) {
  make_executors();
  constexpr uint32_t kOther = 7, kWord = 40 * kDepthPitch / 4 + 40;
  depth_test(1, true);  // less
  vertices_in(whole_, 3);
  const auto pass = [this] {
    fills_.push_back(fill_of_target(0)), fills_.push_back(fill_of_numbered_depth(1));
    step({}, 3), step({}, 3);
    fills_.push_back(fill_of_numbered_depth(1));
  };
  pass();
  step([] {}, 0);
  // The host writes behind the executor's back what it is not to read, and what it is not to overwrite.
  step([this] { dwords(depth_)[kWord] = kOther; }, 0);
  pass();
  step({}, 0);
  for (Executor& e : executors_) {
    execute([&](DrawContext& ctx, const DrawInput& input) { e.executor->draw(ctx, input); },
            [&](DrawContext& ctx) { e.executor->finish(ctx); },
            [&](DrawContext& ctx, const FillInput& f) { return e.executor->fill(ctx, f); },
            [&](DrawContext& ctx, const ResolveInput& in) { return e.executor->resolve(ctx, in); });
    EXPECT_EQ(dwords(depth_)[kWord], kOther);
    EXPECT_EQ(dwords(depth_)[0], bits(1)) << "the fill";
    EXPECT_NE(dwords(targets_[0])[40 * kPitch / 4 + 4 * 40], dwords(targets_[0])[1]) << "drawn to";
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
