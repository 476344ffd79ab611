// SPDX-License-Identifier: MIT
#include "tests/compiler/us/fragment_rig.h"

#include "compiler/us_r300/compile.h"

namespace {

using pumice::compiler::ir::Vec4;

/// The texture units of these tests: some function of everything a request says. `kind`: 0 implicit, 1 bias, 2 lod, 3 grad, 4 proj, 5
/// fetch.
Vec4 texel(uint32_t binding, int kind, const Vec4& c, unsigned lanes, float q, const Vec4& d) {
  float sum = static_cast<float>(binding) + 0.125f * static_cast<float>(kind) + q + d[0] * 2 + d[1] * 4;
  for (unsigned i = 0; i < lanes; i++) sum += c[i] * static_cast<float>(i + 1);
  return {sum, 1 - sum, sum * 0.5f, sum * sum};
}

struct Unit {
  uint32_t binding;
  unsigned lanes;
};
std::vector<Unit> g_units;  // of the program that runs now: tx::sample below has no other way to know

}  // namespace

namespace pumice::hw::tx {
uint8_t sample(DrawContext&, const Request& r, std::array<Vec4, 4>& out) {
  const Unit unit = g_units.at(r.unit);
  for (int p = 0; p < 4; p++) {
    Vec4 c = r.coord[p];
    Vec4 d{};
    float q = 0;
    int kind = 0;
    switch (r.lookup) {
      case Lookup::ld: kind = 0; break;
      case Lookup::lod_bias: kind = 1, q = c[3]; break;
      case Lookup::lod: kind = r.unscaled ? 5 : 2, q = c[3]; break;
      case Lookup::dxdy: kind = 3, d = {r.dx[p][0] + r.dx[p][unit.lanes - 1], r.dy[p][0] + r.dy[p][unit.lanes - 1]}; break;
      case Lookup::proj:
        kind = 4;
        for (unsigned i = 0; i < 3; i++) c[i] = c[i] / c[3];
        break;
    }
    out[p] = texel(unit.binding, kind, c, unit.lanes, q, d);
  }
  return 0;
}
}  // namespace pumice::hw::tx

namespace pumice::compiler::testing {
namespace {

class Numbers {
 public:
  explicit Numbers(uint32_t seed) : random_(seed) {}
  /// Multiples of 1/1024 in [-2, 2].
  float next() { return static_cast<float>(static_cast<int>(random_() % 4097) - 2048) / 1024.0f; }
  Vec4 next4() { return {next(), next(), next(), next()}; }

