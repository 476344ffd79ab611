// SPDX-License-Identifier: MIT
/// The text form of the IR: round trips, what the parser and the validator refuse, and the sequencing of edge copies.
#include <gtest/gtest.h>

#include "compiler/ir/edges.h"
#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {
namespace {

constexpr const char* kAll = R"(shader fragment "all" early_fragment_tests
push size=64
input 0 location=1 component=2 f32x2 flat noperspective
input 1 frag_coord f32x4
output 0 location=0 component=0 f32x4
uniform 0 set=1 binding=2 element=3 size=64
uniform 1 immediate 1 -2.5 0.100000001 inf
texture 0 set=0 binding=1 element=0 cube
texture 1 set=0 binding=1 element=1 2d shadow input_attachment
temp 0 elements=4 f32x2
%1:f32x4 = constant 1 -0 inf 0x7fc00001
%2:f32x4 = load_uniform 0 offset=1
%3:f32x2 = load_input 0
%4:f32x4 = load_push offset=2 [%3.x max=1]
%5:f32x4 = load_param texture_size 1 offset=1
%6:f32x3 = mad.sat.precise %1.xyz -|%2.wwx| %4.xyx
%7:f32 = dot3 %6.xyz -%2.xyz
%8:f32x4 = vec %7.x %7.x %3.y %1.w
%9:f32x4 = tex 0 bias %6.xyz %7.x
%10:f32 = tex 1 grad dref %6.xy %6.yz %6.zx %7.x
store_temp 0 offset=1 [%3.y max=2] %3.yx mask=y
%11:f32x2 = load_temp 0 offset=0 [%3.x max=3]
%12:bool = slt %7.x %10.x
kill_if %12.x
if %12.x -> %13:f32x4, %14:f32 {
  yield %9.xyzw, %10.x
} else {
  yield %8.wzyx, -|%7.x|
}
loop %15:f32 = %14.x, %16:f32x2 = %11.xy -> %17:f32x2 {
  %18:bool = sge %15.x %7.x
  if %18.x {
    break %16.yx
  }
  if %12.x {
    continue %7.x, %16.xy
  } else {
    loop {
      break
    }
  }
  %19:f32 = add %15.x %15.x
  continue %19.x, %16.xy
}
store_output 0 %13.xyzw mask=xyw
)";

TEST(Text, RoundTrip) {
  Module m;
  std::string error;
  ASSERT_TRUE(parse(kAll, m, error)) << error;
  EXPECT_EQ(validate(m), "");
  EXPECT_EQ(print(m), kAll);
}

TEST(Text, SlopesRoundTrip) {
  for (const std::string text : {
           "shader fragment \"s\" floats_only\ninput 0 slope_x location=3 component=1 f32x2\ninput 1 slope_y location=3 component=1 f32x2\n"
           "input 2 position f32x4\n%1:f32x2 = load_input 0\n",
           "shader vertex \"s\"\ninput 0 location=2 component=0 f32x3 corner=2\ninput 1 vertex_index i32 corner=1\n"
           "output 0 slope_x location=2 component=0 f32x3\n%1:f32x3 = load_input 0\n",
       }) {
    Module m;
    std::string error;
    ASSERT_TRUE(parse(text, m, error)) << error;
    EXPECT_EQ(validate(m), "");
    EXPECT_EQ(print(m), text);
  }
}

constexpr const char* kTyped = R"(shader vertex "typed"
input 0 vertex_index i32
input 1 location=0 component=0 u32x2
output 0 location=0 component=0 i32
uniform 0 set=0 binding=0 element=0 size=64
temp 0 elements=2 bool
%1:i32 = constant -2147483648
%2:u32x2 = constant 4294967295 7
%3:boolx2 = constant 1 0
%4:i32 = load_input 0
%5:u32x2 = load_input 1
%6:u32x4 = load_uniform 0 offset=0 [%4.x max=3]
%7:u32x2 = iadd %5.xy %2.xx
%8:i32 = bfi %4.x %6.w %2.y %1.x
%9:bool = ult %7.y %8.x
store_temp 0 offset=1 %9.x mask=x
%10:u32 = pack_half2x16 %12.xy
%11:i32 = sel %3.y %10.x %8.x
store_output 0 %11.x mask=x
)";

