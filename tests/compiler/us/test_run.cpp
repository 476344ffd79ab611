// SPDX-License-Identifier: MIT
/// Fragment programs compiled and executed by the chip's US, against the IR evaluator.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/isa/error.h"
#include "tests/compiler/chip.h"
#include "tests/compiler/random_ir.h"

namespace {

/// The texture unit of this test: some function of everything the request says.
pumice::compiler::ir::Vec4 texel(uint32_t unit, int kind, const pumice::compiler::ir::Vec4& c, unsigned lanes, float q,
                                 const pumice::compiler::ir::Vec4& d) {
  float sum = static_cast<float>(unit) + 0.125f * static_cast<float>(kind) + q + d[0] * 2 + d[1] * 4;
  for (unsigned i = 0; i < lanes; i++) sum += c[i] * static_cast<float>(i + 1);
  return {sum, 1 - sum, sum * 0.5f, sum * sum};
}
std::vector<unsigned> g_coord_lanes;

}  // namespace

namespace pumice::hw::tx {
void sample(DrawContext&, const Request& r, std::array<Vec4, 4>& out) {
  const unsigned lanes = g_coord_lanes.at(r.unit);
  for (int p = 0; p < 4; p++) {
    Vec4 c = r.coord[p];
    Vec4 d{};
    float q = 0;
    int kind = 0;
    switch (r.lookup) {
      case Lookup::ld: kind = 0; break;
      case Lookup::lod_bias: kind = 1, q = c[3]; break;
      case Lookup::lod: kind = r.unscaled ? 5 : 2, q = c[3]; break;
      case Lookup::dxdy: kind = 3, d = {r.dx[p][0] + r.dx[p][lanes - 1], r.dy[p][0] + r.dy[p][lanes - 1]}; break;
      case Lookup::proj:
        kind = 4;
        for (unsigned i = 0; i < 3; i++) c[i] = c[i] / c[3];
        break;
    }
    out[p] = texel(r.unit, kind, c, lanes, q, d);
  }
}
}  // namespace pumice::hw::tx

