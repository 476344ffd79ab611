// SPDX-License-Identifier: MIT
/// What SPIR-V 1.4 and SPV_KHR_float_controls add to modules and GLSL does not say: SPIR-V text through the front end.
#include <gtest/gtest.h>

#include <set>
#include <spirv-tools/libspirv.hpp>

#include "compiler/frontend/frontend.h"

namespace pumice::compiler {
namespace {

std::vector<uint32_t> assembled(const std::string& text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_4);
  std::string said;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* what) {
    said += std::to_string(at.line) + ": " + what + "\n";
  });
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << said;
  EXPECT_TRUE(tools.Validate(words)) << said;
  return words;
}

bool translated(const std::string& text, ir::Module& out, std::string& refused) {
  const std::vector<uint32_t> words = assembled(text);
  ShaderSource source;
  source.spirv = words;
  source.name = "test";
  std::vector<Diagnostic> diagnostics;
  const bool good = build_ir(source, Stage::compute, out, diagnostics, Frontend::direct, {.chip = &kR5x});
  refused = diagnostics.empty() ? "" : diagnostics[0].text;
  return good;
}

/// A copy from %a to %o with these memory operands.
std::string copy(const std::string& memory_operands) {
  return R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %o %a
OpExecutionMode %main LocalSize 1 1 1
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %o DescriptorSet 0
OpDecorate %o Binding 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 1
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%o = OpVariable %to_block StorageBuffer
%a = OpVariable %to_block StorageBuffer
%main_type = OpTypeFunction %void
%main = OpFunction %void None %main_type
%entry = OpLabel
OpCopyMemory %o %a )" +
         memory_operands + "\nOpReturn\nOpFunctionEnd\n";
}

/// Operations on memory that must not be put off or repeated.
std::set<ir::Op> coherent_operations(const ir::Module& m) {
  std::set<ir::Op> all;
  for (const ir::Node& node : m.body)
    for (const ir::Instruction& in : node.instructions)
      if ((in.op == ir::Op::load_buffer || in.op == ir::Op::load_const || in.op == ir::Op::store_buffer) &&
          (in.access().flags & ir::Access::kCoherent))
        all.insert(in.op);
  return all;
}

TEST(Spirv14, CopyMemoryHasOperandsOfTargetAndSource) {
  using ir::Op;
  const std::pair<const char*, std::set<Op>> cases[] = {
      {"", {}},
      {"Aligned 4", {}},
      {"Volatile|Aligned 4", {Op::load_buffer, Op::store_buffer}},
      {"Volatile|Aligned 4 Aligned 4", {Op::store_buffer}},
      {"Aligned 4 Volatile|Aligned 4", {Op::load_buffer}},
      {"None Volatile", {Op::load_buffer}},
  };
  for (const auto& [operands, expected] : cases) {
    ir::Module m;
    std::string refused;
    ASSERT_TRUE(translated(copy(operands), m, refused)) << refused;
    EXPECT_EQ(coherent_operations(m), expected) << operands;
  }
}

/// The format of the descriptor says how texels become numbers: the operands are read, with what stands before them, and change nothing.
TEST(Spirv14, ImageOperandsOfSigns) {
  const auto text = [](const std::string& read, const std::string& write) {
    return R"(
OpCapability Shader
OpCapability StorageImageMultisample
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %image
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 0
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uint2 = OpTypeVector %uint 2
%uint4 = OpTypeVector %uint 4
%c1 = OpConstant %uint 1
%at = OpConstantComposite %uint2 %c1 %c1
%type = OpTypeImage %uint 2D 0 0 1 2 R32ui
%to_image = OpTypePointer UniformConstant %type
%image = OpVariable %to_image UniformConstant
%main_type = OpTypeFunction %void
%main = OpFunction %void None %main_type
%entry = OpLabel
%i = OpLoad %type %image
%x = OpImageRead %uint4 %i %at )" +
           read + "\nOpImageWrite %i %at %x " + write + "\nOpReturn\nOpFunctionEnd\n";
  };
  ir::Module plain;
  std::string refused;
  ASSERT_TRUE(translated(text("Sample %c1", "Sample %c1"), plain, refused)) << refused;
  for (const std::string sign : {"SignExtend", "ZeroExtend"}) {
    ir::Module m;
    ASSERT_TRUE(translated(text("Sample|" + sign + " %c1", "Sample|" + sign + " %c1"), m, refused)) << refused;
    EXPECT_EQ(ir::print(m), ir::print(plain)) << sign;
  }
}

/// Every mode of every width: accepted, or refused by its name.
TEST(Spirv14, FloatModes) {
  const std::pair<const char*, uint32_t> modes[] = {{"DenormPreserve", 16 | 64},
                                                    {"DenormFlushToZero", 0},
                                                    {"SignedZeroInfNanPreserve", 32},
                                                    {"RoundingModeRTE", 16 | 32 | 64},
                                                    {"RoundingModeRTZ", 0}};
  for (const auto& [mode, widths] : modes) {
    for (const uint32_t width : {16u, 32u, 64u}) {
      const std::string bits = std::to_string(width);
      // Another mode comes first: all of them are looked at.
      const std::string text = std::string("OpCapability Shader\nOpCapability RoundingModeRTE\nOpCapability ") + mode +
                               "\nOpExtension \"SPV_KHR_float_controls\"\nOpMemoryModel Logical GLSL450\n"
                               "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
                               "OpExecutionMode %main RoundingModeRTE " +
                               (width == 64 ? "32" : "64") + "\nOpExecutionMode %main " + mode + " " + bits +
                               "\n%void = OpTypeVoid\n%main_type = OpTypeFunction %void\n%main = OpFunction %void None %main_type\n"
                               "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
      ir::Module m;
      std::string refused;
      EXPECT_EQ(translated(text, m, refused), (widths & width) != 0) << mode << " " << bits;
      if (!(widths & width)) {
        EXPECT_NE(refused.find(std::string(mode) + " of " + bits + "-bit floats"), std::string::npos) << refused;
      }
    }
  }
}

}  // namespace
}  // namespace pumice::compiler
