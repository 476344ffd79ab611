// SPDX-License-Identifier: MIT
/// Derivatives on the R3xx (PUMICE_CHIP=r300): whatever a draw's triangles are made of, each pixel has those of its triangle's planes,
/// which are computed here in double precision.
#include <cmath>
#include <cstring>

#include "derivatives.frag.h"
#include "derivatives.vert.h"
#include "derivatives_indexed.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

struct Vertex {
  float position[4], value[2];
};
using Triangle = std::array<Vertex, 3>;
using Pixel = std::array<float, 4>;

class R300Derivatives : public Render {
 protected:
  void SetUp() override {
    Render::SetUp();
    if (IsSkipped()) return;
    make_pass({VK_FORMAT_R32G32B32A32_SFLOAT});
  }
  static PipelineOptions options(VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST) {
    PipelineOptions o;
    o.topology = topology;
    o.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32_SFLOAT, 16}};
    return o;
  }
  template <class T>
  Buffer filled(const std::vector<T>& data, VkBufferUsageFlags usage) {
    Buffer b = buffer(data.size() * sizeof(T), usage);
    std::memcpy(b.map, data.data(), data.size() * sizeof(T));
    return b;
  }
  Buffer vertices(const std::vector<Vertex>& v) { return filled(v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT); }

  /// Draws `record` and compares each pixel with the last of the triangles that covers it.
  void expect(const std::vector<Triangle>& triangles, const std::function<void(VkCommandBuffer)>& record) {
    render(record);
    const std::vector<uint8_t> bytes = read(color[0], 16);
    unsigned drawn = 0;
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        Pixel have;
        std::memcpy(have.data(), &bytes[(size_t{y} * kSize + x) * 16], 16);
        const double at[2] = {(x + 0.5) / (kSize / 2) - 1, (y + 0.5) / (kSize / 2) - 1};
        std::optional<Pixel> want = Pixel{};
        for (const Triangle& t : triangles) {
          const std::optional<std::optional<Pixel>> p = pixel_of(t, at);
          if (p) want = *p;
        }
        if (!want) continue;
        drawn += (*want)[0] != 0;
        for (unsigned c = 0; c < 4; ++c)
          ASSERT_NEAR(have[c], (*want)[c], 2e-4f * std::fabs((*want)[c]) + 1e-5f) << "pixel " << x << ", " << y << ", " << c;
      }
    EXPECT_GE(drawn, 20u);
  }

  /// Nothing: outside. An empty pixel: at an edge, where either may be.
  static std::optional<std::optional<Pixel>> pixel_of(const Triangle& t, const double (&at)[2]) {
    using Row = std::array<double, 3>;
    const auto p = [&](unsigned k) { return Row{t[k % 3].position[0], t[k % 3].position[1], t[k % 3].position[3]}; };
    const auto cross = [](const Row& a, const Row& b) {
      return Row{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    };
    const auto dot = [](const Row& a, const Row& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    const double determinant = dot(p(0), cross(p(1), p(2)));
    const Row here = {at[0], at[1], 1};
    Row n[2]{}, d{};
    bool edge = false;
    for (unsigned k = 0; k < 3; ++k) {
      const Row row = cross(p(k + 1), p(k + 2));
      const double share = dot(row, here) / determinant;
      if (share < -1e-3) return std::nullopt;
      edge |= share < 1e-3;
      for (unsigned i = 0; i < 3; ++i) {
        d[i] += row[i] / determinant;
        for (unsigned c = 0; c < 2; ++c) n[c][i] += t[k].value[c] * row[i] / determinant;
      }
    }
    if (edge) return std::optional<Pixel>();
    Pixel out;
    const double w = 1 / dot(d, here);
    for (unsigned axis = 0; axis < 2; ++axis)
      for (unsigned c = 0; c < 2; ++c)
        out[axis * 2 + c] = static_cast<float>((n[c][axis] - dot(n[c], here) * w * d[axis]) * w / (kSize / 2));
    return out;
  }

  void draw(VkPipeline p, const Buffer& b, const std::function<void(VkCommandBuffer)>& call, const std::vector<Triangle>& triangles) {
    expect(triangles, [&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkDeviceSize zero = 0;
      vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
      call(c);
    });
  }
};

/// Of different w, on the rasterizer's grid of 16ths of a pixel, so that it moves none; the last one is behind the eye.
const std::vector<Vertex> kStrip = {
    {{-0.875f, -0.875f, 0.5f, 1}, {1, 2}},         {{1.75f, -1.625f, 0.5f, 2}, {3, -1}},
    {{-2.25f, 2.0625f, 0.5f, 3}, {-4, 0.5f}},      {{3.25f, 3.5f, 1, 4}, {0.25f, 6}},
    {{-0.875f, -0.875f, 0.5f, 1}, {7, 7}},         {{0.875f, -0.8125f, 0.5f, 1}, {2, 3}},
    {{0.0625f, 2, -0.25f, -0.5f}, {-1.5f, 0.75f}},
};

TEST_F(R300Derivatives, OfEachTopology) {
  const VkPipelineLayout l = layout();
  Buffer b = vertices(kStrip);
  const auto& v = kStrip;
  const std::vector<Triangle> strip = {{v[0], v[1], v[2]}, {v[1], v[3], v[2]}}, fan = {{v[1], v[2], v[0]}, {v[2], v[3], v[0]}};
  const auto plain = [](VkCommandBuffer c) { vkCmdDraw(c, 4, 1, 0, 0); };
  draw(pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), l, options(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)), b, plain, strip);
  draw(pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), l, options(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)), b, plain, fan);
  const VkPipeline list = pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), l, options());
  draw(list, b, [](VkCommandBuffer c) { vkCmdDraw(c, 4, 1, 0, 0); }, {{v[0], v[1], v[2]}});
  // From vertex 4, and clipped.
  draw(list, b, [](VkCommandBuffer c) { vkCmdDraw(c, 3, 2, 4, 0); }, {{v[4], v[5], v[6]}});
}

