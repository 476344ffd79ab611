// SPDX-License-Identifier: MIT
/// r5x: limits above those that Vulkan requires, used to their last value.
#include <cstdint>
#include <cstring>

#include "at_offset.frag.h"
#include "color.frag.h"
#include "distances.frag.h"
#include "distances.vert.h"
#include "dual.frag.h"
#include "dynamic.comp.h"
#include "full.vert.h"
#include "places.vert.h"
#include "sized.vert.h"
#include "tests/vk/compute_fixture.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

class Limits : public Render {
 protected:
  VkPhysicalDeviceLimits limits() const {
    VkPhysicalDeviceProperties p;
    vkGetPhysicalDeviceProperties(physical, &p);
    return p.limits;
  }
  /// White points or a line at places in pixels; how many pixels of row `y` are white.
  uint32_t white_in_row(const PipelineOptions& options, const std::vector<float>& places, float point_size, uint32_t y) {
    PipelineOptions o = options;
    o.bindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 0, VK_VERTEX_INPUT_RATE_INSTANCE}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0}};
    const Buffer at_places = buffer(places.size() * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const Buffer white = buffer(4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::vector<float> clip_places(places);
    for (float& x : clip_places) x = x / 8 - 1;
    std::memcpy(at_places.map, clip_places.data(), places.size() * 4);
    std::memset(white.map, 255, 4);
    const VkPipelineLayout l = layout();
    const VkPipeline p = pipeline(SPIRV(sized_vert), SPIRV(color_frag), l, o);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkBuffer b[2] = {at_places.handle, white.handle};
      const VkDeviceSize offsets[2] = {0, 0};
      vkCmdBindVertexBuffers(c, 0, 2, b, offsets);
      PushConstants constants;
      constants.tint[0] = point_size;
      push(c, l, constants);
      vkCmdDraw(c, static_cast<uint32_t>(places.size() / 2), 1, 0, 0);
    });
    uint32_t n = 0;
    for (uint32_t x = 0; x < kSize; ++x) n += at(x, y)[0] == 255;
    return n;
  }
};

/// All clip and all cull distances at once, read by the fragment stage too.
TEST_F(Limits, EveryDistanceClipsOrCulls) {
  EXPECT_EQ(limits().maxClipDistances, 8u);
  EXPECT_EQ(limits().maxCullDistances, 8u);
  EXPECT_EQ(limits().maxCombinedClipAndCullDistances, 16u);
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(distances_vert), SPIRV(distances_frag), l);
  for (int number = 0; number <= 16; ++number) {
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      PushConstants constants;
      constants.number = number;
      push(c, l, constants);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    const bool clips = number < 8, culls = number >= 8 && number < 16;
    const std::array<uint8_t, 4> drawn{static_cast<uint8_t>(clips ? 7 : 8), 28, 0, 255};
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x)
        ASSERT_EQ(at(x, y), culls || (clips && x < kSize / 2) ? (std::array<uint8_t, 4>{}) : drawn) << number << " " << x << " " << y;
  }
}

TEST_F(Limits, InterpolationAtOffsetsOfTwoPixelsIn256ths) {
  const VkPhysicalDeviceLimits have = limits();
  EXPECT_EQ(have.minInterpolationOffset, -2.0f);
  EXPECT_EQ(have.maxInterpolationOffset, 2.0f);
  EXPECT_EQ(have.subPixelInterpolationOffsetBits, 8u);
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(places_vert), SPIRV(at_offset_frag), l);
  for (const float x : {-2.0f, -1.5f, -1.0f / 256, 0.0f, 1.0f / 256, 0.5f, 2.0f}) {
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      PushConstants constants;
      constants.tint[0] = x, constants.tint[1] = 1.0f / 256 - x;
      push(c, l, constants);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    EXPECT_EQ(count({255, 255, 0, 255}), kSize * kSize) << x;
  }
}

