// SPDX-License-Identifier: MIT
/// r5x: extensions of the rasterizer: VK_EXT_depth_clip_enable, VK_EXT_depth_clip_control, VK_EXT_depth_range_unrestricted,
/// VK_EXT_depth_clamp_zero_one, VK_EXT_provoking_vertex, VK_EXT_line_rasterization; their states as dynamic ones and in libraries of
/// pipelines.
#include <cmath>

#include "coordinate_z.frag.h"
#include "deep.frag.h"
#include "flat.frag.h"
#include "flat.vert.h"
#include "tests/vk/colored_fixture.h"

namespace vktest {
namespace {

class Raster : public Colored {
 protected:
  Raster() {
    device_extensions = {VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME,
                         VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME};
    clip_.depthClipEnable = control_.depthClipControl = provoking_.provokingVertexLast = VK_TRUE;
    lines_.rectangularLines = lines_.stippledRectangularLines = VK_TRUE;
    device_next = &clip_;
  }

  /// Depths of the first row of a D32_SFLOAT attachment.
  std::vector<float> depths() {
    const auto bytes = read(depth, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
    std::vector<float> v(kSize);
    std::memcpy(v.data(), bytes.data(), 4 * v.size());
    return v;
  }
  /// Red pixels of a row, a character for each.
  std::string row(uint32_t y) const {
    std::string s;
    for (uint32_t x = 0; x < kSize; ++x) s += at(x, y) == kRedPixel ? '#' : '.';
    return s;
  }
  std::string column(uint32_t x) const {
    std::string s;
    for (uint32_t y = 0; y < kSize; ++y) s += at(x, y) == kRedPixel ? '#' : '.';
    return s;
  }
  /// The middle of pixel (x, y); of its left edge with `left`.
  static ColoredVertex middle(float x, float y) { return {(x + 0.5f) / 8 - 1, (y + 0.5f) / 8 - 1, 0.5f, kRed}; }

 private:
  VkPhysicalDeviceLineRasterizationFeaturesEXT lines_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT};
  VkPhysicalDeviceProvokingVertexFeaturesEXT provoking_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, &lines_};
  VkPhysicalDeviceDepthClipControlFeaturesEXT control_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT, &provoking_};

 protected:
  VkPhysicalDeviceDepthClipEnableFeaturesEXT clip_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT, &control_};
};

TEST_F(Raster, FeaturesAndLimits) {
  VkPhysicalDeviceLineRasterizationFeaturesEXT lines{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT};
  VkPhysicalDeviceProvokingVertexFeaturesEXT provoking{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, &lines};
  VkPhysicalDeviceFeatures2 f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &provoking};
  vkGetPhysicalDeviceFeatures2(physical, &f);
  EXPECT_TRUE(lines.rectangularLines && lines.stippledRectangularLines);
  EXPECT_FALSE(lines.bresenhamLines || lines.smoothLines || lines.stippledBresenhamLines || lines.stippledSmoothLines);
  EXPECT_TRUE(provoking.provokingVertexLast);
  EXPECT_FALSE(provoking.transformFeedbackPreservesProvokingVertex);
  VkPhysicalDeviceLineRasterizationPropertiesEXT line_limits{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT};
  VkPhysicalDeviceProvokingVertexPropertiesEXT modes{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT, &line_limits};
  VkPhysicalDeviceProperties2 p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &modes};
  vkGetPhysicalDeviceProperties2(physical, &p);
  EXPECT_EQ(line_limits.lineSubPixelPrecisionBits, 8u);
  EXPECT_TRUE(modes.provokingVertexModePerPipeline);
  // What is not there is refused.
  lines = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT};
  lines.smoothLines = VK_TRUE;
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1, qi.pQueuePriorities = &priority;
  const char* const extension = VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &lines};
  di.queueCreateInfoCount = di.enabledExtensionCount = 1, di.pQueueCreateInfos = &qi, di.ppEnabledExtensionNames = &extension;
  VkDevice none = VK_NULL_HANDLE;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateDevice(physical, &di, nullptr, &none));
}

