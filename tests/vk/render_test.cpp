// SPDX-License-Identifier: MIT
/// Render passes, draws of every kind, fixed-function state.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "builtins.frag.h"
#include "color.frag.h"
#include "full.vert.h"
#include "indices.vert.h"
#include "point.frag.h"
#include "point.vert.h"
#include "position_color.vert.h"
#include "storage.frag.h"
#include "targets.frag.h"
#include "tests/vk/render_fixture.h"
#include "uniform.frag.h"
#include "varyings.frag.h"
#include "varyings.vert.h"

namespace vktest {
namespace {

using Pixel = std::array<uint8_t, 4>;
constexpr Pixel kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255}, kClear{0, 0, 0, 0};

struct Vertex {
  float x, y;
  float color[4];
};

class Draw : public Render {
 protected:
  PipelineOptions with_vertices() const {
    PipelineOptions o;
    o.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8}};
    return o;
  }
  Buffer vertices(const std::vector<Vertex>& v) {
    Buffer b = buffer(v.size() * sizeof(Vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(b.map, v.data(), v.size() * sizeof(Vertex));
    return b;
  }
  static void bind(VkCommandBuffer c, const Buffer& b) {
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
  }
  /// Quads in pixels of one colour, as two triangles each.
  static std::vector<Vertex> quad(float x0, float y0, float x1, float y1, std::array<float, 4> c) {
    const auto v = [&](float x, float y) { return Vertex{x / 8 - 1, y / 8 - 1, {c[0], c[1], c[2], c[3]}}; };
    return {v(x0, y0), v(x1, y0), v(x0, y1), v(x0, y1), v(x1, y0), v(x1, y1)};
  }
  static VkPipelineDepthStencilStateCreateInfo depth_state(VkCompareOp op, bool write = true) {
    VkPipelineDepthStencilStateCreateInfo d{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    d.depthTestEnable = VK_TRUE;
    d.depthWriteEnable = write;
    d.depthCompareOp = op;
    return d;
  }
};

TEST_F(Draw, ATriangleCoversTheUpperLeftHalf) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, with_vertices());
  Buffer v = vertices({{-1, -1, {1, 0, 0, 1}}, {1, -1, {1, 0, 0, 1}}, {-1, 1, {1, 0, 0, 1}}});
  render(
      [&](VkCommandBuffer c) {
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        bind(c, v);
        push(c, l);
        vkCmdDraw(c, 3, 1, 0, 0);
      },
      {0, 0, 1, 1});
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) ASSERT_EQ(at(x, y), x + y < kSize - 1 ? kRed : kBlue) << x << "," << y;
}

TEST_F(Draw, ClearAttachmentsKeepsToItsRectangle) {
  make_pass();
  render(
      [&](VkCommandBuffer c) {
        VkClearAttachment a{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
        a.clearValue.color = {{0, 1, 0, 1}};
        const VkClearRect r{{{3, 2}, {5, 4}}, 0, 1};
        vkCmdClearAttachments(c, 1, &a, 1, &r);
      },
      {0, 0, 1, 1});
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) ASSERT_EQ(at(x, y), x >= 3 && x < 8 && y >= 2 && y < 6 ? kGreen : kBlue);
}

TEST_F(Draw, ViewportScissorAndPushConstants) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, with_vertices());
  Buffer v = vertices(quad(-8, -8, 24, 24, {1, 1, 1, 1}));  // far over the edges
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    bind(c, v);
    PushConstants green;
    green.tint[0] = green.tint[2] = 0;
    push(c, l, green);
    const VkViewport viewport{4, 4, 8, 8, 0, 1};
    vkCmdSetViewport(c, 0, 1, &viewport);
    vkCmdDraw(c, 6, 1, 0, 0);
    PushConstants red;
    red.tint[1] = red.tint[2] = 0;
    push(c, l, red);
    const VkRect2D scissor{{0, 0}, {6, 6}};
    vkCmdSetScissor(c, 0, 1, &scissor);
    vkCmdDraw(c, 6, 1, 0, 0);
    const VkRect2D nothing{{0, 0}, {0, 0}};
    vkCmdSetScissor(c, 0, 1, &nothing);
    vkCmdDraw(c, 6, 1, 0, 0);
  });
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const bool inside = x >= 4 && x < 12 && y >= 4 && y < 12;
      ASSERT_EQ(at(x, y), !inside ? kClear : x < 6 && y < 6 ? kRed : kGreen) << x << "," << y;
    }
}