namespace pumice::compiler {
namespace {

struct Run {
  ir::Module module;
  us::Compiled compiled;
  std::string log;
};

/// Compiles text and compares chip and evaluator on a few random quads. tolerance 0: to the bit.
void expect_same(const std::string& text, float tolerance, uint32_t seed = 1, unsigned quads = 3) {
  Run run;
  std::string error;
  ASSERT_TRUE(ir::parse(text, run.module, error)) << error << "\n" << text;
  ASSERT_EQ(ir::validate_chip_form(run.module), "") << text;
  try {
    run.compiled = us::compile(run.module, {15}, &run.log);
  } catch (const isa::Unsupported& e) {
    FAIL() << e.what() << "\n" << run.log << text;
  }
  g_coord_lanes.clear();
  for (const ir::Texture& t : run.module.textures) g_coord_lanes.push_back(ir::coord_lanes(t.dim));
  std::mt19937 random(seed);
  const auto number = [&] { return static_cast<float>(static_cast<int>(random() % 4097) - 2048) / 1024.0f; };
  for (unsigned q = 0; q < quads; q++) {
    ir::Environment env;
    env.uniforms.resize(run.module.uniforms.size());
    for (auto& u : env.uniforms) {
      for (int i = 0; i < 64; i++) u.push_back(number());
    }
    for (int i = 0; i < 32; i++) env.push.push_back(number());
    env.parameter = [](ConstantRange::Parameter p, uint32_t index, uint32_t offset) {
      const float f = static_cast<float>(p) + static_cast<float>(index * 2 + offset) * 0.25f;
      return ir::Vec4{0.5f + f, 0.25f + f, f, 4};
    };
    env.texel = [&](const ir::TexelRequest& r) {
      ir::Vec4 d{};
      const unsigned lanes = g_coord_lanes.at(r.texture);
      if (r.kind == ir::TexKind::grad) d = {r.dx[0] + r.dx[lanes - 1], r.dy[0] + r.dy[lanes - 1]};
      const bool has_q = r.kind == ir::TexKind::bias || r.kind == ir::TexKind::lod || r.kind == ir::TexKind::fetch;
      static constexpr int kKind[] = {0, 1, 2, 3, 4, 5};
      return texel(r.texture, kKind[static_cast<int>(r.kind)], r.coord, lanes, has_q ? r.q : 0, d);
    };
    testing::FragmentChip chip;
    chip.load(run.module, run.compiled, env);
    env.inputs.assign(4, {});
    const float zscale = env.parameter(ConstantRange::Parameter::viewport_transform, 0, 0)[0];
    const float zoffset = env.parameter(ConstantRange::Parameter::viewport_transform, 0, 0)[1];
    for (unsigned p = 0; p < 4; p++) {
      for (const ir::Input& in : run.module.inputs) {
        ir::Vec4 v{number(), number(), number(), number()};
        const FragmentProgram& program = run.compiled.program;
        switch (in.builtin) {
          case ir::Builtin::none:
            for (const us::FragmentInput& f : run.compiled.inputs) {
              for (unsigned l = 0; f.location == in.location && l < in.comps; l++) chip.quad->temp[f.temp][p][in.component + l] = v[l];
            }
            break;
          case ir::Builtin::front_facing:
            v = {q & 1 ? 1.0f : 0.0f, 0, 0, 0};
            if (program.front_facing_temp) chip.quad->temp[*program.front_facing_temp][p] = {1 - v[0], 0, 0, 0};
            break;
          case ir::Builtin::point_coord:
            if (program.point_coord_temp) chip.quad->temp[*program.point_coord_temp][p] = v;
            break;
          case ir::Builtin::frag_coord: {
            const float x = static_cast<float>(p & 1), y = static_cast<float>(p >> 1);
            const hw::Vec4 clip{number(), number(), number(), 1.5f + number() * 0.5f};
            if (program.frag_coord_xy_temp) chip.quad->temp[*program.frag_coord_xy_temp][p] = {x, y, 0, 0};
            if (run.compiled.position) chip.quad->temp[run.compiled.position->temp][p] = clip;
            v = {x + 0.5f, y + 0.5f, clip[2] / clip[3] * zscale + zoffset, 1 / clip[3]};
            break;
          }
          default: break;
        }
        env.inputs[p].push_back(v);
      }
    }
    const ir::Evaluation expected = ir::evaluate(run.module, env);
    ASSERT_EQ(expected.error, "") << text;
    chip.run();
    ASSERT_TRUE(chip.reports.empty()) << chip.reports[0] << "\n" << run.log;
    ASSERT_FALSE(chip.hung);
    for (unsigned p = 0; p < 4; p++) {
      const ir::Invocation& e = expected.invocations[p];
      ASSERT_EQ(e.killed, bool(chip.quad->killed >> p & 1)) << "pixel " << p << "\n" << text << run.log;
      for (size_t o = 0; o < run.module.outputs.size(); o++) {
        const ir::Output& out = run.module.outputs[o];
        for (unsigned l = 0; l < out.comps; l++) {
          if (!(e.outputs_written[o] >> l & 1)) continue;
          const float have =
              out.builtin == ir::Builtin::frag_depth ? chip.quad->depth[p] : chip.quad->color[out.location][p][out.component + l];
          const float want = e.outputs[o][l];
          const bool same =
              have == want || (std::isnan(have) && std::isnan(want)) || std::fabs(have - want) <= tolerance * (1 + std::fabs(want));
          ASSERT_TRUE(same) << "quad " << q << " pixel " << p << " output " << o << " lane " << l << ": chip " << have << ", evaluator "
                            << want << "\n"
                            << text << run.log;
        }
      }
    }
  }
}

const std::string kHead = R"(shader fragment "test"
input 0 location=0 component=0 f32x4
input 1 location=1 component=0 f32x3
output 0 location=0 component=0 f32x4
)";

TEST(UsRun, ScalarFunctions) {
  for (const char* op : {"rcp", "rsq", "exp2", "floor", "fract"}) {
    expect_same(kHead + "%1:f32x4 = load_input 0\n%2:f32 = " + op + " %1.x\n%3:f32 = " + op +
                    " -%1.y\n%4:f32x4 = vec %2.x %3.x %1.z %2.x\nstore_output 0 %4.xyzw mask=xyzw\n",
                2e-6f);
  }
  expect_same(kHead +
                  "%1:f32x4 = load_input 0\n%2:f32 = log2 |%1.x|\n%3:f32 = fract %1.y\n%4:f32 = sin_cycles %3.x\n%5:f32 = cos_cycles "
                  "%3.x\n%6:f32x4 = vec %2.x "
                  "%4.x %5.x %4.x\nstore_output 0 %6.xyzw mask=xyzw\n",
              2e-6f);
}

TEST(UsRun, DerivativesOfSwizzledAndComputedValues) {
  expect_same(kHead + R"(%1:f32x4 = load_input 0
%2:f32x3 = load_input 1
%3:f32x3 = ddx %2.zyx
%4:f32x2 = ddy %1.wx
%5:f32x3 = mul %2.xyz %1.xyz
%6:f32x3 = ddx -%5.xxz
%7:f32 = ddy %5.y
%8:f32x3 = add %3.xyz %6.xyz
%9:f32 = ddx |%1.w|
%10:f32 = add %9.x %7.x
%11:f32x2 = add %8.xy %4.xy
%12:f32x4 = vec %11.x %11.y %8.z %10.x
store_output 0 %12.xyzw mask=xyzw
)",
              0);
}

