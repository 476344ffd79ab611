// SPDX-License-Identifier: MIT
/// Optional fixed-function features that the driver advertises: fillModeNonSolid, wideLines, largePoints, logicOp.
#include <cmath>
#include <cstdint>

#include "color.frag.h"
#include "sized.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

using Pixel = std::array<uint8_t, 4>;
constexpr Pixel kWhite{255, 255, 255, 255}, kClear{0, 0, 0, 0};

struct Vertex {
  float x, y;
  float color[4] = {1, 1, 1, 1};
};

class Feature : public Render {
 protected:
  /// Draws vertices given in pixels; gl_PointSize is `point_size`.
  void draw(PipelineOptions o, std::vector<Vertex> v, float point_size = 1, std::array<float, 4> clear = {0, 0, 0, 0}) {
    o.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8}};
    for (Vertex& x : v) x.x = x.x / 8 - 1, x.y = x.y / 8 - 1;
    Buffer b = buffer(v.size() * sizeof(Vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(b.map, v.data(), v.size() * sizeof(Vertex));
    const VkPipelineLayout l = layout();
    const VkPipeline p = pipeline(SPIRV(sized_vert), SPIRV(color_frag), l, o);
    render(
        [&](VkCommandBuffer c) {
          vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
          const VkDeviceSize zero = 0;
          vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
          PushConstants pc;
          pc.tint[0] = point_size;
          push(c, l, pc);
          vkCmdDraw(c, static_cast<uint32_t>(v.size()), 1, 0, 0);
        },
        clear);
  }
  /// covered(x, y): 1 drawn, 0 clear, -1 either.
  template <class F>
  void expect(F covered, const char* what) {
    for (int y = 0; y < static_cast<int>(kSize); ++y)
      for (int x = 0; x < static_cast<int>(kSize); ++x)
        if (const int c = covered(x, y); c >= 0) {
          ASSERT_EQ(at(x, y), c ? kWhite : kClear) << what << " at " << x << "," << y;
        }
  }
};

TEST_F(Feature, TrianglesAsLines) {
  make_pass();
  PipelineOptions o;
  o.polygon_mode = VK_POLYGON_MODE_LINE;
  for (bool clockwise : {false, true}) {
    std::vector<Vertex> v = {{3.5f, 3.5f}, {11.5f, 3.5f}, {3.5f, 11.5f}};
    if (clockwise) std::swap(v[1], v[2]);
    draw(o, v);
    expect(
        [](int x, int y) {
          if ((y == 3 || x == 3 || x + y == 14) && (x == 3 || x == 11 || x == 12) && (y == 3 || y == 11 || y == 12)) return -1;  // corners
          if (x < 3 || y < 3 || x + y > 14) return 0;
          return x == 3 || y == 3 || x + y == 14 ? 1 : 0;
        },
        "outline");
    // Culling and the facing still see the triangle.
    o.cull = clockwise ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT;
    draw(o, v);
    const uint32_t drawn = kSize * kSize - count(kClear);
    o.cull = clockwise ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_FRONT_BIT;
    draw(o, v);
    EXPECT_NE(drawn == 0, count(kClear) == kSize * kSize);
    o.cull = VK_CULL_MODE_NONE;
  }
}

TEST_F(Feature, TrianglesAsPoints) {
  make_pass();
  PipelineOptions o;
  o.polygon_mode = VK_POLYGON_MODE_POINT;
  for (int size : {1, 3}) {
    draw(o, {{3.5f, 3.5f}, {11.5f, 3.5f}, {3.5f, 11.5f}}, static_cast<float>(size));
    const auto near = [&](int x, int y, int px, int py) { return std::abs(x - px) <= size / 2 && std::abs(y - py) <= size / 2; };
    expect([&](int x, int y) { return near(x, y, 3, 3) || near(x, y, 11, 3) || near(x, y, 3, 11) ? 1 : 0; }, "corners");
  }
}

TEST_F(Feature, WideLinesAreRectangles) {
  make_pass();
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  o.line_width = 4;
  draw(o, {{2, 8}, {14, 8}});
  expect([](int x, int y) { return x >= 2 && x < 14 && y >= 6 && y < 10; }, "horizontal");
  o.line_width = 5;
  draw(o, {{8.5f, 13}, {8.5f, 3}});
  expect([](int x, int y) { return x >= 6 && x < 11 && y >= 3 && y < 13; }, "vertical");
  o.line_width = 3;
  draw(o, {{2, 2}, {14, 14}});
  expect(
      [](int x, int y) {
        const int along = x + y + 1;  // 2 * sqrt(1/2) of the way; the ends lie at 4 and 28
        if (along == 4 || along == 28) return -1;
        return std::abs(x - y) <= 2 && along > 4 && along < 28 ? 1 : 0;
      },
      "diagonal");
  // A triangle's outline has the width too.
  o.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  o.polygon_mode = VK_POLYGON_MODE_LINE;
  draw(o, {{-40, 8.5f}, {60, 8.5f}, {8, 90}});
  expect([](int, int y) { return y == 7 || y == 8 || y == 9 ? 1 : 0; }, "outline");
}

TEST_F(Feature, LargePointsAreSquares) {
  make_pass();
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  for (float size : {1.0f, 2.5f, 4.0f, 7.25f, 16.0f, 40.0f, 2048.0f}) {
    draw(o, {{8.0625f, 8.0625f}}, size);
    expect(
        [&](int x, int y) {
          const float edge = size / 2;
          return std::fabs(x + 0.5f - 8.0625f) < edge && std::fabs(y + 0.5f - 8.0625f) < edge ? 1 : 0;
        },
        std::to_string(size).c_str());
  }
}

TEST_F(Feature, LogicOperations) {
  make_pass();
  for (int op = VK_LOGIC_OP_CLEAR; op <= VK_LOGIC_OP_SET; ++op) {
    constexpr uint8_t s[4] = {0xCC, 0x0F, 0xFF, 0x35}, d[4] = {0xAA, 0x3C, 0x00, 0xF0};
    PipelineOptions o;
    o.logic_op = static_cast<VkLogicOp>(op);
    o.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    std::vector<Vertex> v = {{0, 0}, {32, 0}, {0, 32}};
    for (Vertex& x : v)
      for (int c = 0; c < 4; ++c) x.color[c] = s[c] / 255.0f;
    draw(o, v, 1, {d[0] / 255.0f, d[1] / 255.0f, d[2] / 255.0f, d[3] / 255.0f});
    Pixel want;
    for (int c = 0; c < 4; ++c) {
      const int a = s[c], b = d[c];
      const int results[16] = {0, a & b, a & ~b, a, ~a & b, b, a ^ b, a | b, ~(a | b), ~(a ^ b), ~b, a | ~b, ~a, ~a | b, ~(a & b), 255};
      want[c] = static_cast<uint8_t>(results[op]);
    }
    EXPECT_EQ(count(want), kSize * kSize) << "operation " << op;
  }
}

}  // namespace
}  // namespace vktest