/// Clipping and clamping, each with and without the other.
TEST_F(Raster, DepthClipEnable) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT);
  PipelineOptions o = colored();
  o.depth_stencil = depth_test(VK_COMPARE_OP_ALWAYS);
  const VkPipelineLayout l = layout();
  struct Case {
    int clips;  ///< -1: not said
    bool clamps;
    const char* drawn;
    float first;  ///< depth of the first pixel
  };
  const std::string all(kSize, '#');
  const Case cases[] = {{-1, false, ".....######.....", 0.5f}, {-1, true, "################", 0.25f}, {0, false, "################", 0},
                        {0, true, "################", 0.25f},  {1, false, ".....######.....", 0.5f},  {1, true, ".....######.....", 0.5f}};
  for (const Case& k : cases) {
    VkPipelineRasterizationDepthClipStateCreateInfoEXT clip{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT};
    clip.depthClipEnable = k.clips > 0;
    const VkPipeline p = changed(l, o, [&](auto& rs, auto&) {
      rs.depthClampEnable = k.clamps;
      if (k.clips >= 0) rs.pNext = &clip;
    });
    render(
        [&](VkCommandBuffer c) {
          const VkViewport v{0, 0, kSize, kSize, 0.25f, 0.75f};
          vkCmdSetViewport(c, 0, 1, &v);
          draw(c, p, rectangle(kRed, -1, 1, -1, 2));
        },
        {}, 0.5f);
    EXPECT_EQ(row(3), k.drawn) << k.clips << k.clamps;
    EXPECT_EQ(depths()[0], k.first) << k.clips << k.clamps;
    EXPECT_NEAR(depths()[7], 0.25f + 0.5f * (-1 + 7.5f * 3 / 16), 1e-4f);  // cut corners snap to the grid
  }
  // Lines and points are clipped the same way.
  for (const bool clips : {false, true}) {
    VkPipelineRasterizationDepthClipStateCreateInfoEXT clip{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT};
    clip.depthClipEnable = clips;
    PipelineOptions lines = o;
    lines.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    const VkPipeline p = changed(l, lines, [&](auto& rs, auto&) { rs.pNext = &clip; });
    render([&](VkCommandBuffer c) { draw(c, p, {{-1, 0.0625f, -1, kRed}, {1, 0.0625f, 2, kRed}}); });
    EXPECT_EQ(row(8), clips ? ".....######....." : all);
  }
}

TEST_F(Raster, DepthFromMinusOneToOne) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT);
  PipelineOptions o = colored();
  o.depth_stencil = depth_test(VK_COMPARE_OP_ALWAYS);
  const VkPipelineLayout l = layout();
  VkPipelineViewportDepthClipControlCreateInfoEXT control{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT};
  control.negativeOneToOne = VK_TRUE;
  for (const bool clamps : {false, true}) {
    const VkPipeline p = changed(l, o, [&](auto& rs, auto& vp) { vp.pNext = &control, rs.depthClampEnable = clamps; });
    const VkPipeline usual = changed(l, o, [&](auto&, auto&) {});
    for (const float near : {0.0f, 0.25f}) {
      render([&](VkCommandBuffer c) {
        const VkViewport v{0, 0, kSize, kSize, near, 1};
        vkCmdSetViewport(c, 0, 1, &v);
        draw(c, usual, full(kBlue, 0.5f));
        draw(c, p, rectangle(kRed, -1, 1, -2, 2));
      });
      EXPECT_EQ(row(3), clamps ? "################" : "....########....");
      const std::vector<float> z = depths();
      EXPECT_EQ(z[4], near + (1 - near) * 0.0625f);
      EXPECT_EQ(z[11], near + (1 - near) * 0.9375f);
      EXPECT_EQ(z[0], clamps ? near : near + (1 - near) * 0.5f);  // the pipeline before has 0..1
      EXPECT_EQ(z[15], clamps ? 1.0f : near + (1 - near) * 0.5f);
    }
  }
}

