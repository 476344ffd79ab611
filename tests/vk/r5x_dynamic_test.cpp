// SPDX-License-Identifier: MIT
/// r5x: VK_EXT_vertex_input_dynamic_state, VK_EXT_color_write_enable, VK_EXT_extended_dynamic_state3, VK_EXT_multi_draw.
#include <cstddef>
#include <cstdint>

#include "color.frag.h"
#include "draw_id.vert.h"
#include "full.vert.h"
#include "position_color.vert.h"
#include "targets.frag.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

using Pixel = std::array<uint8_t, 4>;
constexpr uint32_t kPixels = 256;

class Dynamic : public Render {
 protected:
  Dynamic() {
    api_version = VK_API_VERSION_1_1;
    device_extensions = {VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME, VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
                         VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, VK_EXT_MULTI_DRAW_EXTENSION_NAME,
                         VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME};
    divisor_.vertexAttributeInstanceRateDivisor = divisor_.vertexAttributeInstanceRateZeroDivisor = VK_TRUE;
    input_.vertexInputDynamicState = writes_.colorWriteEnable = multi_.multiDraw = parameters_.shaderDrawParameters = VK_TRUE;
    three_.extendedDynamicState3DepthClampEnable = three_.extendedDynamicState3PolygonMode =
        three_.extendedDynamicState3RasterizationSamples = three_.extendedDynamicState3SampleMask =
            three_.extendedDynamicState3AlphaToCoverageEnable = three_.extendedDynamicState3AlphaToOneEnable =
                three_.extendedDynamicState3LogicOpEnable = three_.extendedDynamicState3ColorBlendEnable =
                    three_.extendedDynamicState3ColorBlendEquation = three_.extendedDynamicState3ColorWriteMask = VK_TRUE;
    device_next = &input_;
  }

  struct Vertex {
    float x, y;
    float color[4];
  };
  /// A triangle over everything, with a colour.
  Buffer triangle(std::array<float, 4> c) { return triangle(c, {{{-1, -1}, {-1, 3}, {3, -1}}}); }
  /// One within.
  Buffer corners(std::array<float, 4> c) { return triangle(c, {{{-0.9f, -0.8f}, {-0.3f, 0.95f}, {0.8f, -0.2f}}}); }
  Buffer triangle(std::array<float, 4> c, const std::array<std::array<float, 2>, 3>& at) {
    const Buffer b = buffer(3 * sizeof(Vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (size_t i = 0; i < 3; ++i) {
      const Vertex v{at[i][0], at[i][1], {c[0], c[1], c[2], c[3]}};
      std::memcpy(b.map + i * sizeof v, &v, sizeof v);
    }
    return b;
  }
  static PipelineOptions options(std::vector<VkDynamicState> dynamic) {
    PipelineOptions o;
    o.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(Vertex, color)}};
    o.dynamic = std::move(dynamic);
    return o;
  }
  static void bind(VkCommandBuffer c, VkPipeline p, const Buffer& b) {
    const VkDeviceSize none = 0;
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &none);
  }
  /// A picture of the triangle, after `set`.
  void draw(VkPipelineLayout l, VkPipeline p, const Buffer& b, const std::function<void(VkCommandBuffer)>& set,
            std::array<float, 4> clear = {0, 0, 0, 0}, float z = 0.5f) {
    render(
        [&](VkCommandBuffer c) {
          bind(c, p, b);
          PushConstants push_constants;
          push_constants.z = z;
          push(c, l, push_constants);
          set(c);
          vkCmdDraw(c, 3, 1, 0, 0);
        },
        clear);
  }

 private:
  VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT};
  VkPhysicalDeviceShaderDrawParametersFeatures parameters_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES, &divisor_};
  VkPhysicalDeviceMultiDrawFeaturesEXT multi_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT, &parameters_};
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, &multi_};
  VkPhysicalDeviceColorWriteEnableFeaturesEXT writes_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT, &three_};
  VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT input_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
                                                            &writes_};
};

VkVertexInputBindingDescription2EXT binding(uint32_t n, uint32_t stride, VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX,
                                            uint32_t divisor = 1) {
  return {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, n, stride, rate, divisor};
}
VkVertexInputAttributeDescription2EXT attribute(uint32_t location, uint32_t from, VkFormat format, uint32_t offset) {
  return {VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, location, from, format, offset};
}

