// SPDX-License-Identifier: MIT
/// The device of the R3xx (PUMICE_CHIP=r300): what it says of itself, what it refuses by name, and what the driver does in place of
/// registers that only the R5xx has.
#include <cstdint>
#include <cstring>

#include "color.frag.h"
#include "full.vert.h"
#include "position_color.vert.h"
#include "targets.frag.h"
#include "tests/vk/render_fixture.h"
#include "varyings.frag.h"
#include "varyings.vert.h"

namespace vktest {
namespace {

using Pixel = std::array<uint8_t, 4>;
struct Vertex {
  float x, y, color[4];
};

class R300 : public Render {
 protected:
  static PipelineOptions with_vertices() {
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
};

TEST_F(R300, SaysWhatItIs) {
  VkPhysicalDeviceProperties p;
  vkGetPhysicalDeviceProperties(physical, &p);
  EXPECT_STREQ(p.deviceName, "Pumice R300 (strict)");
  EXPECT_EQ(p.limits.maxImageDimension2D, 2048u);
  EXPECT_EQ(p.limits.maxFramebufferWidth, 2560u);
  EXPECT_EQ(p.limits.maxFragmentInputComponents, 32u);
  VkPhysicalDeviceFeatures f;
  vkGetPhysicalDeviceFeatures(physical, &f);
  EXPECT_FALSE(f.shaderImageGatherExtended);
  EXPECT_TRUE(f.samplerAnisotropy);
  VkFormatProperties bc4, ten, d24;
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_BC4_UNORM_BLOCK, &bc4);
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_A2B10G10R10_UNORM_PACK32, &ten);
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_D24_UNORM_S8_UINT, &d24);
  EXPECT_EQ(bc4.optimalTilingFeatures, 0u);
  EXPECT_FALSE(ten.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
  EXPECT_TRUE(ten.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
  EXPECT_TRUE(d24.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
  EXPECT_FALSE(d24.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
}

TEST_F(R300, RefusesByName) {
  make_pass();
  PipelineOptions o;
  o.expected = VK_ERROR_INITIALIZATION_FAILED;
  testing::internal::CaptureStderr();
  pipeline(SPIRV(varyings_vert), SPIRV(varyings_frag), layout(), o);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("a flat input: the rasterizer of the R3xx interpolates all vectors"),
            std::string::npos);
}

TEST_F(R300, TargetsHaveOneFormatAndOneMask) {
  PipelineOptions o;
  o.blend.resize(2, o.blend[0]);
  o.expected = VK_ERROR_FEATURE_NOT_PRESENT;
  make_pass({VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT});
  testing::internal::CaptureStderr();
  pipeline(SPIRV(full_vert), SPIRV(targets_frag), layout(), o);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("one format for all"), std::string::npos);
  make_pass({VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM});
  o.blend[1].colorWriteMask = VK_COLOR_COMPONENT_R_BIT;
  testing::internal::CaptureStderr();
  pipeline(SPIRV(full_vert), SPIRV(targets_frag), layout(), o);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("one for all targets"), std::string::npos);
  o.blend[1].colorWriteMask = o.blend[0].colorWriteMask;
  o.expected = VK_SUCCESS;
  EXPECT_NE(pipeline(SPIRV(full_vert), SPIRV(targets_frag), layout(), o), VkPipeline{VK_NULL_HANDLE});
}

/// VAP_VF_CNTL counts to 65535 vertices: longer draws are several.
TEST_F(R300, LongDrawsArePieces) {
  make_pass();
  const VkPipelineLayout l = layout();
  constexpr uint32_t kVertices = 65532 + 6;
  std::vector<Vertex> v(kVertices, {-2, -2, {1, 0, 0, 1}});
  v[kVertices - 3] = {-1, -1, {0, 1, 0, 1}}, v[kVertices - 2] = {3, -1, {0, 1, 0, 1}}, v[kVertices - 1] = {-1, 3, {0, 1, 0, 1}};
  for (const VkPrimitiveTopology t : {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP}) {
    PipelineOptions o = with_vertices();
    o.topology = t;
    const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
    Buffer b = vertices(v);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkDeviceSize zero = 0;
      vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
      push(c, l);
      vkCmdDraw(c, kVertices, 1, 0, 0);
    });
    EXPECT_EQ(at(8, 8), (Pixel{0, 255, 0, 255})) << t;
  }
}

/// There is no VAP_INDEX_OFFSET: the arrays begin elsewhere.
TEST_F(R300, VertexOffsets) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, with_vertices());
  std::vector<Vertex> v(10, {-2, -2, {1, 0, 0, 1}});
  v[7] = {-1, -1, {0, 0, 1, 1}}, v[8] = {3, -1, {0, 0, 1, 1}}, v[9] = {-1, 3, {0, 0, 1, 1}};
  Buffer b = vertices(v), indices = buffer(6, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint16_t index[3] = {2, 3, 4};
  std::memcpy(indices.map, index, sizeof index);
  for (const bool indexed : {false, true}) {
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkDeviceSize zero = 0;
      vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
      vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
      push(c, l);
      indexed ? vkCmdDrawIndexed(c, 3, 1, 0, 5, 0) : vkCmdDraw(c, 3, 1, 7, 0);
    });
    EXPECT_EQ(at(8, 8), (Pixel{0, 0, 255, 255})) << indexed;
  }
}

/// There is no VAP_NO_RENDER: the scissor is empty.
TEST_F(R300, DiscardedPrimitives) {
  make_pass();
  const VkPipelineLayout l = layout();
  PipelineOptions o = with_vertices();
  o.discard = true;
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  Buffer b = vertices({{-1, -1, {1, 1, 1, 1}}, {3, -1, {1, 1, 1, 1}}, {-1, 3, {1, 1, 1, 1}}});
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
    push(c, l);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  EXPECT_EQ(at(8, 8), (Pixel{0, 0, 0, 0}));
}

/// One set of stencil values for both faces: a draw with two is left out and reported.
TEST_F(R300, StencilValuesOfBothFaces) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D24_UNORM_S8_UINT);
  const VkPipelineLayout l = layout();
  for (const uint32_t back : {1u, 2u}) {
    PipelineOptions o = with_vertices();
    VkPipelineDepthStencilStateCreateInfo& d = o.depth_stencil.emplace();
    d = {};
    d.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    d.stencilTestEnable = VK_TRUE;
    d.front = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xFF, 0xFF, 1};
    d.back = d.front;
    d.back.reference = back;
    const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
    Buffer b = vertices({{-1, -1, {1, 1, 1, 1}}, {3, -1, {1, 1, 1, 1}}, {-1, 3, {1, 1, 1, 1}}});
    testing::internal::CaptureStderr();
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkDeviceSize zero = 0;
      vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
      push(c, l);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("stencil reference 1 and 2") != std::string::npos, back == 2) << said;
    EXPECT_EQ(at(8, 8)[0], back == 1 ? 255 : 0);
  }
}

}  // namespace
}  // namespace vktest