TEST(UsRun, EveryTextureKind) {
  const std::string head =
      kHead +
      "texture 0 set=0 binding=1 element=0 2d\ntexture 1 set=0 binding=2 element=0 cube\ntexture 2 set=0 binding=3 element=0 1d\n"
      "%1:f32x4 = load_input 0\n%2:f32x3 = load_input 1\n%3:f32 = mul %1.x %2.y\n%4:f32x2 = constant 0.3 -0.7\n";
  const char* kRows[] = {"tex 0 implicit %1.xy",
                         "tex 0 implicit %1.wz",
                         "tex 1 implicit %2.xyz",
                         "tex 1 implicit -%2.xyz",
                         "tex 2 implicit %3.x",
                         "tex 0 implicit %4.xy",
                         "tex 0 bias %1.xy %3.x",
                         "tex 0 bias %1.xy %1.w",
                         "tex 1 bias %2.zyx %3.x",
                         "tex 0 lod %2.xy %3.x",
                         "tex 1 lod %2.xyz %4.x",
                         "tex 0 grad %1.xy %2.xy %2.yz",
                         "tex 1 grad %2.xyz %1.xyz %1.yzw",
                         "tex 0 proj %1.xy %1.w",
                         "tex 0 proj %2.xy %3.x",
                         "tex 0 fetch %1.xy %4.y",
                         "tex 2 fetch %3.x %1.x",
                         "tex 2 grad %3.x %1.x %1.y",
                         "tex 0 grad %4.xy -%2.xy |%2.yz|"};
  for (const char* row : kRows) {
    expect_same(head + "%5:f32x4 = " + row + "\n%6:f32x4 = mul %5.xyzw %1.wzyx\nstore_output 0 %6.xyzw mask=xyzw\n", 1e-6f);
  }
  // Dependent lookups and several results in flight.
  expect_same(head + R"(%5:f32x4 = tex 0 implicit %1.xy
%6:f32x4 = tex 0 implicit %1.zw
%7:f32x4 = tex 1 implicit %5.xyz
%8:f32x2 = add %6.xy %7.zw
%9:f32x4 = tex 0 lod %8.yx %7.x
%10:f32x4 = add %9.xyzw %6.xyzw
%11:f32x4 = add %10.xyzw %5.wzyx
store_output 0 %11.xyzw mask=xyzw
)",
              0);
}

TEST(UsRun, BuiltInsAndDepth) {
  expect_same(R"(shader fragment "builtins"
input 0 frag_coord f32x4
input 1 front_facing bool
input 2 point_coord f32x2
output 0 location=0 component=0 f32x4
output 1 frag_depth f32
output 2 location=2 component=1 f32x2
%1:f32x4 = load_input 0
%2:bool = load_input 1
%3:f32x2 = load_input 2
%4:f32 = sel %2.x %3.x %3.y
%5:f32x4 = vec %1.x %4.x %1.z %1.w
%6:f32 = mul %1.z %1.w
store_output 0 %5.xyzw mask=xyzw
store_output 1 %6.x mask=x
store_output 2 %1.yx mask=xy
)",
              1e-6f);
}

TEST(UsRun, KillUnderACondition) {
  expect_same(kHead + R"(%1:f32x4 = load_input 0
%2:f32 = constant 0
%3:bool = slt %1.x %2.x
%4:bool = sge %1.y %2.x
kill_if %3.x
if %4.x {
%5:bool = slt %1.z %2.x
kill_if %5.x
}
store_output 0 %1.xyzw mask=xyzw
)",
              0, 5, 20);
}

TEST(UsRun, LongLoopsGetASecondLevel) {
  // 300 and more rounds, ended by data the compiler cannot see through.
  expect_same(kHead + R"(%1:f32x4 = load_input 0
%2:f32 = constant 0
%3:f32 = constant 400
%4:f32 = mul |%1.x| %3.x
%5:f32 = constant 1
loop %6:f32 = %2.x, %7:f32 = %1.y -> %8:f32 {
%9:bool = sge %6.x %4.x
if %9.x {
break %7.x
}
%10:f32 = add %7.x %1.z
%11:f32 = fract %10.x
%12:f32 = add %6.x %5.x
continue %12.x, %11.x
}
%13:f32x4 = vec %8.x %1.x %8.x %1.w
store_output 0 %13.xyzw mask=xyzw
)",
              0, 3, 6);
}

class UsRandom : public ::testing::TestWithParam<uint32_t> {};

TEST_P(UsRandom, MatchesTheEvaluator) {
  for (uint32_t i = 0; i < 25; i++) {
    const uint32_t seed = GetParam() * 25 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomIr generator(seed, true);
    expect_same(generator.program(10 + seed % 50), 0, seed, 2);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, UsRandom, ::testing::Range(0u, 20u));

}  // namespace
}  // namespace pumice::compiler