TEST_F(Raster, LastVertexProvokes) {
  make_pass();
  const VkPipelineLayout l = layout();
  const auto with = [&](VkPrimitiveTopology topology, bool last) {
    VkPipelineRasterizationProvokingVertexStateCreateInfoEXT state{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT};
    state.provokingVertexMode = last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
    VkPipeline p = VK_NULL_HANDLE;
    with_pipeline_info(SPIRV(flat_vert), SPIRV(flat_frag), l, colored(topology), [&](const VkGraphicsPipelineCreateInfo& given) {
      VkGraphicsPipelineCreateInfo pi = given;
      VkPipelineRasterizationStateCreateInfo rs = *pi.pRasterizationState;
      rs.pNext = &state;
      pi.pRasterizationState = &rs;
      EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &p));
    });
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  };
  const auto colors = [&](VkPrimitiveTopology topology, bool last, std::vector<ColoredVertex> v) {
    const std::array<float, 4> of[4] = {kRed, kGreen, kBlue, kWhite};
    for (size_t i = 0; i < v.size(); ++i) v[i].color = of[i];
    const VkPipeline p = with(topology, last);
    render([&](VkCommandBuffer c) { draw(c, p, v); });
    return std::array{at(2, 2), at(13, 13)};
  };
  using Two = std::array<Pixel, 2>;
  const ColoredVertex a{-1, -1, 0, kRed}, b{1, -1, 0, kRed}, c{-1, 1, 0, kRed}, d{1, 1, 0, kRed};
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, {a, b, c}), (Two{kRedPixel, kNone}));
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, true, {a, b, c}), (Two{kBluePixel, kNone}));
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, false, {a, b, c, d}), (Two{kRedPixel, kGreenPixel}));
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, {a, b, c, d}), (Two{kBluePixel, kWhitePixel}));
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, false, {b, a, c, d}), (Two{kGreenPixel, kBluePixel}));
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true, {b, a, c, d}), (Two{kBluePixel, kWhitePixel}));
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, false, {middle(0, 2), middle(8, 2), middle(8, 13), middle(15, 13)}),
            (Two{kRedPixel, kBluePixel}));
  EXPECT_EQ(colors(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, true, {middle(0, 2), middle(8, 2), middle(8, 13), middle(15, 13)}),
            (Two{kGreenPixel, kWhitePixel}));
}

