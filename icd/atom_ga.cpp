// SPDX-License-Identifier: MIT
/// GA and GB: points, lines, polygon mode, shading, provoking vertex (pipeline s.3).
#include <algorithm>

#include "icd/atoms.h"

namespace pumice::icd {
namespace {

constexpr float kSubpixels = 16.0f;

uint32_t half_size(float pixels) { return static_cast<uint32_t>(std::clamp(pixels * kSubpixels * 0.5f + 0.5f, 0.0f, 65535.0f)); }

uint32_t polygon_code(VkPolygonMode m) {
  using G = regs::GA_POLY_MODE;
  return m == VK_POLYGON_MODE_POINT  ? G::FRONT_PTYPE__POINTS
         : m == VK_POLYGON_MODE_LINE ? G::FRONT_PTYPE__LINES
                                     : G::FRONT_PTYPE__TRIANGLES;
}

/// Sample positions in 1/12 pixel, right and down from the pixel's corner, as programmed by Mesa (pipeline s.4).
struct Position {
  uint32_t x, y;
};
constexpr Position kSamples2[] = {{3, 9}, {9, 3}};
constexpr Position kSamples4[] = {{4, 4}, {8, 8}, {2, 10}, {10, 2}};

}  // namespace

void emit_samples(Cs& cs, uint32_t samples) {
  using A = regs::GB_AA_CONFIG;
  cs.state(A{}.AA_ENABLE(samples > 1).NUM_AA_SUBSAMPLES(samples == 4 ? A::NUM_AA_SUBSAMPLES__N4 : A::NUM_AA_SUBSAMPLES__N2));
  if (samples == 1) return;
  const std::span<const Position> p = samples == 4 ? std::span<const Position>(kSamples4) : kSamples2;
  uint32_t gap = 12;  // distance from the pixel's edge to the samples; equal in x and y in both patterns
  for (const Position& s : p) gap = std::min({gap, s.x, 12 - s.x, s.y, 12 - s.y});
  const auto at = [&](size_t i) { return i < p.size() ? p[i] : Position{6, 6}; };
  cs.state(regs::GB_MSPOS0{}.MS_X0(at(0).x).MS_Y0(at(0).y).MS_X1(at(1).x).MS_Y1(at(1).y).MS_X2(at(2).x).MS_Y2(at(2).y).MSBD0_X(gap).MSBD0_Y(
      gap));
  cs.state(regs::GB_MSPOS1{}.MS_X3(at(3).x).MS_Y3(at(3).y).MS_X4(6).MS_Y4(6).MS_X5(6).MS_Y5(6).MSBD1(gap));
}

void atom_ga(Cs& cs, const GfxState& g) {
  const FixedState& f = g.pipeline->fixed;
  const compiler::Program& p = *g.program;
  using G = regs::GA_COLOR_CONTROL;
  // Vulkan's provoking vertex is the first, in a fan the first rim vertex (pipeline s.2.5).
  const bool fan = f.topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
  cs.state(G{}.RGB0_SHADING(2)
               .ALPHA0_SHADING(2)
               .RGB1_SHADING(2)
               .ALPHA1_SHADING(2)
               .RGB2_SHADING(2)
               .ALPHA2_SHADING(2)
               .RGB3_SHADING(2)
               .ALPHA3_SHADING(2)
               .PROVOKING_VERTEX(fan ? G::PROVOKING_VERTEX__SECOND : G::PROVOKING_VERTEX__FIRST));
  regs::GA_COLOR_CONTROL_PS3 shading;
  for (const compiler::Varying& v : p.varyings)
    shading.raw |= (v.flat ? regs::GA_COLOR_CONTROL_PS3::TEX0_SHADING_PS3__FLAT : regs::GA_COLOR_CONTROL_PS3::TEX0_SHADING_PS3__GOURAUD)
                   << (2 * chip_set(v.texcoord, p.varyings.size()));
  if (cs.chip().has_shader_model_3) cs.state(shading);

  regs::PS3_TEX_SOURCE source;
  regs::GB_ENABLE enable;
  if (p.fragment.point_coord_temp) {
    enable.POINT_STUFF_ENABLE(1);
    // The sources in GB_ENABLE are those of the sets 0 to 7 without shader model 3.
    const uint32_t generated = regs::PS3_TEX_SOURCE::TEX0_SOURCE__GENERATED_S_T << (2 * p.varyings.size());
    if (cs.chip().has_shader_model_3)
      source.raw |= generated;
    else
      enable.raw |= regs::GB_ENABLE{}.TEX0_SOURCE(1).raw * generated;
  }
  cs.state(enable);
  if (cs.chip().has_shader_model_3) cs.state(source);
  // gl_PointCoord runs down from the upper edge; T0 belongs to the lower one.
  cs.state_float<regs::GA_POINT_S0>(0.0f);
  cs.state_float<regs::GA_POINT_S1>(1.0f);
  cs.state_float<regs::GA_POINT_T0>(1.0f);
  cs.state_float<regs::GA_POINT_T1>(0.0f);
  cs.state(regs::GA_POINT_SIZE{}.WIDTH(half_size(1)).HEIGHT(half_size(1)));
  cs.state(regs::GA_POINT_MINMAX{}.MIN_SIZE(half_size(1)).MAX_SIZE(half_size(static_cast<float>(cs.chip().point_extent))));
  cs.state(regs::GA_LINE_CNTL{}.WIDTH(half_size(g.line_width)).END_TYPE(regs::GA_LINE_CNTL::END_TYPE__COMPUTED_PERPENDICULAR_TO_SLOPE));
  const bool filled = f.polygon_mode == VK_POLYGON_MODE_FILL;
  cs.state(regs::GA_POLY_MODE{}.POLY_MODE(!filled).FRONT_PTYPE(polygon_code(f.polygon_mode)).BACK_PTYPE(polygon_code(f.polygon_mode)));
}

}  // namespace pumice::icd