TEST_F(Draw, IndexedIndirectAndRestartedDrawsAgree) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline list = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, with_vertices());
  PipelineOptions strip_options = with_vertices();
  strip_options.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  strip_options.restart = true;
  const VkPipeline strip = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, strip_options);
  std::vector<Vertex> v = quad(0, 0, 16, 16, {0, 0, 1, 1});  // six vertices that are not indexed
  const auto corner = [&](float x, float y, std::array<float, 4> c) { v.push_back({x / 8 - 1, y / 8 - 1, {c[0], c[1], c[2], c[3]}}); };
  for (float x0 : {1.0f, 9.0f}) {
    const std::array<float, 4> c = x0 < 5 ? std::array<float, 4>{1, 0, 0, 1} : std::array<float, 4>{0, 1, 0, 1};
    corner(x0, 2, c), corner(x0 + 5, 2, c), corner(x0, 9, c), corner(x0 + 5, 9, c);
  }
  Buffer vb = vertices(v);
  // Index 0 is padding so that lists begin at an odd place.
  Buffer list16 = buffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), strip32 = buffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint16_t a[13] = {99, 0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7};
  const uint32_t b[10] = {99, 0, 1, 2, 3, 0xFFFFFFFF, 4, 5, 6, 7};
  std::memcpy(list16.map, a, sizeof a);
  std::memcpy(strip32.map, b, sizeof b);
  Buffer args = buffer(256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  struct Way {
    const char* name;
    std::function<void(VkCommandBuffer)> draw;
  };
  const auto indexed = [&](VkCommandBuffer c, VkPipeline p, const Buffer& i, VkIndexType t) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    bind(c, vb);
    push(c, l);
    vkCmdBindIndexBuffer(c, i.handle, 0, t);
  };
  const VkDrawIndexedIndirectCommand commands[2] = {{6, 1, 1, 6, 0}, {6, 1, 7, 6, 0}};
  std::memcpy(args.map, commands, sizeof commands);
  const VkDrawIndirectCommand plain{6, 1, 0, 0};
  std::memcpy(args.map + 128, &plain, sizeof plain);
  const Way ways[] = {
      {"indexed", [&](VkCommandBuffer c) { indexed(c, list, list16, VK_INDEX_TYPE_UINT16), vkCmdDrawIndexed(c, 12, 1, 1, 6, 0); }},
      {"restart", [&](VkCommandBuffer c) { indexed(c, strip, strip32, VK_INDEX_TYPE_UINT32), vkCmdDrawIndexed(c, 9, 1, 1, 6, 0); }},
      {"indirect",
       [&](VkCommandBuffer c) {
         indexed(c, list, list16, VK_INDEX_TYPE_UINT16);
         vkCmdDrawIndexedIndirect(c, args.handle, 0, 2, sizeof(VkDrawIndexedIndirectCommand));
       }},
  };
  for (const Way& way : ways) {
    render(way.draw);
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        const bool row = y >= 2 && y < 9;
        ASSERT_EQ(at(x, y), row && x >= 1 && x < 6 ? kRed : row && x >= 9 && x < 14 ? kGreen : kClear) << way.name << " " << x << "," << y;
      }
  }
  render([&](VkCommandBuffer c) {
    indexed(c, list, list16, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndirect(c, args.handle, 128, 1, sizeof plain);
  });
  EXPECT_EQ(count(kBlue), kSize * kSize);
}

