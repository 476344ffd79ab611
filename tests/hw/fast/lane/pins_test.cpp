// SPDX-License-Identifier: MIT
/// Which variables live in registers.
#include "hw/radeon/jit/lane/pins.h"

#include <gtest/gtest.h>

namespace pumice::hw::fast::lane {
namespace {

void nothing(void*, void*) {}

/// A loop over `count` variables; with a call in it, or behind it where the loop goes when its budget is spent.
Program loop(int count, bool calls) {
  Builder b;
  std::vector<Variable> variables;
  for (int i = 0; i < count; ++i) {
    variables.push_back(b.variable());
    b.set(variables.back(), b.constant(float(i)));
  }
  const Label begin = b.make_label(), spent = b.make_label(), end = b.make_label();
  const auto call = [&] { b.call(reinterpret_cast<const void*>(&nothing), kArgs, kArgs, 0); };
  b.place(begin);
  for (const Variable v : variables) b.set(v, b.add(b.get(v), b.constant(1.0f)));
  if (calls) call();
  b.jump_spent(kArgs, 0, 1, spent);
  b.jump(begin);
  b.place(spent);
  call();
  b.jump_any(b.mask_load_now(kArgs, 8), end);
  b.jump(begin);
  b.place(end);
  for (const Variable v : variables) b.store(kArgs, uint32_t(64 * (v.id + 1)), b.get(v));
  return std::move(b.program());
}

TEST(Pins, VariablesOfLoopsWithoutCalls) {
  const Pins few = choose_pins(loop(3, false), Cpu::avx512);
  EXPECT_EQ(few.values, 3);
  for (int8_t n : few.pin) EXPECT_GE(n, 0);
  const Pins many = choose_pins(loop(40, false), Cpu::avx512);
  EXPECT_GT(many.values, 8);
  EXPECT_LE(many.values, 20);  // registers are left for what is between
  EXPECT_EQ(choose_pins(loop(3, true), Cpu::avx512).values, 0);
  EXPECT_EQ(choose_pins(loop(3, false), Cpu::avx2).values, 3);
  EXPECT_EQ(choose_pins(loop(40, false), Cpu::avx2).values, 4);  // two registers of 14 for each
  EXPECT_EQ(choose_pins(loop(3, false), Cpu::portable).values, 0);
}

}  // namespace
}  // namespace pumice::hw::fast::lane