TEST_F(Dynamic, VertexInput) {
  make_pass();
  const VkPipelineLayout l = layout();
  // What is dynamic is not looked at.
  VkPipeline p = VK_NULL_HANDLE;
  PipelineOptions o = options({VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
  with_pipeline_info(SPIRV(position_color_vert), SPIRV(color_frag), l, o, [&](VkGraphicsPipelineCreateInfo i) {
    i.pVertexInputState = nullptr;
    VK_OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
  });
  defer([&, p] { vkDestroyPipeline(device, p, nullptr); });
  const VkPipeline fixed = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, options({}));
  const Buffer red = triangle({1, 0, 0, 1});
  // Positions at offset 4 of 16 bytes; colours of four bytes, one per instance.
  const Buffer places = buffer(48, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), colors = buffer(8, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const float at[12] = {7, -1, -1, 7, 7, -1, 3, 7, 7, 3, -1, 7};
  const uint8_t texels[8] = {0, 0, 255, 255, 0, 255, 0, 255};
  std::memcpy(places.map, at, sizeof at);
  std::memcpy(colors.map, texels, sizeof texels);
  const auto first = [](VkCommandBuffer c) {
    const auto b = binding(0, sizeof(Vertex));
    const VkVertexInputAttributeDescription2EXT a[] = {attribute(0, 0, VK_FORMAT_R32G32_SFLOAT, 0),
                                                       attribute(1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(Vertex, color))};
    vkCmdSetVertexInputEXT(c, 1, &b, 2, a);
  };
  const auto second = [](VkCommandBuffer c, uint32_t divisor) {
    const VkVertexInputBindingDescription2EXT b[] = {binding(5, 4, VK_VERTEX_INPUT_RATE_INSTANCE, divisor), binding(3, 16)};
    const VkVertexInputAttributeDescription2EXT a[] = {attribute(1, 5, VK_FORMAT_R8G8B8A8_UNORM, 0),
                                                       attribute(0, 3, VK_FORMAT_R32G32_SFLOAT, 4)};
    vkCmdSetVertexInputEXT(c, 2, b, 2, a);
  };
  const auto part = [](VkCommandBuffer c, int32_t y) {
    const VkRect2D rows{{0, y}, {kSize, 4}};
    vkCmdSetScissor(c, 0, 1, &rows);
  };
  render([&](VkCommandBuffer c) {
    push(c, l);
    const VkDeviceSize none = 0;
    vkCmdBindVertexBuffers(c, 3, 1, &places.handle, &none);
    vkCmdBindVertexBuffers(c, 5, 1, &colors.handle, &none);
    first(c);  // before the pipeline
    bind(c, p, red);
    part(c, 0);
    vkCmdDraw(c, 3, 1, 0, 0);
    second(c, 1);
    part(c, 4);
    vkCmdDraw(c, 3, 2, 0, 0);
    bind(c, fixed, red);
    part(c, 8);
    vkCmdDraw(c, 3, 1, 0, 0);
    bind(c, p, red);
    second(c, 0);
    vkCmdBindVertexBuffers(c, 3, 1, &places.handle, &none);  // keeps the stride
    part(c, 12);
    vkCmdDraw(c, 3, 2, 0, 0);
  });
  EXPECT_EQ(Render::at(3, 2), (Pixel{255, 0, 0, 255}));
  EXPECT_EQ(Render::at(3, 6), (Pixel{0, 255, 0, 255}));
  EXPECT_EQ(Render::at(3, 10), (Pixel{255, 0, 0, 255}));
  EXPECT_EQ(Render::at(3, 14), (Pixel{0, 0, 255, 255}));
}

TEST_F(Dynamic, ColorWritesAreEnabledByTarget) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM});
  const VkPipelineLayout l = layout();
  PipelineOptions o;
  o.blend.resize(2, o.blend[0]);
  o.dynamic = {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT};
  const VkPipeline dynamic = pipeline(SPIRV(full_vert), SPIRV(targets_frag), l, o);
  const VkBool32 enables[2] = {VK_TRUE, VK_FALSE};
  const VkPipelineColorWriteCreateInfoEXT writes{VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT, nullptr, 2, enables};
  o.blend_next = &writes;
  o.dynamic.clear();
  const VkPipeline fixed = pipeline(SPIRV(full_vert), SPIRV(targets_frag), l, o);
  // Bytes of a pixel of both targets.
  const auto drawn = [&](VkPipeline p, std::optional<std::array<VkBool32, 2>> on) {
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      push(c, l);
      if (on) vkCmdSetColorWriteEnableEXT(c, 2, on->data());
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    return std::pair(read(color[0], 4)[3], read(color[1], 4)[3]);
  };
  EXPECT_EQ(drawn(fixed, {}), std::pair(uint8_t{255}, uint8_t{0}));
  EXPECT_EQ(drawn(dynamic, {{VK_FALSE, VK_TRUE}}), std::pair(uint8_t{0}, uint8_t{128}));
  EXPECT_EQ(drawn(dynamic, {{VK_TRUE, VK_TRUE}}), std::pair(uint8_t{255}, uint8_t{128}));
  EXPECT_EQ(drawn(dynamic, {{VK_FALSE, VK_FALSE}}), std::pair(uint8_t{0}, uint8_t{0}));
}