TEST_F(Draw, VertexAndInstanceIndexCountFromTheirBases) {
  make_pass();
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  o.bindings = {{0, 4, VK_VERTEX_INPUT_RATE_INSTANCE}, {1, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
  o.attributes = {{0, 0, VK_FORMAT_R8G8B8A8_UNORM, 0}, {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0}};
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(indices_vert), SPIRV(color_frag), l, o);
  Buffer by_instance = buffer(64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), by_vertex = buffer(64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  for (uint8_t i = 0; i < 16; ++i) {
    const uint8_t a[4] = {i, 7, 0, 0}, b[4] = {0, 0, static_cast<uint8_t>(100 + i), 255};
    std::memcpy(by_instance.map + 4 * i, a, 4);
    std::memcpy(by_vertex.map + 4 * i, b, 4);
  }
  Buffer ib = buffer(16, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint16_t indices[4] = {0, 2, 3, 1};
  std::memcpy(ib.map, indices, sizeof indices);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    const VkBuffer b[2] = {by_instance.handle, by_vertex.handle};
    const VkDeviceSize offsets[2] = {0, 0};
    vkCmdBindVertexBuffers(c, 0, 2, b, offsets);
    vkCmdDraw(c, 3, 2, 2, 5);  // vertices 2..4, instances 5 and 6
    vkCmdBindIndexBuffer(c, ib.handle, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(c, 3, 1, 1, 8, 9);  // vertices 10, 11, 9, instance 9
  });
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const bool hit = (x >= 2 && x <= 4 && (y == 5 || y == 6)) || (x >= 9 && x <= 11 && y == 9);
      const Pixel want = hit ? Pixel{static_cast<uint8_t>(y), 7, static_cast<uint8_t>(100 + x), 255} : kClear;
      ASSERT_EQ(at(x, y), want) << x << "," << y;
    }
}

TEST_F(Draw, OcclusionQueriesCountPixelsAndNoClears) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D16_UNORM);
  const VkPipelineLayout l = layout();
  PipelineOptions o = with_vertices();
  o.depth_stencil = depth_state(VK_COMPARE_OP_LESS);
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  Buffer v = vertices(quad(2, 3, 7, 13, {1, 0, 0, 1}));
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_OCCLUSION;
  qi.queryCount = 2;
  VkQueryPool q;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &q));
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, q, 0, 2);
    begin(c);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    bind(c, v);
    push(c, l);
    vkCmdBeginQuery(c, q, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    vkCmdDraw(c, 6, 1, 0, 0);
    VkClearAttachment a{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    const VkClearRect r{{{0, 0}, {16, 16}}, 0, 1};
    vkCmdClearAttachments(c, 1, &a, 1, &r);
    vkCmdDraw(c, 6, 1, 0, 0);  // fails the depth test
    vkCmdEndQuery(c, q, 0);
    vkCmdBeginQuery(c, q, 1, 0);
    vkCmdEndQuery(c, q, 1);
    vkCmdEndRenderPass(c);
  });
  uint32_t n[2] = {9, 9};
  VK_OK(vkGetQueryPoolResults(device, q, 0, 2, sizeof n, n, 4, VK_QUERY_RESULT_WAIT_BIT));
  EXPECT_EQ(n[0], 50u);
  EXPECT_EQ(n[1], 0u);
  vkDestroyQueryPool(device, q, nullptr);
}

TEST_F(Draw, DepthStencilAndBias) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D24_UNORM_S8_UINT);
  const VkPipelineLayout l = layout();
  PipelineOptions o = with_vertices();
  o.depth_stencil = depth_state(VK_COMPARE_OP_LESS);
  VkPipelineDepthStencilStateCreateInfo& ds = *o.depth_stencil;
  ds.stencilTestEnable = VK_TRUE;
  ds.front = ds.back = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_INCREMENT_AND_CLAMP, VK_COMPARE_OP_ALWAYS, 0xFF, 0xFF, 5};
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  o.depth_bias = -1.0f;  // one unit nearer: wins over the equal depth
  const VkPipeline biased = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  Buffer v = vertices(quad(0, 0, 8, 16, {1, 0, 0, 1}));
  Buffer w = vertices(quad(0, 0, 16, 16, {0, 1, 0, 1}));
  Buffer x = vertices(quad(0, 0, 16, 4, {0, 0, 1, 1}));
  render([&](VkCommandBuffer c) {
    push(c, l);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    bind(c, v);
    vkCmdDraw(c, 6, 1, 0, 0);
    bind(c, w);
    vkCmdDraw(c, 6, 1, 0, 0);  // equal depth: not less on the left half
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, biased);
    bind(c, x);
    vkCmdDraw(c, 6, 1, 0, 0);
  });
  const auto stencil = read(depth, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT);
  const auto z = read(depth, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
  const auto z_at = [&](uint32_t px, uint32_t py) {
    uint32_t value;
    std::memcpy(&value, &z[(py * kSize + px) * 4], 4);
    return value & 0xFFFFFF;
  };
  EXPECT_EQ(at(2, 10), kRed);
  EXPECT_EQ(at(12, 10), kGreen);
  EXPECT_EQ(at(2, 2), kBlue);
  EXPECT_EQ(stencil[10 * kSize + 2], 6);  // replaced, then incremented by the failed test
  EXPECT_EQ(stencil[10 * kSize + 12], 5);
  EXPECT_EQ(z_at(12, 2) + 1, z_at(12, 10));
}

