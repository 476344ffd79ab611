// SPDX-License-Identifier: MIT
/// Passes of several samples, and rectangles in them.
#pragma once
#include <string>

#include "color.frag.h"
#include "position3_color.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {

inline constexpr VkFormat kColor8 = VK_FORMAT_R8G8B8A8_UNORM, kDepth24 = VK_FORMAT_D24_UNORM_S8_UINT;
inline constexpr VkSampleCountFlagBits kCounts[] = {VK_SAMPLE_COUNT_2_BIT, VK_SAMPLE_COUNT_4_BIT};

/// Where the driver puts the samples, in twelfths of a pixel.
struct SamplePosition {
  int x, y;
};
inline std::vector<SamplePosition> positions(VkSampleCountFlagBits n) {
  if (n == VK_SAMPLE_COUNT_2_BIT) return {{3, 9}, {9, 3}};
  return {{4, 4}, {8, 8}, {2, 10}, {10, 2}};
}

struct ColorVertex {
  float x, y, z;
  float color[4];
};

class Multisample : public Render {
 protected:
  VkPipelineLayout layout_ = VK_NULL_HANDLE;

  void SetUp() override {
    Render::SetUp();
    layout_ = layout();
  }
  VkPipeline colored(PipelineOptions o = {}) {
    o.bindings = {{0, sizeof(ColorVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 12}};
    return pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), layout_, o);
  }
  static PipelineOptions depth_test(VkCompareOp op, bool write = true, bool show = true) {
    PipelineOptions o;
    o.depth_stencil = VkPipelineDepthStencilStateCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    o.depth_stencil->depthTestEnable = VK_TRUE;
    o.depth_stencil->depthWriteEnable = write;
    o.depth_stencil->depthCompareOp = op;
    if (!show) o.blend[0].colorWriteMask = 0;
    return o;
  }
  /// Pixels x0..x1, y0..y1; z runs from z0 to z1 along x.
  void quad(VkCommandBuffer c, VkPipeline p, float x0, float y0, float x1, float y1, std::array<float, 4> rgba, float z0 = 0.5f,
            float z1 = -1) {
    if (z1 < 0) z1 = z0;
    const auto at = [&](bool right, bool low) {
      return ColorVertex{(right ? x1 : x0) / 8 - 1, (low ? y1 : y0) / 8 - 1, right ? z1 : z0, {rgba[0], rgba[1], rgba[2], rgba[3]}};
    };
    const ColorVertex v[] = {at(false, false), at(true, false), at(false, true), at(false, true), at(true, false), at(true, true)};
    Buffer b = buffer(sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(b.map, v, sizeof v);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
    vkCmdDraw(c, 6, 1, 0, 0);
  }
  void all(VkCommandBuffer c, VkPipeline p, std::array<float, 4> rgba, float z = 0.5f) { quad(c, p, 0, 0, kSize, kSize, rgba, z); }
  /// The red of a pixel of which `k` samples are 1 and the others 0; averages may round either way.
  void expect_red(uint32_t x, uint32_t y, int k, const std::string& what) const {
    const int n = static_cast<int>(samples);
    EXPECT_NEAR(at(x, y)[0], 255.0 * k / n, 0.75) << k << " of " << n << " at " << x << "," << y << ": " << what;
  }
  /// Clears pixel (x, y) of the current pass' target 0 to color(x, y), all of them.
  template <class F>
  void paint(VkCommandBuffer c, F color_of) {
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        VkClearAttachment a{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
        const std::array<float, 4> value = color_of(x, y);
        std::memcpy(a.clearValue.color.float32, value.data(), sizeof value);
        const VkClearRect r{{{static_cast<int32_t>(x), static_cast<int32_t>(y)}, {1, 1}}, 0, 1};
        vkCmdClearAttachments(c, 1, &a, 1, &r);
      }
  }
  VkImageResolve region(VkOffset2D from, VkOffset2D to, VkExtent2D e, uint32_t layer = 0) const {
    return {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
            {from.x, from.y, 0},
            {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1},
            {to.x, to.y, 0},
            {e.width, e.height, 1}};
  }
  VkQueryPool query_pool() {
    VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    qi.queryType = VK_QUERY_TYPE_OCCLUSION;
    qi.queryCount = 1;
    VkQueryPool q = VK_NULL_HANDLE;
    EXPECT_EQ(vkCreateQueryPool(device, &qi, nullptr, &q), VK_SUCCESS);
    defer([this, q] { vkDestroyQueryPool(device, q, nullptr); });
    return q;
  }
  uint64_t result(VkQueryPool q) {
    uint64_t v = ~0ull;
    EXPECT_EQ(vkGetQueryPoolResults(device, q, 0, 1, sizeof v, &v, sizeof v, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
              VK_SUCCESS);
    return v;
  }
};

inline constexpr std::array<float, 4> kOne{1, 1, 1, 1};

}  // namespace vktest
