// SPDX-License-Identifier: MIT
/// What hoist() moves in front of a loop. That results stay the same: lane_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

struct Blocks {
  Builder b;
  Label loop;
  Pointer block = b.moving(0);
  Scalar count = b.scalar();
  /// The body makes a value per round from its own dword; each has a place of its own.
  template <class Body>
  Program make(Body body) {
    b.load(count, kArgs, {.offset = 0});
    loop = b.make_label();
    b.place(loop);
    b.store(block, 4096, body(b.splat(block, 64)));
    b.advance(block, 64);
    b.add_to(count, -1);
    b.jump_nonzero(count, loop);
    remove_dead(b.program());
    Program p = b.program();
    hoist(p, loop);
    EXPECT_EQ(validate(p), "");
    return p;
  }
  /// Operations of that kind in front of the loop, and in it.
  static std::pair<size_t, size_t> counts(const Program& p, Op op) {
    const auto label = std::find_if(p.nodes.begin(), p.nodes.end(), [](const Node& n) { return n.op == Op::label; });
    const auto is = [&](const Node& n) { return n.op == op; };
    return {size_t(std::count_if(p.nodes.begin(), label, is)), size_t(std::count_if(label, p.nodes.end(), is))};
  }
};
using Counts = std::pair<size_t, size_t>;

TEST(Hoist, ValuesOfSeveralOperations) {
  Blocks of;
  const Program p = of.make([&](Value own) {
    Value v = of.b.splat(kArgs, 8);
    for (uint32_t i = 0; i < 4; ++i) v = of.b.mul(v, of.b.splat(kArgs, 12 + 4 * i));
    return of.b.add(v, own);
  });
  EXPECT_EQ(Blocks::counts(p, Op::mul), Counts(4, 0));
  EXPECT_EQ(Blocks::counts(p, Op::add), Counts(0, 1));
}

TEST(Hoist, NotOneOperation) {
  Blocks of;
  const Program p = of.make([&](Value own) { return of.b.add(of.b.mul(of.b.splat(kArgs, 8), of.b.splat(kArgs, 12)), own); });
  EXPECT_EQ(Blocks::counts(p, Op::mul), Counts(0, 1));
}

TEST(Hoist, NotWhatDependsOnTheRound) {
  Blocks of;
  const Variable last = of.b.variable();
  of.b.set(last, of.b.constant(1.0f));
  const Program p = of.make([&](Value own) {
    Value v = own, w = of.b.get(last), scalar = of.b.from_scalar(of.count);
    for (uint32_t i = 0; i < 4; ++i) {
      v = of.b.bit_xor(of.b.shl(v, 1), own);
      w = of.b.bit_or(of.b.shr(w, 1), own);
      scalar = of.b.iadd(scalar, of.b.splat(kArgs, 8 + 4 * i));
    }
    of.b.set(last, w);
    return of.b.iadd(of.b.iadd(v, w), scalar);
  });
  EXPECT_EQ(Blocks::counts(p, Op::bit_xor), Counts(0, 4));
  EXPECT_EQ(Blocks::counts(p, Op::bit_or), Counts(0, 4));
  EXPECT_EQ(Blocks::counts(p, Op::iadd), Counts(0, 6));
}

/// A loop may end after one round, and what is in slots should stay in the first-level cache.
TEST(Hoist, NotWithoutLimit) {
  Blocks of;
  const Program p = of.make([&](Value own) {
    Value sum = own;
    for (uint32_t n = 0; n < 40; ++n) {
      Value v = of.b.splat(kArgs, 8 + 64 * n);
      for (uint32_t i = 0; i < 4; ++i) v = of.b.mul(v, of.b.splat(kArgs, 12 + 64 * n + 4 * i));
      sum = of.b.add(sum, v);
    }
    return sum;
  });
  const auto [before, in] = Blocks::counts(p, Op::mul);
  EXPECT_EQ(before + in, 160u);
  EXPECT_GE(before, 16u);
  EXPECT_LE(before, 96u);
}

}  // namespace
}  // namespace pumice::hw::fast::lane