TEST_F(Draw, BlendMaskAndLogic) {
  make_pass();
  const VkPipelineLayout l = layout();
  Buffer v = vertices(quad(0, 0, 16, 16, {0.5f, 1.0f, 0.25f, 0.5f}));
  const auto drawn = [&](const PipelineOptions& o, std::array<float, 4> clear) {
    const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
    render(
        [&](VkCommandBuffer c) {
          vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
          bind(c, v);
          push(c, l);
          vkCmdDraw(c, 6, 1, 0, 0);
        },
        clear);
    return at(5, 5);
  };
  PipelineOptions o = with_vertices();
  o.blend[0] = {VK_TRUE,
                VK_BLEND_FACTOR_SRC_ALPHA,
                VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                VK_BLEND_OP_ADD,
                VK_BLEND_FACTOR_ONE,
                VK_BLEND_FACTOR_ZERO,
                VK_BLEND_OP_ADD,
                0xF};
  EXPECT_EQ(drawn(o, {1, 0, 0.5f, 1}), (Pixel{191, 128, 96, 128}));
  o.blend[0] = {VK_TRUE,
                VK_BLEND_FACTOR_CONSTANT_COLOR,
                VK_BLEND_FACTOR_ZERO,
                VK_BLEND_OP_ADD,
                VK_BLEND_FACTOR_CONSTANT_ALPHA,
                VK_BLEND_FACTOR_ZERO,
                VK_BLEND_OP_ADD,
                0xF};
  const Pixel constant = drawn(o, {0, 0, 0, 0});  // 0.5 * 0.25, 1 * 0.5, 0.25 * 0.75, 0.5 * 1
  EXPECT_EQ(constant, (Pixel{32, 128, 48, 128}));
  o.blend[0] = {VK_FALSE, {}, {}, {}, {}, {}, {}, VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_A_BIT};
  EXPECT_EQ(drawn(o, {1, 0, 1, 1}), (Pixel{255, 255, 255, 128}));
  o.blend[0].colorWriteMask = 0xF;
  o.logic_op = VK_LOGIC_OP_XOR;
  EXPECT_EQ(drawn(o, {1, 1, 0, 0}), (Pixel{128 ^ 255, 0, 64, 128}));
}

TEST_F(Draw, TwoTargetsOfDifferentFormats) {
  make_pass({VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT});
  PipelineOptions o;
  o.blend.resize(2, o.blend[0]);
  o.blend[1].colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_B_BIT;
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(targets_frag), l, o);
  render(
      [&](VkCommandBuffer c) {
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        push(c, l);
        vkCmdDraw(c, 3, 1, 0, 0);
      },
      {0.5f, 7, 7, 9});
  EXPECT_EQ(at(8, 8), (Pixel{64, 128, 255, 255}));
  const auto raw = read(color[1], 16);
  float f[4];
  std::memcpy(f, &raw[(3 * kSize + 4) * 16], 16);
  EXPECT_EQ((std::vector<float>(f, f + 4)), (std::vector<float>{-2.0f, 7.0f, 3.0f, 9.0f}));
}