/// The least step of a size moves two sides across the centres of pixels, of which the left ones count.
TEST_F(Limits, PointsAndLinesGrowBy128thsOfAPixel) {
  EXPECT_EQ(limits().pointSizeGranularity, 1.0f / 128);
  EXPECT_EQ(limits().lineWidthGranularity, 1.0f / 128);
  make_pass();
  PipelineOptions points, lines;
  points.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  lines.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  for (int step = -3; step <= 3; ++step) {
    const float size = 4 + static_cast<float>(step) / 128;
    const uint32_t expected = step < 0 ? 3 : step == 0 ? 4 : 5;
    EXPECT_EQ(white_in_row(points, {8.5f, 8.5f}, size, 8), expected) << step;
    lines.line_width = size;
    EXPECT_EQ(white_in_row(lines, {8.5f, 2, 8.5f, 14}, 1, 8), expected) << step;
  }
}

/// Two targets, each with its second source.
TEST_F(Limits, DualSourcesOfTwoTargets) {
  EXPECT_EQ(limits().maxFragmentDualSrcAttachments, 2u);
  make_pass({VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM});
  PipelineOptions o;
  VkPipelineColorBlendAttachmentState b{VK_TRUE,
                                        VK_BLEND_FACTOR_SRC1_COLOR,
                                        VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
                                        VK_BLEND_OP_ADD,
                                        VK_BLEND_FACTOR_SRC1_ALPHA,
                                        VK_BLEND_FACTOR_ZERO,
                                        VK_BLEND_OP_ADD,
                                        0xF};
  o.blend = {b, b};
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(dual_frag), l, o);
  render(
      [&](VkCommandBuffer c) {
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        push(c, l);
        vkCmdDraw(c, 3, 1, 0, 0);
      },
      {1, 1, 0, 0});
  for (size_t t = 0; t < 2; ++t) {
    // The first source is blue: blue comes in the second source's share, red and green keep the rest.
    const std::vector<uint8_t> found = read(color[t], 4);
    const std::array<uint8_t, 4> expected = t == 0 ? std::array<uint8_t, 4>{204, 153, 153, 51} : std::array<uint8_t, 4>{51, 0, 102, 255};
    for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[i % 4]) << t << " " << i;
  }
}

class LimitsOfSets : public ComputeFixture {};

TEST_F(LimitsOfSets, DynamicBuffers) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  constexpr uint32_t kCount = 256;
  EXPECT_EQ(properties.limits.maxDescriptorSetUniformBuffersDynamic, kCount);
  EXPECT_EQ(properties.limits.maxDescriptorSetStorageBuffersDynamic, kCount);
  constexpr VkDescriptorType kDynamicStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  const VkDescriptorSetLayout l = set_layout(
      {{0, kDynamic, kCount, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}, {1, kDynamicStorage, kCount, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout pl = layout({l});
  const VkPipeline p = pipeline(SPIRV(dynamic_comp), pl);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kDynamic, kCount}, {kDynamicStorage, kCount}}), l);
  const Buffer from = words(counting(1000, kCount * 4)), to = words(std::vector<uint32_t>(kCount * 4));
  write_buffers(s, 0, kDynamic, std::vector<VkDescriptorBufferInfo>(kCount, {from.handle, 0, 16}));
  write_buffers(s, 1, kDynamicStorage, std::vector<VkDescriptorBufferInfo>(kCount, {to.handle, 0, 16}));
  // Uniform buffer i is at place i, storage buffer i at place 255 - i.
  std::vector<uint32_t> offsets;
  for (uint32_t i = 0; i < kCount; ++i) offsets.push_back(16 * i);
  for (uint32_t i = 0; i < kCount; ++i) offsets.push_back(16 * (kCount - 1 - i));
  run([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &s, static_cast<uint32_t>(offsets.size()), offsets.data());
    vkCmdDispatch(c, kCount / 64, 1, 1);
  });
  for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(reinterpret_cast<const uint32_t*>(to.map)[4 * (kCount - 1 - i)], 3 * (1000 + 4 * i)) << i;
}

}  // namespace
}  // namespace vktest
