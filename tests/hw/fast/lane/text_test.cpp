// SPDX-License-Identifier: MIT
/// Programs as text, and what validation says of wrong ones.
#include <gtest/gtest.h>

#include <functional>

#include "tests/hw/fast/lane/random_program.h"

namespace pumice::hw::fast::lane {
namespace {

TEST(Text, OneLineANode) {
  Builder b;
  const Pointer inner = b.pointer(kArgs, 8);
  const Scalar s = b.scalar();
  const Label top = b.make_label(), end = b.make_label();
  const Variable x = b.variable();
  const Value in = b.lanes(kArgs, 64);
  b.set(x, in);
  b.load(s, inner, {.offset = 4, .shift = 8, .bits = 3, .is_signed = true});
  b.place(top);
  const Mask m = b.ult(in, b.constant(1.0f));
  const Value loaded = b.load_i8(b.buffer(inner, 16, s, 32, 4), b.get(x), m);
  const Value sum = b.fma(b.negate(loaded), in, b.splat_at(inner, s, 0, 16, 5));
  b.set(x, b.atomic(Op::atomic_imax, b.buffer(kArgs, 24), in, b.shl(sum, 3), m));
  b.call_through(inner, 48, kArgs, 128);
  b.add_to(s, -1);
  b.jump_spent(kArgs, 40, 7, end);
  b.jump_nonzero(s, top);
  b.place(end);
  b.store_half(kArgs, 16, b.mask_load(kArgs, 12));
  b.store(inner, 64, b.lanes_now(kArgs, 128));
  EXPECT_EQ(validate(b.program()), "");
  EXPECT_EQ(print(b.program()), R"(p1 = [p0 + 8]
  v0 = lanes [p0 + 64]
  set x0 v0
  scalar_load s0 [p1 + 4] signed bits 3 from 8
L0:
  v4 = constant 0x3F800000 (1)
  m5 = ult v0 v4
  v6 = get x0
  v7 = load_i8 v6 now m5 buffer [p1 + 16 + 32 * s0, below 4]
  v8 = splat_at s0 stride 16 count 5 [p1 + 0]
  v9 = constant 0x80000000 (-0)
  v10 = bit_xor v7 v9
  v11 = fma v0 v7 v8 -ab
  v12 = shl v11 3
  v13 = atomic_imax v0 v12 m5 buffer [p0 + 24]
  set x0 v13
  call [p1 + 48](p1, p0 + 128)
  scalar_add s0 -1
  jump_spent [p0 + 40] - 7 L1
  jump_scalar_nonzero s0 L0
L1:
  m20 = mask_load [p0 + 12]
  mask_store m20 half [p0 + 16]
  v22 = lanes now [p0 + 128]
  store v22 [p1 + 64]
)");
}

/// Each operation has a name of its own.
TEST(Text, NamesDiffer) {
  for (const auto& a : rows::kNames)
    for (const auto& b : rows::kNames) EXPECT_EQ(a == std::string_view(b), &a == &b) << a.c_str();
}

TEST(Text, WhatIsWrongIsNamed) {
  const struct {
    const char* what;
    std::function<void(Program&)> spoil;
    const char* message;
  } rows[] = {
      {"a later operand", [](Program& p) { p.nodes[4].a = 9; }, "node 4 (add): operand is not defined before"},
      {"no operand", [](Program& p) { p.nodes[4].b = -1; }, "node 4 (add): operand is not defined before"},
      {"a mask for a value", [](Program& p) { p.nodes[4].b = 3; }, "node 4 (add): operand has the wrong type"},
      {"a value for a mask", [](Program& p) { p.nodes[7].c = 0; }, "node 7 (select): operand has the wrong type"},
      {"a label twice", [](Program& p) { p.nodes.push_back({.op = Op::label, .imm = 0}); }, "node 5 (jump_any): label is not placed once"},
      {"a label nowhere", [](Program& p) { p.nodes[5].imm = 1; }, "node 5 (jump_any): label 1 of 1"},
      {"a shift too far", [](Program& p) { p.nodes[6].imm = 32; }, "node 6 (shl): shift 32 of 32"},
      {"no such pointer", [](Program& p) { p.nodes[0].p = 1; }, "node 0 (lanes): pointer 1 of 1"},
      {"no such buffer", [](Program& p) { p.buffers.clear(); }, "node 2 (load_32): buffer 0 of 0"},
      {"a buffer behind no pointer", [](Program& p) { p.buffers[0].p = 3; }, "buffer 0 has no such pointer"},
      {"a buffer with no such scalar", [](Program& p) { p.buffers[0].index = 0; }, "buffer 0 has no such pointer or scalar"},
      {"a flag", [](Program& p) { p.nodes[2].b = 2; }, "node 2 (load_32): flag is neither"},
      {"a value of a branch used behind it", [](Program& p) { p.nodes[9].a = 7; }, "node 9 (store): operand 7 may not have been defined"},
      {"a pointer to no address", [](Program& p) { p.pointers.push_back({.parent = kKnown, .offset = 1}); },
       "pointer 1 has no such address"},
      {"a pointer through itself", [](Program& p) { p.pointers.push_back({.parent = 1}); }, "pointer 1 is read through a later one"},
      {"no operation", [](Program& p) { p.nodes[4].op = Op(255); }, "node 4 is no operation"},
  };
  Builder b;
  const Value x = b.lanes(kArgs, 0);                                           // 0
  const Value y = b.load_32(b.buffer(kArgs, 64), x, b.mask_constant(0xFFFF));  // 1, 2
  const Mask m = b.lt(x, y);                                                   // 3
  const Value z = b.add(x, y);                                                 // 4
  const Label end = b.make_label();
  b.jump_any(m, end);                 // 5
  (void)b.select(m, b.shl(z, 3), y);  // 6, 7
  b.place(end);                       // 8
  b.store(kArgs, 128, z);             // 9
  ASSERT_EQ(validate(b.program()), "");
  for (const auto& row : rows) {
    Program p = b.program();
    row.spoil(p);
    EXPECT_NE(validate(p).find(row.message), std::string::npos) << row.what << ": " << validate(p);
  }
}

/// Validation needs no more than the program: nothing random is refused, and dead nodes gone it is the same.
TEST(Text, RandomProgramsAreValid) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Program p = Maker(seed).make();
    ASSERT_EQ(validate(p), "") << seed;
    const std::string before = print(p);
    EXPECT_EQ(before, print(Maker(seed).make()));
    remove_dead(p);
    ASSERT_EQ(validate(p), "") << seed;
  }
}

}  // namespace
}  // namespace pumice::hw::fast::lane