TEST_F(Draw, UniformDataIsReadWhenTheDrawRuns) {
  make_pass();
  const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
  Buffer u = buffer(512, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkDescriptorBufferInfo bi{u.handle, 0, 32};
  const VkDescriptorSet s = descriptor(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, &bi, nullptr);
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(uniform_frag), l);
  const float red_green[8] = {1, 0, 0, 1, 0, 1, 0, 1};
  const auto draw = [&](VkCommandBuffer c, uint32_t offset) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &s, 1, &offset);
    push(c, l);
    vkCmdDraw(c, 3, 1, 0, 0);
  };
  // Written by the device just before, after recording by the host, and through a dynamic offset.
  run([&](VkCommandBuffer c) {
    vkCmdUpdateBuffer(c, u.handle, 0, sizeof red_green, red_green);
    barrier(c);
    begin(c);
    draw(c, 0);
    vkCmdEndRenderPass(c);
  });
  picture();
  EXPECT_EQ(at(3, 3), kRed);
  EXPECT_EQ(at(13, 3), kGreen);
  run([&](VkCommandBuffer c) {
    begin(c);
    draw(c, 48);
    vkCmdEndRenderPass(c);
    std::memcpy(u.map + 48, red_green + 4, 16);  // the recorded packets only name the place
    std::memcpy(u.map + 64, red_green, 16);
  });
  picture();
  EXPECT_EQ(at(3, 3), kGreen);
  EXPECT_EQ(at(13, 3), kRed);
}

TEST_F(Draw, AnEmptyPoolGivesNoSet) {
  (void)layout(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1};
  VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pi.maxSets = pi.poolSizeCount = 1;
  pi.pPoolSizes = &size;
  VkDescriptorPool p = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &pi, nullptr, &p));
  defer([this, p] { vkDestroyDescriptorPool(device, p, nullptr); });
  VkDescriptorSet s = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, allocate(p, &s));
  EXPECT_LT(allocate(p, &s), 0);
}

TEST_F(Draw, TenVaryingsArriveWhereTheyBelong) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(varyings_vert), SPIRV(varyings_frag), l);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  EXPECT_EQ(count({255, 255, 255, 255}), kSize * kSize);
}

TEST_F(Draw, BuiltinsOfTheFragmentStage) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(builtins_frag), l);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    push(c, l);
    const VkViewport viewport{0, 0, kSize, kSize, 0.25f, 0.75f};
    vkCmdSetViewport(c, 0, 1, &viewport);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  for (uint32_t y = 0; y < kSize; y += 5)
    for (uint32_t x = 0; x < kSize; x += 3) {
      // Clockwise on the screen: back facing for VK_FRONT_FACE_COUNTER_CLOCKWISE.
      const auto level = [](uint32_t v) { return static_cast<uint8_t>(std::lround((static_cast<double>(v) + 0.5) / 16 * 255)); };
      const Pixel got = at(x, y);
      EXPECT_NEAR(got[0], level(x), 1);
      EXPECT_NEAR(got[1], level(y), 1);
      EXPECT_NEAR(got[2], 128, 1);
      EXPECT_EQ(got[3], 0);
    }
}

TEST_F(Draw, PointsHaveSizeAndCoordinates) {
  make_pass();
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(point_vert), SPIRV(point_frag), l, o);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdDraw(c, 1, 1, 0, 0);
  });
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const bool inside = x >= 4 && x < 12 && y >= 4 && y < 12;
      ASSERT_EQ(at(x, y)[3], inside ? 255 : 0) << x << "," << y;
      if (!inside) continue;
      ASSERT_NEAR(at(x, y)[0], (x - 4 + 0.5) / 8 * 255, 1);
      ASSERT_NEAR(at(x, y)[1], (y - 4 + 0.5) / 8 * 255, 1);
    }
}

