// SPDX-License-Identifier: MIT
/// Vertex programs compiled and executed by the chip's PVS, against the IR evaluator.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/isa/error.h"
#include "compiler/pvs/compile.h"
#include "tests/compiler/chip.h"
#include "tests/compiler/random_ir.h"

namespace pumice::compiler {
namespace {

/// Compiles text (position to register 0, location k to register 1 + k) and compares chip and evaluator. tolerance 0: to the bit.
void expect_same(const std::string& text, float tolerance, uint32_t seed = 1, unsigned vertices = 6) {
  ir::Module module;
  std::string error, log;
  ASSERT_TRUE(ir::parse(text, module, error)) << error << "\n" << text;
  ASSERT_EQ(ir::validate_chip_form(module), "") << text;
  std::vector<pvs::OutputTarget> targets;
  const auto reg = [](const ir::Output& o) { return o.builtin == ir::Builtin::position ? 0u : 1 + o.location; };
  for (const ir::Output& o : module.outputs) targets.push_back({o.builtin, o.location, reg(o), {}, 15});
  VertexProgram program;
  try {
    program = pvs::compile(module, targets, &log);
  } catch (const isa::Unsupported& e) {
    FAIL() << e.what() << "\n" << log << text;
  }
  if (getenv("SHOW")) printf("%s\n", log.c_str());
  std::mt19937 random(seed);
  const auto number = [&] { return static_cast<float>(static_cast<int>(random() % 4097) - 2048) / 1024.0f; };
  for (unsigned v = 0; v < vertices; v++) {
    ir::Environment env;
    env.uniforms.resize(module.uniforms.size());
    for (auto& u : env.uniforms) {
      for (int i = 0; i < 256; i++) u.push_back(number());
    }
    for (int i = 0; i < 32; i++) env.push.push_back(number());
    env.parameter = [](ConstantRange::Parameter p, uint32_t, uint32_t) { return ir::Vec4{0.5f, static_cast<float>(p), 3, 4}; };
    env.inputs.assign(1, {});
    hw::vap::PvsInputs inputs{};
    for (const ir::Input& in : module.inputs) {
      ir::Vec4 value{number(), number(), number(), number()};
      if (in.builtin != ir::Builtin::none) value = {static_cast<float>(random() % 36), 0, 0, 0};
      for (const VertexInput& i : program.inputs) {
        const bool same = i.kind == VertexInput::Kind::attribute      ? in.builtin == ir::Builtin::none && i.location == in.location
                          : i.kind == VertexInput::Kind::vertex_index ? in.builtin == ir::Builtin::vertex_index
                                                                      : in.builtin == ir::Builtin::instance_index;
        for (unsigned l = 0; same && l < in.comps; l++) inputs[i.reg][in.component + l] = value[l];
      }
      env.inputs[0].push_back(value);
    }
    const ir::Evaluation expected = ir::evaluate(module, env);
    ASSERT_EQ(expected.error, "");

    hw::vap::PvsProgram decoded;
    auto state = std::make_unique<hw::ChipState>();
    hw::reset(*state, hw::Profile::r500);
    for (size_t i = 0; i < program.code.size(); i++) state->pvs[i] = program.code[i];
    const uint32_t last = static_cast<uint32_t>(program.code.size()) - 1;
    state->set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(last).PVS_LAST_INST(last));
    state->set(regs::VAP_PVS_CONST_CNTL{}.PVS_CONST_BASE_OFFSET(0).PVS_MAX_CONST_ADDR(255));
    const auto file = testing::constants(module, program.constants, env);
    for (size_t i = 0; i < file.size(); i++) {
      for (size_t k = 0; k < 4; k++) state->pvs[1024 + i][k] = std::bit_cast<uint32_t>(file[i][k]);
    }
    decoded = hw::vap::decode_program(*state);
    ASSERT_EQ(decoded.complaint, "") << log;
    hw::vap::PvsOutputs outputs{};
    uint64_t budget = 100000;
    ASSERT_TRUE(hw::vap::run_program(decoded, *state, inputs, outputs, budget));
    const ir::Invocation& e = expected.invocations[0];
    for (size_t o = 0; o < module.outputs.size(); o++) {
      for (unsigned l = 0; l < module.outputs[o].comps; l++) {
        if (!(e.outputs_written[o] >> l & 1)) continue;
        const float have = outputs[reg(module.outputs[o])][module.outputs[o].component + l], want = e.outputs[o][l];
        const bool same =
            have == want || (std::isnan(have) && std::isnan(want)) || std::fabs(have - want) <= tolerance * (1 + std::fabs(want));
        ASSERT_TRUE(same) << "vertex " << v << " output " << o << " lane " << l << ": chip " << have << ", evaluator " << want << "\n"
                          << text << log;
      }
    }
  }
}

TEST(PvsRun, CubeWithIndexedUniforms) {
  std::string text = R"(shader vertex "cube"
input 0 vertex_index i32
output 0 position f32x4
output 1 location=0 component=0 f32x4
output 2 location=1 component=0 f32x3
uniform 0 set=0 binding=0 element=0 size=1216
%1:i32 = load_input 0
%2:f32x4 = load_uniform 0 offset=40 [%1.x max=35]
%3:f32x4 = load_uniform 0 offset=4 [%1.x max=35]
%4:f32x4 = load_uniform 0 offset=0
%5:f32x4 = load_uniform 0 offset=1
%6:f32x4 = load_uniform 0 offset=2
%7:f32x4 = load_uniform 0 offset=3
%8:f32x4 = mul %4.xyzw %3.xxxx
%9:f32x4 = mad %5.xyzw %3.yyyy %8.xyzw
%10:f32x4 = mad %6.xyzw %3.zzzz %9.xyzw
%11:f32x4 = mad %7.xyzw %3.wwww %10.xyzw
store_output 0 %11.xyzw mask=xyzw
store_output 1 %2.xyzw mask=xyzw
store_output 2 %11.xyz mask=xyz
)";
  expect_same(text, 1e-6f);
}