TEST_F(Dynamic, DepthClampAndPolygonMode) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l,
                                options({VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_POLYGON_MODE_EXT}));
  const Buffer red = triangle({1, 0, 0, 1}), within = corners({1, 0, 0, 1});
  const auto pixels_of = [&](bool clamp, VkPolygonMode mode, float z) {
    draw(
        l, p, mode == VK_POLYGON_MODE_FILL ? red : within,
        [&](VkCommandBuffer c) {
          vkCmdSetDepthClampEnableEXT(c, clamp);
          vkCmdSetPolygonModeEXT(c, mode);
        },
        {}, z);
    return count({255, 0, 0, 255});
  };
  EXPECT_EQ(pixels_of(false, VK_POLYGON_MODE_FILL, 0.5f), kPixels);
  EXPECT_EQ(pixels_of(false, VK_POLYGON_MODE_FILL, 1.5f), 0u);
  EXPECT_EQ(pixels_of(true, VK_POLYGON_MODE_FILL, 1.5f), kPixels);
  const uint32_t lines = pixels_of(false, VK_POLYGON_MODE_LINE, 0.5f), points = pixels_of(false, VK_POLYGON_MODE_POINT, 0.5f);
  EXPECT_GT(lines, 8u);
  EXPECT_LT(lines, 64u);
  EXPECT_EQ(points, 3u);
  // As pipelines with the mode as part of them.
  PipelineOptions o = options({});
  o.polygon_mode = VK_POLYGON_MODE_LINE;
  const VkPipeline fixed = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  draw(l, fixed, within, [](VkCommandBuffer) {});
  EXPECT_EQ(count({255, 0, 0, 255}), lines);
}

TEST_F(Dynamic, SamplesAndTheirMasks) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_4_BIT);
  const VkPipelineLayout l = layout();
  const Buffer red = triangle({1, 0, 0, 0.5f});
  const Buffer small = corners({1, 1, 1, 1});
  const VkPipeline fixed = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, options({}));
  // The pipeline is told another number, another mask.
  const VkSampleMask none = 0;
  const PipelineOptions o = options({VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                                     VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT});
  VkPipeline p = VK_NULL_HANDLE;
  with_pipeline_info(SPIRV(position_color_vert), SPIRV(color_frag), l, o, [&](VkGraphicsPipelineCreateInfo i) {
    VkPipelineMultisampleStateCreateInfo ms = *i.pMultisampleState;
    ms.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT, ms.pSampleMask = &none, ms.alphaToCoverageEnable = VK_TRUE;
    i.pMultisampleState = &ms;
    VK_OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
  });
  defer([&, p] { vkDestroyPipeline(device, p, nullptr); });
  const auto set = [&](VkSampleMask mask, bool coverage, bool one) {
    return [=](VkCommandBuffer c) {
      vkCmdSetRasterizationSamplesEXT(c, VK_SAMPLE_COUNT_4_BIT);
      vkCmdSetSampleMaskEXT(c, VK_SAMPLE_COUNT_4_BIT, &mask);
      vkCmdSetAlphaToCoverageEnableEXT(c, coverage);
      vkCmdSetAlphaToOneEnableEXT(c, one);
    };
  };
  draw(l, fixed, small, [](VkCommandBuffer) {});
  const std::vector<uint8_t> expected = pixels;
  EXPECT_LT(count({255, 255, 255, 255}) + count({0, 0, 0, 0}), kPixels);  // edges
  draw(l, p, small, set(~0u, false, false));
  EXPECT_EQ(pixels, expected);
  draw(l, p, red, set(~0u, false, false));
  EXPECT_EQ(count({255, 0, 0, 128}), kPixels);
  draw(l, p, red, set(1, false, true));
  EXPECT_EQ(count({64, 0, 0, 64}), kPixels);
  draw(l, p, red, set(~0u, false, true));
  EXPECT_EQ(count({255, 0, 0, 255}), kPixels);
  draw(l, p, red, set(~0u, true, true));
  EXPECT_EQ(at(5, 5)[0], 128);
}

