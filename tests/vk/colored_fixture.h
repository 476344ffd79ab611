// SPDX-License-Identifier: MIT
/// Coloured vertices, for tests of extensions of r5x.
#pragma once
#include <initializer_list>

#include "color.frag.h"
#include "position3_color.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {

struct ColoredVertex {
  float x, y, z;
  std::array<float, 4> color;
};

class Colored : public Render {
 protected:
  using Pixel = std::array<uint8_t, 4>;
  static constexpr std::array<float, 4> kRed{1, 0, 0, 1}, kGreen{0, 1, 0, 1}, kBlue{0, 0, 1, 1}, kWhite{1, 1, 1, 1};
  static constexpr Pixel kNone{0, 0, 0, 0}, kRedPixel{255, 0, 0, 255}, kGreenPixel{0, 255, 0, 255}, kBluePixel{0, 0, 255, 255},
      kWhitePixel{255, 255, 255, 255};

  Colored() { api_version = VK_API_VERSION_1_1; }

  static PipelineOptions colored(VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST) {
    PipelineOptions o;
    o.topology = topology;
    o.bindings = {{0, sizeof(ColoredVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 12}};
    return o;
  }
  static VkPipelineDepthStencilStateCreateInfo depth_test(VkCompareOp op) {
    VkPipelineDepthStencilStateCreateInfo d{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    d.depthTestEnable = d.depthWriteEnable = VK_TRUE;
    d.depthCompareOp = op;
    d.maxDepthBounds = 1;
    return d;
  }
  /// A pipeline whose states may be changed before it is made.
  VkPipeline changed(VkPipelineLayout l, const PipelineOptions& o,
                     const std::function<void(VkPipelineRasterizationStateCreateInfo&, VkPipelineViewportStateCreateInfo&)>& change,
                     Spirv fragment = SPIRV(color_frag)) {
    VkPipeline p = VK_NULL_HANDLE;
    with_pipeline_info(SPIRV(position3_color_vert), fragment, l, o, [&](const VkGraphicsPipelineCreateInfo& given) {
      VkGraphicsPipelineCreateInfo pi = given;
      VkPipelineRasterizationStateCreateInfo rs = *pi.pRasterizationState;
      VkPipelineViewportStateCreateInfo vp = *pi.pViewportState;
      change(rs, vp);
      pi.pRasterizationState = &rs, pi.pViewportState = &vp;
      EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &p));
    });
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  }
  void bind(VkCommandBuffer c, VkPipeline p, const std::vector<ColoredVertex>& vertices) {
    const Buffer b = buffer(vertices.size() * sizeof(ColoredVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(b.map, vertices.data(), b.size);
    const VkDeviceSize zero = 0;
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
  }
  void draw(VkCommandBuffer c, VkPipeline p, const std::vector<ColoredVertex>& vertices) {
    bind(c, p, vertices);
    vkCmdDraw(c, static_cast<uint32_t>(vertices.size()), 1, 0, 0);
  }
  /// A triangle over everything.
  static std::vector<ColoredVertex> full(std::array<float, 4> color, float z = 0.5f) {
    return {{-1, -1, z, color}, {3, -1, z, color}, {-1, 3, z, color}};
  }
  /// A rectangle as two triangles; z from its left to its right edge.
  static std::vector<ColoredVertex> rectangle(std::array<float, 4> color, float left, float right, float z_left, float z_right) {
    const ColoredVertex a{left, -1, z_left, color}, b{right, -1, z_right, color}, d{left, 1, z_left, color}, e{right, 1, z_right, color};
    return {a, b, d, d, b, e};
  }
};

}  // namespace vktest
