// SPDX-License-Identifier: MIT
/// GLSL fragment shaders all the way to microcode: the chip's result against the evaluation of what the front end made, before any pass.
#include <gtest/gtest.h>

#include "compiler/frontend/frontend.h"
#include "compiler/passes/passes.h"
#include "tests/compiler/glsl.h"
#include "tests/compiler/us/fragment_rig.h"
#include "tests/compiler/us/glsl_bodies.h"

namespace pumice::compiler {
namespace {

class UsGlsl : public ::testing::TestWithParam<const char*> {};

TEST_P(UsGlsl, MatchesTheEvaluator) {
  const std::string glsl = std::string(kHead) + GetParam() + "\n}\n";
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(Stage::fragment, glsl, log);
  ASSERT_FALSE(words.empty()) << log;
  ShaderSource source;
  source.spirv = words;
  source.name = "test";
  std::vector<Diagnostic> diagnostics;
  ir::Module raw;
  ASSERT_TRUE(build_ir(source, Stage::fragment, raw, diagnostics)) << GetParam() << "\n" << diagnostics.at(0).text;
  ir::Module chip = raw;
  ASSERT_TRUE(run_passes(chip, {.chip = &kR500}, diagnostics)) << GetParam() << "\n" << diagnostics.at(0).text;
  testing::expect_same_fragment(raw, chip, std::string(GetParam()) + "\n" + ir::print(chip), 2e-4f, 3, 4);
}

INSTANTIATE_TEST_SUITE_P(Bodies, UsGlsl, ::testing::ValuesIn(kBodies));

}  // namespace
}  // namespace pumice::compiler
