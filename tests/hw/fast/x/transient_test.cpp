// SPDX-License-Identifier: MIT
/// Targets that are filled before draws and not needed behind them (a pass that neither loads nor stores them, FillInput::unstored): what
/// is drawn is that of the reference, and memory is not touched. Samples that are resolved: resolve_test.cpp. Random sequences:
/// tests/fuzz.h.
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
  void unstored(FillInput f) {
    f.unstored = true;
    fills_.push_back(f);
  }
  /// Clears the targets whose contents are undefined, before they are drawn to.
  void fill_unstored() {
    for (uint32_t i = 0; i < 2; ++i)
      if (std::exchange(unstored_[i], false)) fills_.push_back(fill_of_target(i));
    if (std::exchange(unstored_[2], false)) fills_.push_back(fill_of_numbered_depth(z_));
  }
  void random_pass() {
    if (below(4) == 0) z_ = between(0, 1);
    fill_unstored();
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
    if (below(6)) unstored(fill_of_numbered_depth(z_)), unstored_[2] = true;
    for (uint32_t i = 0; i < 2; ++i)
      if (below(4) == 0) unstored(fill_of_target(i)), unstored_[i] = true;
  }
  float z_ = 1;
  bool unstored_[3] = {};  ///< colour targets, depth
};

TEST_F(XTransient, RandomPassesLikeTheReference) {
  check_random([&] {
    *state = first_state_;
    for (uint32_t i = 0; i < 8; ++i) random_pass();
    fill_unstored();
    step({}, 3);
  });
}

TEST_F(XTransient, DepthOfAPassStaysInTheTile) {
  make_executors();
  const uint32_t kOther = 7, kWords = kDepthPitch * kSize / 4;
  depth_test(1, true);  // less
  vertices_in(whole_, 3);
  step([=, this] { std::fill_n(dwords(depth_), kWords, kOther); }, 0);
  for (uint32_t passes = 0; passes < 2; ++passes) {
    fills_.push_back(fill_of_target(0)), fills_.push_back(fill_of_numbered_depth(1));
    step({}, 3), step({}, 3);
    unstored(fill_of_numbered_depth(1));
    step({}, 0);
    step([] {}, 0);  // all is done before it
  }
  for (Executor& e : executors_) {
    execute([&](DrawContext& ctx, const DrawInput& input) { e.executor->draw(ctx, input); },
            [&](DrawContext& ctx) { e.executor->finish(ctx); },
            [&](DrawContext& ctx, const FillInput& f) { return e.executor->fill(ctx, f); },
            [&](DrawContext& ctx, const ResolveInput& in) { return e.executor->resolve(ctx, in); });
    EXPECT_EQ(std::count(dwords(depth_), dwords(depth_) + kWords, kOther), std::ptrdiff_t(kWords));
    EXPECT_NE(dwords(targets_[0])[40 * kPitch / 4 + 4 * 40], dwords(targets_[0])[1]) << "drawn to";
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