TEST_F(Draw, SecondariesWithAndWithoutFramebuffer) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, with_vertices());
  Buffer left = vertices(quad(0, 0, 8, 16, {1, 0, 0, 1})), right = vertices(quad(8, 0, 16, 16, {0, 1, 0, 1}));
  VkCommandBuffer s[2] = {command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY), command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY)};
  for (int i = 0; i < 2; ++i) {
    VkCommandBufferInheritanceInfo inherit{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    inherit.renderPass = pass;
    inherit.framebuffer = i ? framebuffer : VK_NULL_HANDLE;
    VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    bi.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    bi.pInheritanceInfo = &inherit;
    VK_OK(vkBeginCommandBuffer(s[i], &bi));
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {4096, 4096}};  // the framebuffer ends first
    vkCmdSetViewport(s[i], 0, 1, &viewport);
    vkCmdSetScissor(s[i], 0, 1, &scissor);
    vkCmdBindPipeline(s[i], VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    bind(s[i], i ? right : left);
    push(s[i], l);
    vkCmdDraw(s[i], 6, 1, 0, 0);
    VK_OK(vkEndCommandBuffer(s[i]));
  }
  for (int round = 0; round < 2; ++round) {
    run([&](VkCommandBuffer c) {
      begin(c, {0, 0, 1, 1}, 1, 0, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(c, 2, s);
      vkCmdEndRenderPass(c);
    });
    picture();
    EXPECT_EQ(count(kRed), kSize * kSize / 2);
    EXPECT_EQ(count(kGreen), kSize * kSize / 2);
  }
}

TEST_F(Draw, AShaderTheChipCannotRunIsRefusedWithAReason) {
  make_pass();
  const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  PipelineOptions o;
  o.expected = VK_ERROR_INITIALIZATION_FAILED;
  EXPECT_EQ(pipeline(SPIRV(full_vert), SPIRV(storage_frag), l, o), VkPipeline{VK_NULL_HANDLE});
}

/// A line exactly between two rows of pixels belongs to one of them, whichever way it is drawn (dEQP-VK.draw.instanced.*line_strip).
TEST_F(Draw, LinesBetweenPixelsDoNotDependOnTheirDirection) {
  make_pass();
  const VkPipelineLayout l = layout();
  PipelineOptions o = with_vertices();
  o.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  const auto v = [](float x, float y, float r, float g) { return Vertex{x / 8 - 1, y / 8 - 1, {r, g, 0, 1}}; };
  Buffer b = vertices({v(2, 4, 1, 0), v(6, 4, 1, 0), v(14, 4, 0, 1), v(10, 4, 0, 1),      // a row: rightwards red, leftwards green
                       v(4, 8, 1, 0), v(4, 12, 1, 0), v(12, 12, 0, 1), v(12, 8, 0, 1)});  // a column: downwards red, upwards green
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    bind(c, b);
    push(c, l);
    vkCmdDraw(c, 8, 1, 0, 0);
  });
  EXPECT_EQ(count(kRed), 8u);
  EXPECT_EQ(count(kGreen), 8u);
  for (uint32_t x = 3; x < 6; ++x) EXPECT_EQ(at(x, 3), kRed) << x;
  for (uint32_t x = 11; x < 14; ++x) EXPECT_EQ(at(x, 3), kGreen) << x;
  const uint32_t red_column = at(4, 9) == kRed ? 4 : 3, green_column = at(12, 9) == kGreen ? 12 : 11;
  EXPECT_EQ(red_column + 8, green_column);
}

/// Dynamic state, buffers and constants are set once; what pipelines contribute to them changes with each.
TEST_F(Draw, PipelinesInTurnDrawAsEachAlone) {
  make_pass();
  const VkPipelineLayout l = layout();
  PipelineOptions o = with_vertices();
  o.blend[0] = {
      VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, 0xF};
  std::vector<VkPipeline> pipelines;
  const auto add = [&](const PipelineOptions& options) {
    pipelines.push_back(pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, options));
  };
  add(o);
  PipelineOptions lines = o;
  lines.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  add(lines);
  PipelineOptions outlines = o;
  outlines.polygon_mode = VK_POLYGON_MODE_LINE;
  add(outlines);
  PipelineOptions every_other = o;
  every_other.bindings[0].stride *= 2;
  add(every_other);
  PipelineOptions culled = o;
  culled.cull = VK_CULL_MODE_BACK_BIT;
  add(culled);
  const auto v = [](float x, float y, float red) { return Vertex{x / 8 - 1, y / 8 - 1, {red, 0.125f, 0.0625f, 0.125f}}; };
  // Beyond the viewport too: its guard band depends on what is drawn.
  Buffer b = vertices({v(1, 1, 0.25f), v(13, 2, 0.125f), v(3, 14, 0.25f), v(30, 3, 0.125f), v(-9, 5, 0.25f), v(6, 15, 0.125f),
                       v(2, 9, 0.25f), v(11, 12, 0.125f), v(14, 1, 0.25f), v(15, 15, 0.125f), v(0, 12, 0.25f), v(8, 4, 0.125f)});
  const auto drawn = [&](const std::vector<size_t>& order) {
    render([&](VkCommandBuffer c) {
      // Smaller than the target: fills are cut by the scissor, all else is clipped.
      const VkViewport viewport{2.3f, 2.3f, 11.4f, 11.4f, 0, 1};
      vkCmdSetViewport(c, 0, 1, &viewport);
      bind(c, b);
      push(c, l);
      for (const size_t i : order) {
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
        vkCmdDraw(c, 6, 1, 0, 0);
      }
    });
    picture();
    EXPECT_LT(count(kClear), kSize * kSize);
    return pixels;
  };
  std::vector<std::vector<uint8_t>> alone;
  for (size_t i = 0; i < pipelines.size(); ++i) alone.push_back(drawn({i}));
  for (size_t first = 0; first < pipelines.size(); ++first)
    for (size_t second = 0; second < pipelines.size(); ++second) {
      std::vector<uint8_t> sum;
      for (size_t i = 0; i < alone[0].size(); ++i)
        sum.push_back(static_cast<uint8_t>(std::min(255, 2 * alone[first][i] + alone[second][i])));
      EXPECT_EQ(drawn({first, second, first}), sum) << first << " and " << second;
    }
}