TEST(Text, TypedRoundTrip) {
  Module m;
  std::string error, text = kTyped;
  text.replace(text.find("%10:u32"), 0, "%12:f32x2 = unpack_snorm2x16 %7.x\n");
  ASSERT_TRUE(parse(text, m, error)) << error;
  EXPECT_EQ(validate(m), "");
  EXPECT_EQ(print(m), text);
}

TEST(Text, EveryTypeHasItsName) {
  for (const TypeInfo& type : kTypes) {
    Module m;
    std::string error;
    EXPECT_TRUE(parse("shader vertex \"\" temp 0 elements=1 " + std::string(type.text), m, error)) << error;
    ASSERT_EQ(m.temps.size(), 1u);
    EXPECT_EQ(info(m.temps[0].type).text, type.text);
  }
}

TEST(Text, EveryOpHasItsName) {
  for (size_t i = 0; i < op_count(); ++i) {
    Module m;
    std::string error;
    const std::string name(info(Op(i)).name);
    parse("shader vertex \"\" %1:f32 = " + name, m, error);
    EXPECT_EQ(error.find("unknown operation"), std::string::npos) << name;
  }
}

struct Rejection {
  const char* text;     ///< body; preceded by kPrefix
  const char* message;  ///< part of the validator's answer
};
constexpr const char* kPrefix = R"(shader fragment "t"
input 0 location=0 component=0 f32x2
output 0 location=0 component=0 f32x4
texture 0 set=0 binding=0 element=0 2d
temp 0 elements=2 f32
%1:f32x2 = load_input 0
%2:bool = slt %1.x %1.y
)";
const Rejection kRejections[] = {
    {"%3:f32 = mov %4.x", "unknown value"},
    {"%3:f32 = mov %1.z", "lane 2"},
    {"%3:f32 = add %1.x", "1 sources"},
    {"%1:f32x2 = mov %1.x", "defined twice"},
    {"%3:f32x2 = dot2 %1.xy %1.xy", "1 lanes"},
    {"%3:f32 = slt %1.x %1.y", "wrong type"},
    {"%3:f32 = sel %1.x %1.x %1.y", "boolean"},
    {"%3:f32 = sel -%2.x %1.x %1.y", "modifiers"},
    {"kill_if %1.x", "boolean"},
    {"if %2.x { %3:f32 = mov %1.x } %4:f32 = mov %3.x", "dominate"},
    {"if %2.x -> %3:f32 { yield %1.x }", "without yield"},
    {"if %2.x -> %3:f32 { yield %1.x } else { yield %2.x }", "differs"},
    {"if %2.x { yield %1.x } else { }", "expected"},
    {"break", "outside"},
    {"yield", "outside"},
    {"loop { break\n%4:f32 = mov %1.x }", "after a jump"},
    {"loop { if %2.x { break } else { continue }\n%4:f32 = mov %1.x }", "after a jump"},
    {"loop %3:f32 = %1.x { }", "does not end"},
    {"loop %3:f32 = %1.x { continue } ", "expected"},
    {"loop { %3:f32 = mov %1.x\nbreak } %4:f32 = mov %3.x", "dominate"},
    {"%3:f32x4 = tex 1 implicit %1.xy", "table row"},
    {"%3:f32x4 = tex 0 lod %1.xy", "sources"},
    {"%3:f32x4 = tex 0 implicit dref %1.xy %1.x", "1 lanes"},
    {"%3:f32 = load_temp 0 offset=2", "beyond"},
    {"store_output 0 %1.xyxy mask=", "mask"},
    {"%3:f32 = rcp.sat %1.x\n%4:bool = slt.sat %1.x %1.x", "saturate"},
    // Classes do not mix.
    {"%3:f32 = add %1.x %2.x", "type bool"},
    {"%3:i32 = f2i %1.x\n%4:f32 = add %1.x %3.x", "type i32"},
    {"%3:i32 = f2i %1.x\n%4:i32 = iadd %3.x %1.x", "type f32"},
    {"%3:i32 = f2i %1.x\n%4:i32 = add %1.x %1.y", "wrong type"},
    {"%3:i32 = f2i %1.x\n%4:f32 = mov %3.x", "type i32"},
    {"%3:i32 = f2i %1.x\n%4:i32 = iand %3.x %2.x", "type bool"},
    {"%3:i32 = f2i %1.x\n%4:bool = ieq %3.x %2.x", "type bool"},
    {"%3:i32 = f2i %1.x\n%4:i32 = ilt %3.x %3.x", "wrong type"},
    {"%3:i32 = f2i %1.x\n%4:i32 = iadd %3.x -%3.x", "modifier"},
    {"%3:i32 = f2i %1.x\n%4:i32 = sel %2.x %3.x %1.x", "type f32"},
    {"%3:i32 = f2i %1.x\n%4:f32x2 = vec %1.x %3.x", "type i32"},
    {"%3:i32 = f2i %1.x\nstore_output 0 %3.xxxx mask=x", "type i32"},
    {"%3:i32 = f2i %1.x\nstore_temp 0 offset=0 %3.x mask=x", "type i32"},
    {"%3:f32 = load_temp 0 offset=0 [%2.x max=1]", "index"},
    {"%3:f32i = mov %1.x", "with integers"},
    {"%3:i16 = constant 1", "no operations"},
    {"%3:i64 = constant 1", "mixes values of 64 bits with words"},
};
TEST(Text, ValidatorRejects) {
  for (const Rejection& r : kRejections) {
    Module m;
    std::string error;
    ASSERT_TRUE(parse(std::string(kPrefix) + r.text, m, error)) << r.text << ": " << error;
    EXPECT_NE(validate(m).find(r.message), std::string::npos) << r.text << " gave '" << validate(m) << "'";
  }
}