TEST(PvsRun, ScalarFunctions) {
  const std::string head =
      "shader vertex \"scalar\"\ninput 0 location=0 component=0 f32x4\noutput 0 position f32x4\n%1:f32x4 = load_input 0\n";
  for (const char* op : {"rcp", "rsq", "exp2", "sin", "cos", "floor"}) {
    expect_same(head + "%2:f32 = " + op + " %1.x\n%3:f32 = " + op +
                    " -%1.y\n%4:f32x4 = vec %2.x %3.x %1.z %2.x\nstore_output 0 %4.xyzw mask=xyzw\n",
                4e-6f);
  }
  expect_same(
      head + "%2:f32 = log2 |%1.x|\n%3:f32 = rcp.sat |%1.y|\n%4:f32x4 = vec %2.x %3.x -%1.z |%2.x|\nstore_output 0 %4.xyzw mask=xyzw\n",
      4e-6f);
}

TEST(PvsRun, EveryKindOfConstant) {
  expect_same(R"(shader vertex "constants"
input 0 location=2 component=1 f32x3
input 1 instance_index i32
output 0 position f32x4
push size=64
uniform 0 set=0 binding=0 element=0 size=64
uniform 1 immediate 1 2 3 4 5 6 7 8 9 10 11 12
%1:f32x3 = load_input 0
%2:i32 = load_input 1
%3:f32 = constant 0.08
%4:f32 = mul %2.x %3.x
%5:f32 = floor %4.x
%6:f32x4 = load_uniform 1 offset=0 [%5.x max=2]
%7:f32x4 = load_push offset=3
%8:f32x4 = load_uniform 0 offset=2
%9:f32x4 = load_param base_vertex 0 offset=0
%10:f32x4 = mad %7.xyzw %8.wzyx %9.xyzw
%11:f32x4 = constant -0.5 1 -1 3
%12:f32x4 = mad %10.xyzw %11.xyzw %8.xyzw
%13:f32x4 = add %12.xyzw %6.xyzw
%14:f32x4 = mul %13.xyzw %1.xyzx
store_output 0 %14.xyzw mask=xyzw
)",
              1e-6f);
}

TEST(PvsRun, SaysHowManyTemporariesAreNeeded) {
  // Forty vectors alive at once.
  std::string text = "shader vertex \"pressure\"\ninput 0 location=0 component=0 f32x4\noutput 0 position f32x4\n%1:f32x4 = load_input 0\n";
  for (int i = 0; i < 40; i++) text += "%" + std::to_string(2 + i) + ":f32x4 = fract %" + std::to_string(1 + i) + ".yzwx\n";
  std::string last = "%41";
  for (int i = 0; i < 40; i++) {
    const std::string next = "%" + std::to_string(50 + i);
    text += next + ":f32x4 = max " + last + ".xyzw %" + std::to_string(41 - i) + ".wzyx\n";
    last = next;
  }
  text += "store_output 0 " + last + ".xyzw mask=xyzw\n";
  ir::Module module;
  std::string error;
  ASSERT_TRUE(ir::parse(text, module, error)) << error;
  try {
    pvs::compile(module, {{ir::Builtin::position, 0, 0, {}, 15}}, nullptr);
    FAIL() << "compiled";
  } catch (const isa::Unsupported& e) {
    EXPECT_NE(std::string(e.what()).find("temporaries, the R5xx vertex unit has 32"), std::string::npos) << e.what();
  }
}

class PvsRandom : public ::testing::TestWithParam<uint32_t> {};

TEST_P(PvsRandom, MatchesTheEvaluator) {
  for (uint32_t i = 0; i < 25; i++) {
    const uint32_t seed = GetParam() * 25 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomIr generator(seed, false);
    expect_same(generator.program(10 + seed % 50), 0, seed, 3);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, PvsRandom, ::testing::Range(0u, 100u));

}  // namespace
}  // namespace pumice::compiler