 private:
  std::mt19937 random_;
};

struct Pixel {
  std::map<uint32_t, Vec4> location;
  Vec4 clip{}, frag_coord{}, point_coord{}, front_facing{};
};

constexpr float kWindow = 4;  ///< half the window's size, and its centre

Vec4 parameter(ConstantRange::Parameter p, uint32_t offset) {
  if (p == ConstantRange::Parameter::texture_size) return offset ? Vec4{64, 32, 4, 7} : Vec4{1 / 64.0f, 1 / 32.0f, 0.25f, 0};
  if (p == ConstantRange::Parameter::viewport_window) return {kWindow, kWindow, kWindow, kWindow};
  return {0.5f, 0.25f, 3, 4};
}

/// The first words that a row shows.
std::vector<float> memory(const ir::UniformBlock& u, uint32_t words, uint32_t seed) {
  Numbers numbers(seed + u.binding * 7 + u.set * 31);
  std::vector<float> data;
  for (uint32_t i = 0; i < words; i++) {
    const float x = numbers.next();
    data.push_back(u.view == ir::Type::f32 ? x : std::floor(u.view == ir::Type::u32 ? std::fabs(x * 4) : x * 4));
  }
  return data;
}

ir::Environment environment(const ir::Module& m, const std::array<Pixel, 4>& pixels, uint32_t seed) {
  ir::Environment env;
  for (const ir::UniformBlock& u : m.uniforms) env.uniforms.push_back(memory(u, 1024, seed));
  env.integer = [seed](const ir::UniformBlock& u, uint32_t word) { return memory(u, word + 1, seed).back(); };
  Numbers numbers(seed + 1000);
  for (int i = 0; i < 64; i++) env.push.push_back(numbers.next());
  env.parameter = [](ConstantRange::Parameter p, uint32_t, uint32_t offset) { return parameter(p, offset); };
  env.texel = [&m](const ir::TexelRequest& r) {
    const ir::Texture& t = m.textures[r.texture];
    const unsigned lanes = ir::coord_lanes(t.dim);
    Vec4 d{};
    if (r.kind == ir::TexKind::grad) d = {r.dx[0] + r.dx[lanes - 1], r.dy[0] + r.dy[lanes - 1]};
    const bool has_q = r.kind == ir::TexKind::bias || r.kind == ir::TexKind::lod || r.kind == ir::TexKind::fetch;
    const Vec4 v = texel(t.pair.image.binding, static_cast<int>(r.kind), r.coord, lanes, has_q ? r.q : 0, d);
    return r.dref ? Vec4{std::min(std::max(r.reference, 0.0f), 1.0f) <= v[0] ? 1.0f : 0.0f} : v;
  };
  env.inputs.assign(4, {});
  for (unsigned p = 0; p < 4; p++) {
    for (const ir::Input& in : m.inputs) {
      Vec4 v{};
      switch (in.builtin) {
        case ir::Builtin::none:
          for (unsigned l = 0; l < in.comps; l++) v[l] = pixels[p].location.at(in.location)[in.component + l];
          break;
        case ir::Builtin::front_facing: v = pixels[p].front_facing; break;
        case ir::Builtin::point_coord: v = pixels[p].point_coord; break;
        case ir::Builtin::frag_coord: v = pixels[p].frag_coord; break;
        default: break;
      }
      env.inputs[p].push_back(v);
    }
  }
  return env;
}

void load_inputs(const us::Compiled& c, const std::array<Pixel, 4>& pixels, hw::PixelQuad& quad) {
  const FragmentProgram& program = c.program;
  for (unsigned p = 0; p < 4; p++) {
    const Pixel& pixel = pixels[p];
    for (const us::FragmentInput& f : c.inputs) {
      // Components beyond those promised to be read hold rubbish.
      for (unsigned l = 0; l < 4; l++) quad.temp[f.temp][p][l] = l < f.components ? pixel.location.at(f.location)[l] : 1e30f;
    }
    if (program.front_facing_temp) quad.temp[*program.front_facing_temp][p] = {1 - pixel.front_facing[0], 0, 0, 0};
    if (program.point_coord_temp) quad.temp[*program.point_coord_temp][p] = pixel.point_coord;
    if (program.frag_coord_xy_temp)
      quad.temp[*program.frag_coord_xy_temp][p] = {static_cast<float>(p & 1), static_cast<float>(p >> 1), 0, 0};
    if (c.position) quad.temp[c.position->temp][p] = pixel.clip;
  }
}

}  // namespace

void expect_same_fragment(const ir::Module& reference, const ir::Module& chip_module, const std::string& text, float tolerance,
                          uint32_t seed, unsigned quads, const ChipLimits& limits) {
  us::Compiled compiled;
  std::string log;
  try {
    compiled = limits.fragment.levels ? us_r300::compile(chip_module, {15, &limits}, &log) : us::compile(chip_module, {15, &limits}, &log);
  } catch (const isa::Unsupported& e) {
    FAIL() << e.what() << "\n" << log << text;
  }
  g_units.clear();
  for (const ir::Texture& t : chip_module.textures) g_units.push_back({t.pair.image.binding, ir::coord_lanes(t.dim)});
  Numbers numbers(seed);
  for (unsigned q = 0; q < quads; q++) {
    std::array<Pixel, 4> pixels;
    for (unsigned p = 0; p < 4; p++) {
      Pixel& x = pixels[p];
      for (uint32_t location = 0; location < 16; location++) x.location[location] = numbers.next4();
      x.clip = {numbers.next(), numbers.next(), numbers.next(), 1.5f + numbers.next() * 0.5f};
      if (!limits.window_position) {  // where the pixel is
        for (unsigned l = 0; l < 2; l++) x.clip[l] = (static_cast<float>(p >> l & 1) + 0.5f - kWindow) / kWindow * x.clip[3];
      }
      const Vec4 viewport = parameter(ConstantRange::Parameter::viewport_transform, 0);
      x.frag_coord = {static_cast<float>(p & 1) + 0.5f, static_cast<float>(p >> 1) + 0.5f,
                      x.clip[2] / x.clip[3] * viewport[0] + viewport[1], 1 / x.clip[3]};
      x.point_coord = numbers.next4();
      x.front_facing = {q & 1 ? 1.0f : 0.0f};
    }
    const ir::Evaluation expected = ir::evaluate(reference, environment(reference, pixels, seed));
    ASSERT_EQ(expected.error, "") << text;
    FragmentChip chip(limits.fragment.levels ? hw::Profile::r300 : hw::Profile::r500);
    chip.load(chip_module, compiled, environment(chip_module, pixels, seed));
    load_inputs(compiled, pixels, *chip.quad);
    chip.run();
    ASSERT_TRUE(chip.reports.empty()) << chip.reports[0] << "\n" << log;
    ASSERT_FALSE(chip.hung);
    for (unsigned p = 0; p < 4; p++) {
      const ir::Invocation& e = expected.invocations[p];
      ASSERT_EQ(e.killed, bool(chip.quad->killed >> p & 1)) << "pixel " << p << "\n" << text << log;
      for (size_t o = 0; o < reference.outputs.size(); o++) {
        const ir::Output& out = reference.outputs[o];
        for (unsigned l = 0; l < out.comps; l++) {
          if (!(e.outputs_written[o] >> l & 1)) continue;
          const float have =
              out.builtin == ir::Builtin::frag_depth ? chip.quad->depth[p] : chip.quad->color[out.location][p][out.component + l];
          const float want = e.outputs[o][l];
          const bool same =
              have == want || (std::isnan(have) && std::isnan(want)) || std::fabs(have - want) <= tolerance * (1 + std::fabs(want));
          ASSERT_TRUE(same) << "quad " << q << " pixel " << p << " output " << o << " lane " << l << ": chip " << have << ", evaluator "
                            << want << "\n"
                            << text << log;
        }
      }
    }
  }
}

}  // namespace pumice::compiler::testing