const char* const kBadTexts[] = {
    "",
    "shader",
    "shader vertex",
    "shader vertex \"",
    "shader vertex \"x\" input 1 location=0 component=0 f32",
    "shader vertex \"x\" %0:f32 = mov %1.x",
    "shader vertex \"x\" %1:f32x5 = mov %1.x",
    "shader vertex \"x\" %1:f32 = frob %1.x",
    "shader vertex \"x\" %1:f32 = mov %1.q",
    "shader vertex \"x\" %4000000000:f32 = mov %1.x",
    "shader vertex \"x\" if %1.x {",
    "shader vertex \"x\" }",
    "shader vertex \"x\" %1:f32 = constant",
    "shader vertex \"x\" %1:i32 = constant 0.5x",
    "shader vertex \"x\" %1:i32 = constant 4294967296",
    "shader vertex \"x\" %1:f33 = constant 1",
    "shader vertex \"x\" %1:f32 = mad %1.x %1.x %1.x %1.x %1.x",
};
TEST(Text, ParserRejects) {
  for (const char* text : kBadTexts) {
    Module m;
    std::string error;
    EXPECT_FALSE(parse(text, m, error)) << text;
    EXPECT_EQ(error.substr(0, 5), "line ") << text;
  }
}

TEST(Edges, WalkNamesEveryCarryingEdge) {
  Module m;
  std::string error, seen;
  ASSERT_TRUE(parse(kAll, m, error)) << error;
  walk_edges(m, [&](const Edge& e) { seen += "ybce"[size_t(e.kind)] + std::to_string(e.destinations[0]) + " "; });
  EXPECT_EQ(seen, "y13 y13 e15 b17 c15 c15 ");
}

/// Runs the sequence on numbers and compares with the parallel meaning.
TEST(Edges, ParallelCopiesInSequence) {
  struct Case {
    std::vector<ValueId> to, from;
  };
  const Case cases[] = {
      {{1, 2}, {2, 1}},              // swap
      {{1, 2, 3}, {2, 3, 1}},        // rotation
      {{1, 2, 3, 4}, {2, 1, 4, 3}},  // two cycles
      {{1, 2, 3}, {1, 1, 2}},        // chain and self
      {{1, 2, 3}, {2, 1, 1}},        // cycle with a reader
  };
  for (const Case& c : cases) {
    Module m;
    for (int i = 0; i < 6; ++i) m.new_value(Type::f32, 1);
    std::vector<Source> args;
    for (ValueId v : c.from) args.push_back(read(m, v));
    int state[7] = {0, 1, 2, 3, 4, 5, 6}, expected[7] = {0, 1, 2, 3, 4, 5, 6};
    for (size_t i = 0; i < c.to.size(); ++i) expected[c.to[i]] = int(c.from[i]);
    for (const Copy& copy : order_copies(m, c.to, args, 6, [](ValueId a, ValueId b) { return a == b; }))
      state[copy.destination] = state[copy.source.value];
    for (int i = 1; i < 5; ++i) EXPECT_EQ(state[i], expected[i]);
  }
}

}  // namespace
}  // namespace pumice::compiler::ir