TEST_F(Dynamic, Blending) {
  make_pass();
  const VkPipelineLayout l = layout();
  const std::vector<VkDynamicState> all = {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                           VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
  PipelineOptions o = options(all);
  o.logic_op = VK_LOGIC_OP_INVERT;
  o.blend = {{VK_TRUE, {}, {}, {}, {}, {}, {}, 0}};  // none of it counts
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  const VkPipeline plain = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, options({}));
  const Buffer b = triangle({0.4f, 0.2f, 0, 1});
  const VkColorBlendEquationEXT add{VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE,  VK_BLEND_OP_ADD,
                                    VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD};
  const VkColorBlendEquationEXT reverse{VK_BLEND_FACTOR_ONE,  VK_BLEND_FACTOR_ONE, VK_BLEND_OP_REVERSE_SUBTRACT,
                                        VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD};
  const auto drawn = [&](bool logic, VkBool32 blend, const VkColorBlendEquationEXT& equation, VkColorComponentFlags mask) {
    draw(l, p, b,
         [&](VkCommandBuffer c) {
           vkCmdSetLogicOpEnableEXT(c, logic);
           vkCmdSetColorBlendEnableEXT(c, 0, 1, &blend);
           vkCmdSetColorBlendEquationEXT(c, 0, 1, &equation);
           vkCmdSetColorWriteMaskEXT(c, 0, 1, &mask);
         },
         {0.2f, 0.4f, 1, 0});
    return at(7, 7);
  };
  EXPECT_EQ(drawn(false, VK_FALSE, add, 0xF), (Pixel{102, 51, 0, 255}));
  EXPECT_EQ(drawn(false, VK_TRUE, add, 0xF), (Pixel{153, 153, 255, 255}));
  EXPECT_EQ(drawn(false, VK_TRUE, reverse, 0xF), (Pixel{0, 51, 255, 0}));
  EXPECT_EQ(drawn(false, VK_TRUE, add, VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT), (Pixel{153, 102, 255, 255}));
  EXPECT_EQ(drawn(true, VK_TRUE, add, 0xF), (Pixel{204, 153, 0, 255}));
  // A pipeline without dynamic state in between has its own.
  render(
      [&](VkCommandBuffer c) {
        bind(c, p, b);
        push(c, l);
        const VkBool32 off = VK_FALSE;
        const VkColorComponentFlags green = VK_COLOR_COMPONENT_G_BIT, everything = 0xF;
        vkCmdSetLogicOpEnableEXT(c, VK_FALSE);
        vkCmdSetColorBlendEnableEXT(c, 0, 1, &off);
        vkCmdSetColorBlendEquationEXT(c, 0, 1, &add);
        vkCmdSetColorWriteMaskEXT(c, 0, 1, &green);
        const VkRect2D top{{0, 0}, {kSize, 8}}, low{{0, 8}, {kSize, 4}}, lowest{{0, 12}, {kSize, 4}};
        vkCmdSetScissor(c, 0, 1, &top);
        vkCmdDraw(c, 3, 1, 0, 0);
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, plain);
        vkCmdSetScissor(c, 0, 1, &low);
        vkCmdDraw(c, 3, 1, 0, 0);
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        vkCmdSetLogicOpEnableEXT(c, VK_FALSE);
        vkCmdSetColorBlendEnableEXT(c, 0, 1, &off);
        vkCmdSetColorBlendEquationEXT(c, 0, 1, &add);
        vkCmdSetColorWriteMaskEXT(c, 0, 1, &everything);
        vkCmdSetColorWriteMaskEXT(c, 0, 1, &green);
        vkCmdSetScissor(c, 0, 1, &lowest);
        vkCmdDraw(c, 3, 1, 0, 0);
      },
      {1, 1, 1, 1});
  EXPECT_EQ(at(7, 3), (Pixel{255, 51, 255, 255}));
  EXPECT_EQ(at(7, 10), (Pixel{102, 51, 0, 255}));
  EXPECT_EQ(at(7, 14), (Pixel{255, 51, 255, 255}));
}