/// Lines from the left edge of pixel 0 on.
TEST_F(Raster, StippledLines) {
  make_pass();
  const VkPipelineLayout l = layout();
  const auto with = [&](VkPrimitiveTopology topology, uint32_t factor, uint16_t pattern, bool dynamic = false, bool restart = false) {
    VkPipelineRasterizationLineStateCreateInfoEXT lines{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT};
    lines.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT;
    lines.stippledLineEnable = VK_TRUE, lines.lineStippleFactor = factor, lines.lineStipplePattern = pattern;
    PipelineOptions o = colored(topology);
    o.restart = restart;
    VkPipeline p = VK_NULL_HANDLE;
    with_pipeline_info(SPIRV(position3_color_vert), SPIRV(color_frag), l, o, [&](const VkGraphicsPipelineCreateInfo& given) {
      VkGraphicsPipelineCreateInfo pi = given;
      VkPipelineRasterizationStateCreateInfo rs = *pi.pRasterizationState;
      rs.pNext = &lines;
      pi.pRasterizationState = &rs;
      const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_LINE_STIPPLE_EXT};
      VkPipelineDynamicStateCreateInfo dy = *pi.pDynamicState;
      dy.dynamicStateCount = dynamic ? 3 : 2, dy.pDynamicStates = states;
      pi.pDynamicState = &dy;
      EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &p));
    });
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  };
  const auto edge = [](float x, uint32_t y) {
    ColoredVertex v = middle(0, static_cast<float>(y));
    v.x = x / 8 - 1;
    return v;
  };
  constexpr auto kList = VK_PRIMITIVE_TOPOLOGY_LINE_LIST, kStrip = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  // Bit 0 is the first piece; each line of a list begins with it.
  const VkPipeline list = with(kList, 1, 0x0F07);
  render([&](VkCommandBuffer c) { draw(c, list, {edge(0, 2), edge(16, 2), edge(4, 5), edge(16, 5), edge(16, 8), edge(0, 8)}); });
  EXPECT_EQ(row(2), "###.....####....");
  EXPECT_EQ(row(5), "....###.....####");
  EXPECT_EQ(row(8), "....####.....###");
  EXPECT_EQ(row(3), "................");
  const VkPipeline longer = with(kList, 3, 0x5);
  render([&](VkCommandBuffer c) { draw(c, longer, {edge(0, 2), edge(16, 2)}); });
  EXPECT_EQ(row(2), "###...###.......");
  // A strip goes on, around corners too; the next strip begins anew.
  const VkPipeline strip = with(kStrip, 1, 0x3333);
  render([&](VkCommandBuffer c) { draw(c, strip, {edge(0, 2), edge(5, 2), edge(16, 2)}); });
  EXPECT_EQ(row(2), "##..##..##..##..");
  render([&](VkCommandBuffer c) { draw(c, strip, {edge(1, 0), {-1 + 7.0f / 8, -1 + 0.5f / 8, 0, kRed}, {-1 + 7.0f / 8, 1, 0, kRed}}); });
  EXPECT_EQ(row(0).substr(0, 6), ".##..#");
  const VkPipeline two = with(kStrip, 1, 0x3333, false, true);
  const Buffer indices = buffer(14, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint16_t numbers[] = {0, 1, 0xFFFF, 2, 3};
  std::memcpy(indices.map, numbers, sizeof numbers);
  render([&](VkCommandBuffer c) {
    bind(c, two, {edge(0, 2), edge(7, 2), edge(1, 5), edge(16, 5)});
    vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(c, 5, 1, 0, 0, 0);
  });
  EXPECT_EQ(row(2), "##..##..........");
  EXPECT_EQ(row(5), ".##..##..##..##.");
  // Dynamic, and a pipeline without stipple behind it.
  const VkPipeline dynamic = with(kList, 1, 0, true), solid = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), l, colored(kList));
  render([&](VkCommandBuffer c) {
    vkCmdSetLineStippleEXT(c, 2, 0xAAAA);
    draw(c, dynamic, {edge(0, 2), edge(16, 2)});
    vkCmdSetLineStippleEXT(c, 4, 0x1);
    draw(c, dynamic, {edge(0, 4), edge(16, 4)});
    draw(c, solid, {edge(0, 6), edge(16, 6)});
  });
  EXPECT_EQ(row(2), "..##..##..##..##");
  EXPECT_EQ(row(4), "####............");
  EXPECT_EQ(row(6), "################");
  // Along the line: a diagonal of 16 pixels in each direction is 22.6 long.
  const VkPipeline half = with(kList, 11, 0x5555);
  render([&](VkCommandBuffer c) { draw(c, half, {{-1, -1, 0, kRed}, {1, 1, 0, kRed}}); });
  EXPECT_EQ(at(5, 5), kRedPixel);
  EXPECT_EQ(at(10, 10), kNone);
}

class RasterParts : public Raster {
 protected:
  RasterParts() {
    for (const char* e : {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                          VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME})
      device_extensions.push_back(e);
    three_.extendedDynamicState3DepthClipEnable = three_.extendedDynamicState3ProvokingVertexMode = VK_TRUE;
    three_.extendedDynamicState3LineStippleEnable = three_.extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE;
    libraries_.graphicsPipelineLibrary = VK_TRUE;
    libraries_.pNext = const_cast<void*>(device_next);
    device_next = &three_;
  }
  /// Flat colours, with these dynamic states besides viewport and scissor.
  VkPipeline with_dynamic(VkPipelineLayout l, const PipelineOptions& o, std::vector<VkDynamicState> states, const void* raster_next) {
    states.push_back(VK_DYNAMIC_STATE_VIEWPORT);
    states.push_back(VK_DYNAMIC_STATE_SCISSOR);
    VkPipeline p = VK_NULL_HANDLE;
    with_pipeline_info(SPIRV(flat_vert), SPIRV(flat_frag), l, o, [&](const VkGraphicsPipelineCreateInfo& given) {
      VkGraphicsPipelineCreateInfo pi = given;
      VkPipelineRasterizationStateCreateInfo rs = *pi.pRasterizationState;
      rs.pNext = raster_next;
      pi.pRasterizationState = &rs;
      VkPipelineDynamicStateCreateInfo dy = *pi.pDynamicState;
      dy.dynamicStateCount = static_cast<uint32_t>(states.size()), dy.pDynamicStates = states.data();
      pi.pDynamicState = &dy;
      EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &p));
    });
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  }

 private:
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
                                                          &libraries_};
};

