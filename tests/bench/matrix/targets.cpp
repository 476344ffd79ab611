// SPDX-License-Identifier: MIT
/// Colour formats x opaque, blended, logic, masked; depth and stencil formats x what is tested and written. Four layers over the whole
/// target.
#include "tests/bench/matrix/formats.h"
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

constexpr uint32_t kLayers = 4;

enum class Write { opaque, blended, logic, masked };
constexpr std::pair<const char*, Write> kWrites[] = {
    {"opaque", Write::opaque}, {"blended", Write::blended}, {"logic", Write::logic}, {"masked", Write::masked}};

Case layers_case(Gpu& gpu, const TargetInfo& info, PipelineInfo pipeline_info, float first_depth, float depth_step) {
  const Target target = make_target(gpu, info);
  pipeline_info.layout = make_layout(gpu);
  pipeline_info.pass = target.pass;
  pipeline_info.colors = static_cast<uint32_t>(info.colors.size());
  const VkPipeline pipeline = make_pipeline(gpu, pipeline_info);
  const Buffer vertices = screen_vertices(gpu);
  return {.record =
              [=, layout = pipeline_info.layout](VkCommandBuffer commands) {
                target.begin(commands);
                vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
                for (uint32_t i = 0; i < kLayers; ++i) {
                  Push values;
                  // No ties in any number of bits: drivers round those differently, and logic operations show it.
                  values.w[0] = 0.171f, values.w[1] = -0.193f, values.w[2] = 0.38f + 0.08f * static_cast<float>(i);
                  values.extra[0] = 0.6f;
                  values.extra[2] = first_depth + depth_step * static_cast<float>(i);
                  draw_screen(commands, vertices, layout, values);
                }
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

Case color_case(Gpu& gpu, const Format& f, Write write) {
  if (write == Write::blended) gpu.need(f.format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT);
  if (write == Write::logic) gpu.need(gpu.features.logicOp, "logicOp");
  PipelineInfo p{.fragment = f.numeric == Numeric::uint ? "ucolor" : f.numeric == Numeric::sint ? "icolor" : "color"};
  if (write == Write::blended) blend_by_alpha(p.blend);
  if (write == Write::masked) p.blend.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_B_BIT;
  p.logic = write == Write::logic;
  return layers_case(gpu, {.colors = {f.format}}, p, 0.5f, 0);
}

/// The tests that lines of depth formats make: each layer nearer than the one before, all behind the cleared depth, or stencil alone.
struct Test {
  const char* name;
  bool depth, write, stencil;
  VkCompareOp compare;
};
constexpr Test kTests[] = {
    {"less, written", true, true, false, VK_COMPARE_OP_LESS}, {"less, not written", true, false, false, VK_COMPARE_OP_LESS},
    {"all fail", true, true, false, VK_COMPARE_OP_GREATER},   {"always, written", true, true, false, VK_COMPARE_OP_ALWAYS},
    {"stencil", false, false, true, VK_COMPARE_OP_ALWAYS},    {"depth and stencil", true, true, true, VK_COMPARE_OP_LESS},
};

Case depth_case(Gpu& gpu, const Format& f, const Test& test, bool color) {
  PipelineInfo p{.fragment = color ? "color" : "empty.frag"};
  p.depth.depthTestEnable = test.depth;
  p.depth.depthWriteEnable = test.write;
  p.depth.depthCompareOp = test.compare;
  p.depth.stencilTestEnable = test.stencil;
  p.depth.front = {.failOp = VK_STENCIL_OP_KEEP,
                   .passOp = VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                   .depthFailOp = VK_STENCIL_OP_INVERT,
                   .compareOp = VK_COMPARE_OP_GREATER,
                   .compareMask = 0xff,
                   .writeMask = 0xff,
                   .reference = 3};
  p.depth.back = p.depth.front;
  TargetInfo info{.depth = f.format, .keep_depth = !color};
  if (!color) info.colors.clear();
  return layers_case(gpu, info, p, 0.8f, -0.1f);
}

}  // namespace

void add_targets(std::vector<Line>& lines) {
  const double items = kMegapixels * kLayers;
  for (const Format& f : color_formats())
    for (const auto& [name, write] : kWrites) {
      const bool floats = f.numeric == Numeric::sfloat || f.numeric == Numeric::ufloat;
      if (write == Write::blended && is_integer(f)) continue;
      if (write == Write::logic && (floats || f.numeric == Numeric::srgb)) continue;
      lines.push_back({std::string("colour/") + f.name + "/" + name, items, "Mpix/s", f.quick || write == Write::opaque,
                       [&f, write](Gpu& gpu) { return color_case(gpu, f, write); }});
    }
  for (const Format& f : depth_formats())
    for (const Test& test : kTests) {
      const bool has_depth = f.numeric == Numeric::depth, has_stencil = aspects(f.format) & VK_IMAGE_ASPECT_STENCIL_BIT;
      if ((test.depth && !has_depth) || (test.stencil && !has_stencil)) continue;
      lines.push_back({std::string("depth/") + f.name + "/" + test.name, items, "Mpix/s", f.quick,
                       [&f, &test](Gpu& gpu) { return depth_case(gpu, f, test, true); }});
    }
  for (const Format& f : depth_formats())
    if (f.numeric == Numeric::depth)
      lines.push_back({std::string("depth/") + f.name + "/without colour", items, "Mpix/s", f.quick,
                       [&f](Gpu& gpu) { return depth_case(gpu, f, kTests[0], false); }});
}

}  // namespace pumice::bench::matrix