TEST_F(Draw, TopologiesTheChipLacksAreRefused) {
  make_pass();
  PipelineOptions o = with_vertices();
  o.expected = VK_ERROR_FEATURE_NOT_PRESENT;
  for (VkPrimitiveTopology t : {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY,
                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY}) {
    o.topology = t;
    EXPECT_EQ(pipeline(SPIRV(position_color_vert), SPIRV(color_frag), layout(), o), VkPipeline(VK_NULL_HANDLE));
  }
}

/// What an application does with a cache file: save, load in a later run, merge, share between threads; and what a broken disk does.
TEST_F(Draw, PipelineCachesGoAroundThroughTheirData) {
  make_pass();
  const VkPipelineLayout l = layout();
  PipelineOptions o = with_vertices();
  const auto make = [&](const std::vector<uint8_t>& data) {
    VkPipelineCacheCreateInfo ci{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    ci.initialDataSize = data.size();
    ci.pInitialData = data.data();
    VkPipelineCache c = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreatePipelineCache(device, &ci, nullptr, &c));
    return c;
  };
  const auto save = [&](VkPipelineCache c) {
    size_t size = 0;
    EXPECT_EQ(VK_SUCCESS, vkGetPipelineCacheData(device, c, &size, nullptr));
    std::vector<uint8_t> data(size);
    EXPECT_EQ(VK_SUCCESS, vkGetPipelineCacheData(device, c, &size, data.data()));
    data.resize(size);
    return data;
  };
  const VkPipelineCache first = make({});
  o.cache = first;
  pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  const std::vector<uint8_t> data = save(first);
  ASSERT_GT(data.size(), sizeof(VkPipelineCacheHeaderVersionOne));
  std::vector<uint8_t> broken = data;
  broken[data.size() / 2] ^= 4;
  const VkPipelineCache loaded = make(data), merged = make({}), damaged = make(broken);
  VK_OK(vkMergePipelineCaches(device, merged, 1, &loaded));
  EXPECT_EQ(save(loaded), data);
  EXPECT_EQ(save(merged), data);
  EXPECT_EQ(save(damaged).size(), sizeof(VkPipelineCacheHeaderVersionOne));
  Buffer v = vertices(quad(0, 0, 16, 16, {1, 0, 0, 1}));
  for (VkPipelineCache c : {loaded, merged, damaged}) {
    o.cache = c;
    const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
    render([&](VkCommandBuffer cb) {
      vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      bind(cb, v);
      push(cb, l);
      vkCmdDraw(cb, 6, 1, 0, 0);
    });
    EXPECT_EQ(count(kRed), kSize * kSize);
  }
  for (VkPipelineCache c : {first, loaded, merged, damaged}) vkDestroyPipelineCache(device, c, nullptr);
}

}  // namespace
}  // namespace vktest