TEST_F(RasterParts, AreDynamicState) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT);
  PipelineOptions o = colored();
  o.depth_stencil = depth_test(VK_COMPARE_OP_ALWAYS);
  const VkPipelineLayout l = layout();
  // Depths -2 to 2 from left to right.
  const VkPipeline p = with_dynamic(l, o,
                                    {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
                                     VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT},
                                    nullptr);
  const auto drawn = [&](bool clips, bool negative) {
    render([&](VkCommandBuffer c) {
      vkCmdSetDepthClipEnableEXT(c, clips);
      vkCmdSetDepthClipNegativeOneToOneEXT(c, negative);
      vkCmdSetProvokingVertexModeEXT(c, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
      draw(c, p, rectangle(kRed, -1, 1, -2, 2));
    });
    return row(3);
  };
  EXPECT_EQ(drawn(true, true), "....########....");
  EXPECT_EQ(depths()[4], 0.0625f);
  EXPECT_EQ(drawn(true, false), "........####....");
  EXPECT_EQ(drawn(false, true), "################");
  // Both modes in one command buffer.
  std::vector<ColoredVertex> corners{{-1, -1, 0, kRed}, {1, -1, 0, kGreen}, {-1, 1, 0, kBlue}}, others = corners;
  for (ColoredVertex& v : others) v.x = -v.x, v.y = -v.y;
  render([&](VkCommandBuffer c) {
    vkCmdSetDepthClipEnableEXT(c, VK_TRUE);
    vkCmdSetDepthClipNegativeOneToOneEXT(c, VK_FALSE);
    vkCmdSetProvokingVertexModeEXT(c, VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT);
    draw(c, p, corners);
    vkCmdSetProvokingVertexModeEXT(c, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
    draw(c, p, others);
  });
  EXPECT_EQ(at(2, 2), kBluePixel);
  EXPECT_EQ(at(13, 13), kRedPixel);
  // The pattern is the pipeline's, whether it is used is not.
  VkPipelineRasterizationLineStateCreateInfoEXT pattern{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT};
  pattern.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT;
  pattern.lineStippleFactor = 2, pattern.lineStipplePattern = 0x5555;
  o.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  const VkPipeline lines = with_dynamic(l, o, {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT}, &pattern);
  const auto line = [](float y) {
    return std::vector<ColoredVertex>{{-1, (y + 0.5f) / 8 - 1, 0.5f, kRed}, {1, (y + 0.5f) / 8 - 1, 0.5f, kRed}};
  };
  render([&](VkCommandBuffer c) {
    vkCmdSetLineStippleEnableEXT(c, VK_TRUE);
    draw(c, lines, line(2));
    vkCmdSetLineStippleEnableEXT(c, VK_FALSE);
    draw(c, lines, line(4));
  });
  EXPECT_EQ(row(2), "##..##..##..##..");
  EXPECT_EQ(row(4), "################");
}

/// A library outlives the structures it was made of, what its states are chained to included.
TEST_F(RasterParts, AreKeptByLibraries) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT);
  PipelineOptions o = colored();
  o.depth_stencil = depth_test(VK_COMPARE_OP_ALWAYS);
  const VkPipelineLayout l = layout();
  const auto linked = [&](const PipelineOptions& options) {
    VkPipeline libraries[2] = {}, p = VK_NULL_HANDLE;
    with_pipeline_info(SPIRV(flat_vert), SPIRV(flat_frag), l, options, [&](const VkGraphicsPipelineCreateInfo& given) {
      VkPipelineRasterizationLineStateCreateInfoEXT pattern{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT};
      pattern.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT;
      pattern.stippledLineEnable = options.topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
      pattern.lineStippleFactor = 2, pattern.lineStipplePattern = 0x5555;
      VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking{
          VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT, &pattern};
      provoking.provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
      VkPipelineRasterizationDepthClipStateCreateInfoEXT clip{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
                                                              &provoking};
      clip.depthClipEnable = VK_TRUE;
      VkPipelineViewportDepthClipControlCreateInfoEXT control{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT};
      control.negativeOneToOne = VK_TRUE;
      VkPipelineRasterizationStateCreateInfo rs = *given.pRasterizationState;
      rs.pNext = &clip, rs.depthClampEnable = VK_TRUE;
      VkPipelineViewportStateCreateInfo vp = *given.pViewportState;
      vp.pNext = &control;
      VkGraphicsPipelineLibraryCreateInfoEXT parts{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
      // One without vertices: a library of all parts is none.
      constexpr VkGraphicsPipelineLibraryFlagsEXT kParts[] = {VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
                                                              VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                                                                  VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                                                                  VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
      VkGraphicsPipelineCreateInfo pi = given;
      pi.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
      pi.pNext = &parts, pi.pRasterizationState = &rs, pi.pViewportState = &vp;
      for (int i = 0; i < 2; ++i) {
        parts.flags = kParts[i];
        pi.stageCount = i ? given.stageCount : 0;
        EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &libraries[i]));
      }
    });
    for (const VkPipeline library : libraries) defer([this, library] { vkDestroyPipeline(device, library, nullptr); });
    VkPipelineLibraryCreateInfoKHR of{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR};
    of.libraryCount = 2, of.pLibraries = libraries;
    VkGraphicsPipelineCreateInfo pi{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &of};
    pi.layout = l;
    EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &p));
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  };
  const VkPipeline triangles = linked(o);
  std::vector<ColoredVertex> slope = rectangle(kBlue, -1, 1, -2, 2);
  slope[2].color = slope[5].color = kRed;
  render([&](VkCommandBuffer c) { draw(c, triangles, slope); });
  EXPECT_EQ(row(3), "....########....");
  EXPECT_EQ(row(13), "....########....");
  EXPECT_EQ(depths()[4], 0.0625f);
  o.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  const VkPipeline lines = linked(o);
  render([&](VkCommandBuffer c) { draw(c, lines, {{-1, -0.6875f, 0.5f, kBlue}, {1, -0.6875f, 0.5f, kRed}}); });
  EXPECT_EQ(row(2), "##..##..##..##..");
}