TEST_F(Dynamic, StateThatIsNotOfferedIsAnError) {
  const VkCommandBuffer c = command_buffer();
  const VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  vkCmdSetLineRasterizationModeEXT(c, VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT);
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkEndCommandBuffer(c));
  // And a device that wants it.
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
  VkPhysicalDeviceFeatures2 f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &three};
  vkGetPhysicalDeviceFeatures2(physical, &f);
  EXPECT_TRUE(three.extendedDynamicState3ColorWriteMask);
  EXPECT_FALSE(three.extendedDynamicState3LineRasterizationMode || three.extendedDynamicState3ShadingRateImageEnable);
  three.extendedDynamicState3LineRasterizationMode = VK_TRUE;
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1, qi.pQueuePriorities = &priority;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &three};
  di.queueCreateInfoCount = 1, di.pQueueCreateInfos = &qi;
  di.enabledExtensionCount = static_cast<uint32_t>(device_extensions.size()), di.ppEnabledExtensionNames = device_extensions.data();
  VkDevice d = VK_NULL_HANDLE;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateDevice(physical, &di, nullptr, &d));
}

TEST_F(Dynamic, ListsOfDraws) {
  make_pass();
  const VkPipelineLayout l = layout();
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  const VkPipeline p = pipeline(SPIRV(draw_id_vert), SPIRV(color_frag), l, o);
  VkPhysicalDeviceMultiDrawPropertiesEXT most{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &most};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  EXPECT_GE(most.maxMultiDrawCount, 1024u);
  struct Padded {
    VkMultiDrawInfoEXT info;
    uint32_t more;
  };
  const Padded list[3] = {{{2, 3}, 99}, {{0, 0}, 99}, {{9, 2}, 99}};
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdDrawMultiEXT(c, 3, &list[0].info, 1, 7, sizeof(Padded));
    vkCmdDrawMultiEXT(c, 0, nullptr, 1, 0, 0);
  });
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const bool has = (y == 0 && x >= 2 && x < 5) || (y == 2 && x >= 9 && x < 11);
      EXPECT_EQ(at(x, y), (has ? Pixel{7, static_cast<uint8_t>(y), 255, 255} : Pixel{})) << x << "," << y;
    }
  // Indices 3, 4, 5, .., with an offset for each draw, or one for all.
  Buffer indices = buffer(16, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  for (uint16_t i = 0; i < 8; ++i) indices.as<uint16_t>()[i] = static_cast<uint16_t>(3 + i);
  const VkMultiDrawIndexedInfoEXT indexed[2] = {{0, 2, -3}, {1, 3, 5}};
  for (const bool own : {true, false}) {
    const int32_t offset = 1;
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
      vkCmdDrawMultiIndexedEXT(c, 2, indexed, 2, 0, sizeof *indexed, own ? nullptr : &offset);
    });
    const uint32_t first[2] = {own ? 0u : 4u, own ? 9u : 5u};
    for (uint32_t y = 0; y < 3; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        const bool has = y < 2 && x >= first[y] && x < first[y] + 2 + y;
        EXPECT_EQ(at(x, y), (has ? Pixel{1, static_cast<uint8_t>(y), 255, 255} : Pixel{})) << own << " " << x << "," << y;
      }
  }
}

}  // namespace
}  // namespace vktest
