// SPDX-License-Identifier: MIT
/// r5x: fragments that end early (VK_EXT_shader_demote_to_helper_invocation, VK_KHR_shader_terminate_invocation), and which there are.
#include <cstdint>
#include <cstring>

#include "color.frag.h"
#include "demote.frag.h"
#include "full.vert.h"
#include "position_color.vert.h"
#include "terminate.frag.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

class Fragments : public Render {
 protected:
  Fragments() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    api_version = VK_API_VERSION_1_1;  // SPIR-V 1.3
    device_extensions = {VK_EXT_SHADER_DEMOTE_TO_HELPER_INVOCATION_EXTENSION_NAME, VK_KHR_SHADER_TERMINATE_INVOCATION_EXTENSION_NAME};
    demote_.shaderDemoteToHelperInvocation = terminate_.shaderTerminateInvocation = VK_TRUE;
    device_next = &demote_;
  }
  void draw(Spirv fragment) {
    make_pass();
    const VkPipelineLayout l = layout();
    const VkPipeline p = pipeline(SPIRV(full_vert), fragment, l);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      push(c, l);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    picture();
  }

 private:
  VkPhysicalDeviceShaderTerminateInvocationFeatures terminate_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES};
  VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures demote_{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES, &terminate_};
};

TEST_F(Fragments, DemotedOnesHelpTheirNeighbours) {
  draw(SPIRV(demote_frag));
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      // (x + 1.5)^2 - (x + 0.5)^2 = 2x + 2
      const auto slope = static_cast<uint8_t>((2.0f * static_cast<float>(x) + 2) / 64 * 255 + 0.5f);
      EXPECT_EQ(at(x, y), (x & 1 ? std::array<uint8_t, 4>{0, 0, 0, 0} : std::array<uint8_t, 4>{slope, 0, 0, 255})) << x << " " << y;
    }
}

TEST_F(Fragments, TerminatedOnesWriteNothing) {
  draw(SPIRV(terminate_frag));
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x)
      EXPECT_EQ(at(x, y), (y & 1 ? std::array<uint8_t, 4>{0, 0, 0, 0} : std::array<uint8_t, 4>{255, 255, 0, 255})) << x << " " << y;
}

/// variableMultisampleRate: pipelines of several numbers of samples in one subpass without attachments.
TEST_F(Fragments, WithoutAttachmentsEachPipelineHasItsSamples) {
  make_pass({});
  const VkPipelineLayout l = layout();
  PipelineOptions o;
  o.blend = {};
  constexpr std::array<VkSampleCountFlagBits, 4> kCounts{VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_8_BIT,
                                                         VK_SAMPLE_COUNT_2_BIT};
  std::array<VkPipeline, kCounts.size()> pipelines;
  for (size_t i = 0; i < kCounts.size(); ++i) {
    samples = kCounts[i];
    pipelines[i] = pipeline(SPIRV(full_vert), SPIRV(terminate_frag), l, o);
  }
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_OCCLUSION, qi.queryCount = kCounts.size();
  VkQueryPool queries = VK_NULL_HANDLE;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &queries));
  defer([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, queries, 0, kCounts.size());
    begin(c);
    for (uint32_t i = 0; i < kCounts.size(); ++i) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      push(c, l);
      vkCmdBeginQuery(c, queries, i, VK_QUERY_CONTROL_PRECISE_BIT);
      vkCmdDraw(c, 3, 1, 0, 0);
      vkCmdEndQuery(c, queries, i);
    }
    vkCmdEndRenderPass(c);
  });
  std::array<uint32_t, kCounts.size()> counted{};
  VK_OK(vkGetQueryPoolResults(device, queries, 0, kCounts.size(), sizeof counted, counted.data(), 4, VK_QUERY_RESULT_WAIT_BIT));
  for (size_t i = 0; i < kCounts.size(); ++i) EXPECT_EQ(counted[i], kSize * kSize / 2 * kCounts[i]);  // odd lines end
}

/// VkPhysicalDeviceLimits::subPixelPrecisionBits is 8: the least step moves a left edge behind the centres of its pixels.
TEST_F(Fragments, EdgesLieOn256thsOfAPixel) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  EXPECT_EQ(properties.limits.subPixelPrecisionBits, 8u);
  make_pass();
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  o.bindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 0, VK_VERTEX_INPUT_RATE_INSTANCE}};
  o.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0}};
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  const Buffer corners = buffer(32, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), white = buffer(4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  std::memset(white.map, 255, 4);
  for (int step = -3; step <= 3; ++step) {
    const float left = (8.5f + static_cast<float>(step) / 256) / 8 - 1, at_corners[] = {left, -1, left, 1, 1, -1, 1, 1};
    std::memcpy(corners.map, at_corners, sizeof at_corners);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkBuffer b[2] = {corners.handle, white.handle};
      const VkDeviceSize offsets[2] = {0, 0};
      vkCmdBindVertexBuffers(c, 0, 2, b, offsets);
      push(c, l);
      vkCmdDraw(c, 4, 1, 0, 0);
    });
    const uint32_t first = step <= 0 ? 8 : 9;
    EXPECT_EQ(count({255, 255, 255, 255}), kSize * (kSize - first)) << step;
    EXPECT_EQ(at(first, 5)[0], 255) << step;
  }
}

}  // namespace
}  // namespace vktest