class Unrestricted : public Raster {
 protected:
  Unrestricted() { device_extensions.push_back(VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME); }
};

TEST_F(Unrestricted, DepthsAreAnyNumbers) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT);
  PipelineOptions o = colored();
  o.depth_stencil = depth_test(VK_COMPARE_OP_LESS);
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), l, o);
  const auto scene = [&](VkPipeline with, float clear, float near, float far) {
    render(
        [&](VkCommandBuffer c) {
          const VkViewport v{0, 0, kSize, kSize, near, far};
          vkCmdSetViewport(c, 0, 1, &v);
          draw(c, with, rectangle(kRed, -1, 1, 0, 1));
        },
        {}, clear);
  };
  scene(p, 10, -2, 3);
  const std::vector<float> z = depths();
  for (uint32_t x = 0; x < kSize; ++x) EXPECT_NEAR(z[x], -2 + 5 * (static_cast<float>(x) + 0.5f) / 16, 1e-5f) << x;
  scene(p, -1, -2, 3);
  EXPECT_EQ(row(4), "###.............");
  EXPECT_EQ(depths()[15], -1);
  // Clamped to the viewport's range, which is beyond 0..1, too.
  const VkPipeline clamping = changed(l, o, [](auto& rs, auto&) { rs.depthClampEnable = VK_TRUE; });
  render(
      [&](VkCommandBuffer c) {
        const VkViewport v{0, 0, kSize, kSize, -2, 3};
        vkCmdSetViewport(c, 0, 1, &v);
        draw(c, clamping, rectangle(kRed, -1, 1, -1, 2));
      },
      {}, 10);
  EXPECT_EQ(depths()[0], -2);
  EXPECT_EQ(depths()[15], 3);
  // What programs write.
  const VkPipeline deep = pipeline(SPIRV(position3_color_vert), SPIRV(deep_frag), l, o);
  scene(deep, 3, 0, 1);
  EXPECT_EQ(depths()[5], 2.5f);
  scene(deep, 2, 0, 1);
  EXPECT_EQ(depths()[5], 2);
}