/// Strips keep the winding of their triangles.
TEST_F(R300Derivatives, Culling) {
  PipelineOptions o = options(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  o.cull = VK_CULL_MODE_BACK_BIT;
  Buffer b = vertices({kStrip[1], kStrip[0], kStrip[3], kStrip[2]});
  const auto& v = kStrip;
  draw(pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), layout(), o), b, [](VkCommandBuffer c) { vkCmdDraw(c, 4, 1, 0, 0); },
       {{v[1], v[0], v[3]}, {v[0], v[2], v[3]}});
}

TEST_F(R300Derivatives, OfIndexedDraws) {
  const VkPipelineLayout l = layout();
  Buffer b = vertices(kStrip);
  const auto& v = kStrip;
  Buffer indices = filled<uint16_t>({9, 2, 3, 4, 3, 5, 4, 0xFFFF, 3, 5, 4}, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const auto indexed = [&](uint32_t count, uint32_t first) {
    return [&, count, first](VkCommandBuffer c) {
      vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
      vkCmdDrawIndexed(c, count, 1, first, -2, 0);
    };
  };
  const VkPipeline list = pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), l, options());
  draw(list, b, indexed(6, 1), {{v[0], v[1], v[2]}, {v[1], v[3], v[2]}});
  PipelineOptions o = options(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  o.restart = true;
  draw(pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), l, o), b, indexed(10, 1), {{v[0], v[1], v[2]}, {v[1], v[3], v[2]}});
}

/// What the buffers hold when the draw executes, as of any draw.
TEST_F(R300Derivatives, OfIndirectDraws) {
  Buffer b = vertices(kStrip);
  Buffer arguments = filled<VkDrawIndirectCommand>({{3, 1, 4, 0}}, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const auto& v = kStrip;
  draw(pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), layout(), options()), b,
       [&](VkCommandBuffer c) { vkCmdDrawIndirect(c, arguments.handle, 0, 1, sizeof(VkDrawIndirectCommand)); }, {{v[4], v[5], v[6]}});
}

TEST_F(R300Derivatives, OfVertexIndices) {
  std::vector<float> data(96);
  for (size_t i = 0; i < kStrip.size(); ++i) {
    std::memcpy(&data[i * 4], kStrip[i].position, 16);
    std::memcpy(&data[48 + i * 4], kStrip[i].value, 8);
  }
  Buffer uniform = filled(data, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const VkDescriptorBufferInfo info{uniform.handle, 0, VK_WHOLE_SIZE};
  const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &info, nullptr);
  const VkPipeline p = pipeline(SPIRV(derivatives_indexed_vert), SPIRV(derivatives_frag), l, {});
  const auto& v = kStrip;
  for (const uint32_t first : {0u, 1u, 4u})
    expect({{v[first], v[first + 1], v[first + 2]}}, [&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
      vkCmdDraw(c, 3, 1, first, 0);
    });
}

/// VAP_VF_CNTL counts to 65535 vertices.
TEST_F(R300Derivatives, OfLongDraws) {
  constexpr uint32_t kVertices = 65532 + 6;
  std::vector<Vertex> all(kVertices, {{-2, -2, 0.5f, 1}, {1, 1}});
  const auto& v = kStrip;
  all[kVertices - 3] = v[0], all[kVertices - 2] = v[1], all[kVertices - 1] = v[2];
  Buffer b = vertices(all);
  draw(pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), layout(), options()), b,
       [](VkCommandBuffer c) { vkCmdDraw(c, kVertices, 1, 0, 0); }, {{v[0], v[1], v[2]}});
}

TEST_F(R300Derivatives, OfLinesAndPointsAreRefused) {
  const VkPipelineLayout l = layout();
  const auto said = [&](PipelineOptions o) {
    o.expected = VK_ERROR_FEATURE_NOT_PRESENT;
    testing::internal::CaptureStderr();
    pipeline(SPIRV(derivatives_vert), SPIRV(derivatives_frag), l, o);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_NE(said(options(VK_PRIMITIVE_TOPOLOGY_LINE_LIST)).find("derivatives in the fragment shader with topology LINE_LIST, FILL"),
            std::string::npos);
  EXPECT_NE(said(options(VK_PRIMITIVE_TOPOLOGY_POINT_LIST)).find("topology POINT_LIST"), std::string::npos);
  PipelineOptions o = options();
  o.polygon_mode = VK_POLYGON_MODE_LINE;
  EXPECT_NE(said(o).find("topology TRIANGLE_LIST, LINE"), std::string::npos);
}

}  // namespace
}  // namespace vktest
