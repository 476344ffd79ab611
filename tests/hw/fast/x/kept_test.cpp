// SPDX-License-Identifier: MIT
/// Draws that differ in little from the one before them: what the fast executor keeps from draw to draw must be made again exactly where a
/// register or memory changed. Changes are reported as the register file reports them (hw/radeon/regfile/changes.h); memory changes between
/// finish() and the next draw, as on a chip. Fills between them, which the executor may hold back. Targets bit for bit against the
/// reference. Which sequences: tests/fuzz.h.
#include "tests/hw/fast/x/kept_rig.h"

namespace pumice::hw::x_test {
namespace {

TEST_F(XKept, RandomChangesLikeTheReference) {
  check_random([&] {
    step();
    for (uint32_t i = 0; i < 24; ++i) change();
  });
}

/// As an application that has several pipelines: draws return to earlier states, with the bindings of then or with others.
TEST_F(XKept, RandomStatesInTurnLikeTheReference) {
  check_random([&] {
    *state = first_state_;
    std::vector<ChipState> known{*state};
    step();
    for (uint32_t i = 0; i < 30; ++i) {
      const ChipState before = *state;
      *state = known[below(uint32_t(known.size()))];
      if (below(3) == 0) bindings_of(before);
      const bool another = below(3) == 0;
      if (another) other_state();
      below(2) ? change() : step();
      if (!another) continue;
      if (known.size() < 12)  // more than are kept
        known.push_back(*state);
      else
        known[below(12)] = *state;
    }
  });
}

TEST_F(XKept, RandomFillsLikeTheReference) {
  check_random([&] {
    for (uint32_t i = 0; i < 16; ++i) {
      random_fills();
      change();
    }
    random_fills();
    step();
  });
}

TEST_F(XKept, FillsOfTargetsAreClearsOfTiles) {
  make_executors();
  depth_test(1, true);
  fills_ = {fill_of_target(0), fill_of_depth(1)};
  vertices_in(whole_, 3);
  step({}, 3);
  fills_ = {fill_of_target(0), fill_of_depth(1)};  // the same targets again, behind draws
  step({}, 3);
  check("fills of both targets, twice");
  EXPECT_EQ(filled_now_, 0u);
  steps_.clear();
  fills_ = {fill_of_target(0)};
  set(r5x::X_SCISSOR_BR{}.X(10).Y(10));
  step({}, 3);
  check("most tiles are not drawn to");
  EXPECT_EQ(filled_now_, executors_.size());
}

/// Rows of tiles that nothing draws on are one run where the memory has a number. What lies between the rows is 0, as the pattern.
TEST_F(XKept, ClearsOfNumberedMemoryAreRuns) {
  make_executors();
  constexpr uint32_t kWidth = 20, kRows = 300, kRowBytes = kWidth * 16, kFarPitch = kRowBytes + 16;
  static_assert(kFarPitch * kRows <= kPitch * kSize);
  set(r5x::X_CB_PITCH{kFarPitch}), set(r5x::X_CB_EXTENT{}.WIDTH(kWidth - 1).HEIGHT(kRows - 1));
  set(r5x::X_ZB_BASE_HI{}), set(r5x::X_VIEWPORT_YSCALE{bits(kRows / 2)}), set(r5x::X_VIEWPORT_YOFFSET{bits(kRows / 2)});
  set(r5x::X_SCISSOR_TL{}.Y(64)), set(r5x::X_SCISSOR_BR{}.X(kWidth).Y(kRows));
  vertices_in(whole_, 3);
  const FillInput by_rows{targets_[0], kRowBytes, kFarPitch, kRows, pattern()}, run{targets_[0], kRowBytes, kFarPitch, kRows, {}, 1};
  ASSERT_TRUE(run.is_run() && !by_rows.is_run());
  for (const FillInput& f : {by_rows, run}) fills_ = {f}, step({}, 3);
  check("five rows of tiles, of which the first is not drawn to");
  EXPECT_EQ(filled_now_, 0u);
}

TEST_F(XKept, AFillThatNothingDrawsOnIsDoneAtTheEnd) {
  make_executors();
  step();
  fills_ = {fill_of_target(1), fill_of_target(1)};
  step();
  check("a fill beside the draws");
  EXPECT_EQ(filled_now_, executors_.size()) << "what is filled again as a whole is filled once";
}

/// Of numbered memory only tiles that were drawn to are filled with the same pattern again.
TEST_F(XKept, NumberedMemoryIsFilledWhereDrawsHaveBeen) {
  make_executors();
  constexpr uint64_t kWhole = kPitch * kSize, kTile = 64 * 64 * 16;
  const auto host = [] {};  // waits for what is queued
  vertices_in(whole_, 3);
  set(r5x::X_SCISSOR_BR{}.X(10).Y(10));
  const FillInput first{targets_[0], kPitch, kPitch, kSize, pattern(), 1};
  FillInput other_number = first, other_pattern = first;
  other_number.surface = 2, other_pattern.pattern[0] ^= 1;
  const auto bytes = [&](std::initializer_list<FillInput> fills, bool draws) {
    steps_.clear();
    for (const FillInput& f : fills) {
      target(draws ? 0 : 1);
      fills_ = {f};
      step(host, 3);
      target(1);
      step(host, 3);
    }
    filled_bytes_ = 0;
    check("fills of numbered memory");
    return filled_bytes_ / executors_.size();
  };
  EXPECT_EQ(bytes({first}, false), kWhole);
  EXPECT_EQ(bytes({first, first}, false), kWhole);
  EXPECT_EQ(bytes({first, first, first}, true), kWhole + 2 * kTile);
  EXPECT_EQ(bytes({first, other_number}, false), 2 * kWhole);
  EXPECT_EQ(bytes({first, other_pattern}, false), 2 * kWhole);
  // Strict draws and dispatches may write anything.
  steps_.clear();
  fills_ = {first};
  step(host, 3);
  set(r5x::X_CTRL{}.EN(1));
  step(host, 3);
  set(r5x::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
  fills_ = {first};
  step(host, 3);
  filled_bytes_ = 0;
  check("a strict draw between fills");
  EXPECT_EQ(filled_bytes_ / executors_.size(), 2 * kWhole);
}

/// A draw whose vertices lie in its own target, again and again: each must wait for the one before it.
TEST_F(XKept, VerticesThatTheDrawBeforeWrote) {
  make_executors();
  set(r5x::X_CB_CONTROL{}.WRITE_MASK(3));  // x and y of positions whose z is 0
  const uint64_t shared = targets_[0] + (kSize / 2) * kPitch + 16 * (kSize / 2 - 3);
  // The first triangle covers the middle; the host makes the others' w 1.
  const auto ones = [this, shared] {
    for (uint32_t i = 0; i < 6; ++i) {
      uint32_t* v = dwords(shared) + 4 * i;
      v[0] = bits(i % 3 == 1 ? 1.0f : -1.0f), v[1] = bits(i % 3 == 2 ? 1.0f : -1.0f), v[3] = bits(1);
    }
  };
  vertices_in(shared, 6);
  step(ones);
  const auto once = check("one draw");
  step();
  const auto twice = check("the same draw twice");
  EXPECT_NE(once, twice);
  step(), step();
  EXPECT_NE(check("four times"), twice);
}

/// A draw returns to a state that is queued; in between another state has written what its vertices or their constants are read from.
TEST_F(XKept, VerticesThatAnotherStateWrote) {
  make_executors();
  set(r5x::X_RS_CTRL{}.DEPTH_CLAMP(1));
  const ChipState first = *state;
  const uint64_t shared = targets_[1] + (kSize / 2) * kPitch + 16 * (kSize / 2 - 3);
  const auto prepare = [this, shared] {
    for (uint32_t i = 0; i < 6; ++i) {
      uint32_t* v = dwords(shared) + 4 * i;
      v[0] = bits(i % 3 == 1 ? 1.0f : -1.0f), v[1] = bits(i % 3 == 2 ? 1.0f : -1.0f), v[3] = bits(1);
    }
    describe(2, 0, shared, 16);
  };
  const auto writer = [this] {  // covers the target's middle
    const ChipState reader = *state;
    target(1), vertices_in(whole_, 3);
    set(r5x::X_CB_CONTROL{}.WRITE_MASK(3).BLEND(1));
    step({}, 3);
    *state = reader;
  };
  for (const bool constants : {false, true}) {
    const auto reads = [&] { constants ? set_at(0, 2) : vertices_in(shared, 6); };
    *state = first;
    steps_.clear();
    reads();
    step(prepare), writer();
    const auto before = check("then something is written");
    step();
    EXPECT_GT(check("what the first draw read has been written since")[0], before[0]) << constants;
    *state = first;
    steps_.clear();
    step(prepare), writer(), step();
    const auto own = check("vertices and constants of the draw's own");
    reads(), step();
    EXPECT_GT(check("of a known state others than before")[0], own[0]) << constants;
  }
}

/// States that differ in set-up only have the same fragments, with bindings of their own.
TEST_F(XKept, FragmentBindingsOfStatesInTurn) {
  make_executors();
  set(r5x::X_RS_CTRL{}.DEPTH_CLAMP(1));
  const auto state_of = [this](uint32_t i) {
    set(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(i));
    push_at(i, 16);
    step();
  };
  for (const uint32_t i : {0u, 1u, 2u, 3u, 4u, 5u, 0u, 3u}) state_of(i);
  const auto in_turn = check("push constants of each state");
  steps_.pop_back();
  EXPECT_NE(check("one draw less"), in_turn);
}

/// Strict lookups in an extended program read registers that no state of an extended draw is made from.
TEST_F(XKept, StrictLookupsSeeTheirRegisters) {
  constexpr uint32_t kTexel = 0x10000;  // strict addresses have 32 bits
  ASSERT_TRUE(memory->map(kTexel, 0x10000));
  Instruction lookup = X{.op = XOp::EXP, .dest = 4, .mask = kXyzw, .source = 1};
  lookup.tex.inst = isa::us_r500::TexOp::LD, lookup.tex.x = {};
  stage({X{.op = XOp::LDV, .dest = 1, .mask = kXyzw}, lookup, X{.op = XOp::EXP, .mask = kXyzw, .source = 4}}, r5x::X_FS_CODE_LO::offset);
  make_executors();
  set(regs::TX_ENABLE{1});
  set(regs::TX_FILTER0{}.MAG_FILTER(1).MIN_FILTER(1));
  set(regs::TX_OFFSET{}.TXOFFSET(kTexel >> 5));
  const auto draw = [this](uint32_t select) {
    set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8).SEL_RED(select).SEL_GREEN(select).SEL_BLUE(5).SEL_ALPHA(5));
    step();
  };
  draw(5), draw(4), draw(5);
  const auto ones_and_zeros = check("channels that are 1, 0 and 1");
  EXPECT_GT(ones_and_zeros[0], 0u);
  steps_.clear();
  draw(5), draw(5), draw(5);
  EXPECT_NE(check("channels that are 1"), ones_and_zeros);
}

/// Equal registers, other words in memory.
TEST_F(XKept, DescriptorsAreReadAgain) {
  make_executors();
  step();
  const auto once = check("one draw");
  step([this] { describe(0, 1, block(5), 16); });
  const auto changed = check("the fragment stage's descriptor");
  steps_[1].host = {};
  EXPECT_NE(check("the same draw twice"), changed);
  steps_[1].host = [this] { describe(0, 0, block(5), 16); };
  EXPECT_NE(check("the vertex stage's descriptor"), changed);
}

/// Other constants between draws, at other addresses and at the same.
TEST_F(XKept, ConstantsAreReadAgain) {
  make_executors();
  step(), step();
  const auto twice = check("the same draw twice");
  push_at(3, 16);
  steps_.pop_back(), step();
  const auto other = check("push constants at another address");
  EXPECT_NE(other, twice);
  push_at(0, 16);
  steps_.pop_back(), step([this] { dwords(block(0))[1] = bits(0.125f); });
  const auto rewritten = check("other push constants at the same address");
  EXPECT_NE(rewritten, twice);
  push_at(0, 4);
  steps_.pop_back(), step();
  EXPECT_NE(check("fewer push constants"), twice);
}

}  // namespace
}  // namespace pumice::hw::x_test
