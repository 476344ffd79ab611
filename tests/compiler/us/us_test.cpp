// SPDX-License-Identifier: MIT
/// IR text -> US microcode: shape of the code and rules.
#include <gtest/gtest.h>

#include "compiler/isa/error.h"
#include "compiler/us/compile.h"
#include "compiler/us/machine.h"

namespace pumice::compiler {
namespace {

us::Compiled build(const std::string& text, uint32_t attachments = 15) {
  ir::Module module;
  std::string error;
  EXPECT_TRUE(ir::parse(text, module, error)) << error;
  EXPECT_EQ(ir::validate_chip_form(module, kR500), "");
  std::string log;
  us::Compiled c;
  try {
    c = us::compile(module, {attachments, &kR500}, &log);
  } catch (const isa::Unsupported& e) {
    ADD_FAILURE() << e.what() << "\n" << log;
  }
  return c;
}

TEST(UsBackEnd, Cube) {
  const us::Compiled c = build(R"(shader fragment "cube"
input 0 location=0 component=0 f32x4
input 1 location=1 component=0 f32x3
output 0 location=0 component=0 f32x4
texture 0 set=0 binding=1 element=0 2d
%1:f32x4 = load_input 0
%2:f32x3 = load_input 1
%3:f32x3 = ddx %2.xyz
%4:f32x3 = ddy %2.xyz
%5:f32x3 = mul %3.zxy %4.yzx
%6:f32x3 = mad %3.yzx %4.zxy -%5.xyz
%7:f32 = dot3 %6.xyz %6.xyz
%8:f32 = rsq %7.x
%9:f32x3 = mul %6.xyz %8.xxx
%10:f32x3 = constant 0.424 0.566 0.707
%11:f32 = dot3 %10.xyz %9.xyz
%12:f32 = constant 0
%13:f32 = max %11.x %12.x
%14:f32x4 = tex 0 implicit %1.xy
%15:f32x4 = mul %13.xxxx %14.xyzw
store_output 0 %15.xyzw mask=xyzw
)");
  EXPECT_EQ(c.inputs.size(), 2u);
  EXPECT_LT(c.program.code.size(), 16u);
  EXPECT_EQ(c.program.color_outputs, 1u);
}

}  // namespace
}  // namespace pumice::compiler