class ZeroOne : public Raster {
 protected:
  ZeroOne() {
    device_extensions.push_back(VK_EXT_DEPTH_CLAMP_ZERO_ONE_EXTENSION_NAME);
    zero_one_.depthClampZeroOne = VK_TRUE;
    zero_one_.pNext = &clip_;
    device_next = &zero_one_;
  }
  /// gl_FragCoord.z of the first row.
  std::vector<float> coordinates() {
    std::vector<float> v(kSize);
    std::memcpy(v.data(), pixels.data(), 4 * v.size());
    return v;
  }
  /// From 0 to 3 across, in a viewport of depths 0.25 to 0.75.
  void scene(VkPipeline p, float z = 3) {
    render(
        [&](VkCommandBuffer c) {
          const VkViewport v{0, 0, kSize, kSize, 0.25f, 0.75f};
          vkCmdSetViewport(c, 0, 1, &v);
          draw(c, p, rectangle(kRed, -1, 1, -z, z));
        },
        {}, 0.5f);
  }
  static float across(uint32_t x, float z) { return 0.5f * z * (static_cast<float>(x) - 7.5f) / 8 + 0.25f; }

 private:
  VkPhysicalDeviceDepthClampZeroOneFeaturesEXT zero_one_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT};
};

/// Depths are limited when they are tested; programs see those of the plane.
TEST_F(ZeroOne, LimitsComeBehindThePrograms) {
  VkPhysicalDeviceDepthClampZeroOneFeaturesEXT z{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT};
  VkPhysicalDeviceFeatures2 f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &z};
  vkGetPhysicalDeviceFeatures2(physical, &f);
  EXPECT_TRUE(z.depthClampZeroOne);
  make_pass({VK_FORMAT_R32_SFLOAT}, VK_FORMAT_D32_SFLOAT);
  PipelineOptions o = colored();
  o.depth_stencil = depth_test(VK_COMPARE_OP_ALWAYS);
  const VkPipelineLayout l = layout();
  VkPipelineRasterizationDepthClipStateCreateInfoEXT clip{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT};
  for (const bool clamps : {false, true}) {
    const float low = clamps ? 0.25f : 0, high = clamps ? 0.75f : 1;
    const auto with = [&](Spirv fragment) {
      return changed(
          l, o, [&](auto& rs, auto&) { rs.pNext = &clip, rs.depthClampEnable = clamps; }, fragment);
    };
    scene(with(SPIRV(coordinate_z_frag)));
    const std::vector<float> tested = depths(), seen = coordinates();
    for (uint32_t x = 0; x < kSize; ++x) {
      EXPECT_NEAR(seen[x], across(x, 3), 1e-5f) << x;
      EXPECT_EQ(tested[x], std::clamp(seen[x], low, high)) << x;
    }
    scene(with(SPIRV(deep_frag)));
    EXPECT_EQ(depths()[5], high) << "what programs write";
  }
  // Polygon offset, in units of 2^-25 at this depth.
  o.depth_bias = 1 << 26;
  scene(changed(
            l, o, [](auto&, auto&) {}, SPIRV(coordinate_z_frag)),
        0);
  EXPECT_EQ(coordinates()[3], 2.25f);
  EXPECT_EQ(depths()[3], 1);
}

}  // namespace
}  // namespace vktest
