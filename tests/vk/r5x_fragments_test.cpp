// SPDX-License-Identifier: MIT
/// r5x: fragments that end early (VK_EXT_shader_demote_to_helper_invocation, VK_KHR_shader_terminate_invocation), which there are, and
/// which samples (VK_EXT_post_depth_coverage).
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "color.frag.h"
#include "demote.frag.h"
#include "full.vert.h"
#include "mask_before_tests.frag.h"
#include "mask_behind_tests.frag.h"
#include "position_color.vert.h"
#include "stencil.frag.h"
#include "subgroups.frag.h"
#include "subgroups.vert.h"
#include "subgroups_color.frag.h"
#include "subgroups_killed.frag.h"
#include "terminate.frag.h"
#include "tests/vk/colored_fixture.h"
#include "white.frag.h"

namespace vktest {
namespace {

class Fragments : public Render {
 protected:
  Fragments() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    api_version = VK_API_VERSION_1_1;  // SPIR-V 1.3
    device_extensions = {VK_EXT_SHADER_DEMOTE_TO_HELPER_INVOCATION_EXTENSION_NAME, VK_KHR_SHADER_TERMINATE_INVOCATION_EXTENSION_NAME,
                         VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME};
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

/// Kills stay where they are among operations of the group.
TEST_F(Fragments, SubgroupsCountThoseThatAreLeft) {
  draw(SPIRV(subgroups_killed_frag));
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x)
      EXPECT_EQ(at(x, y), (x & 1 || y & 1 ? std::array<uint8_t, 4>{0, 0, 0, 0} : std::array<uint8_t, 4>{255, 128, 64, 255}))
          << x << " " << y;
}

/// A quad is a group of fragments; pixels that the primitive does not cover take no part.
TEST_F(Fragments, SubgroupsAreQuadsWithoutHelpers) {
  constexpr uint32_t kWords = 24;
  make_pass();
  const Buffer out = buffer((2 + kWords * kSize * kSize) * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Slot slot{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, {}, {out.handle, 0, VK_WHOLE_SIZE}};
  const VkPipelineLayout l = layout(std::vector<Slot>{slot});
  const VkPipeline p = pipeline(SPIRV(subgroups_vert), SPIRV(subgroups_frag), l);
  const VkDescriptorSet set = set_of({slot});
  std::memset(out.map, 0, out.size);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  picture();
  const auto* words = reinterpret_cast<const uint32_t*>(out.map);
  const auto covered = [&](uint32_t x, uint32_t y) { return at(x, y)[3] == 255; };
  uint32_t all = 0, whole = 0, partly = 0;
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      if (!covered(x, y)) continue;
      ++all;
      const uint32_t own = (x & 1) + 2 * (y & 1);
      const auto number = [&](uint32_t lane) { return (x & ~1u) + (lane & 1) + kSize * ((y & ~1u) + (lane >> 1)); };
      const auto value = [&](uint32_t lane) { return number(lane) * number(lane) + 3; };
      const auto real = [&](uint32_t lane) { return float(value(lane)) + 0.25f; };
      std::vector<uint32_t> part;
      uint32_t here = 0, thirds = 0;
      for (uint32_t lane = 0; lane < 4; ++lane) {
        if (!covered((x & ~1u) + (lane & 1), (y & ~1u) + (lane >> 1))) continue;
        part.push_back(lane), here |= 1u << lane, thirds |= uint32_t{number(lane) % 3 == 0} << lane;
      }
      (part.size() == 4 ? whole : partly) += 1;
      const uint32_t first = part[0], n = number(own);
      uint32_t sum = 0, before = 0, least = ~0u, most = 0, differing = 0, odds = 0, low_pair = 0, turn = 0;
      bool all_below = true, any_35 = false;
      float real_sum = 0, real_upto = 0, product = 1, most_before = -std::numeric_limits<float>::infinity();
      for (uint32_t lane : part) {
        const uint32_t v = value(lane);
        if (lane <= own) ++turn;
        if (lane == own) before = sum;
        sum += v, least = std::min(least, v), most = std::max(most, v), differing ^= v;
        real_sum = lane == first ? real(lane) : real_sum + real(lane);
        if (lane == own) real_upto = real_sum;
        product = lane == first ? real(lane) : product * real(lane);
        if (lane < own) most_before = std::max(most_before, real(lane));
        all_below &= number(lane) < 60, any_35 |= number(lane) == 35;
        odds += number(lane) % 2 ? v + 1 : 0;
        if (lane / 2 == own / 2) low_pair += v;
      }
      const uint32_t expected[21] = {
          16u | own << 8 | 1u << 16,
          here,
          uint32_t{own == first} | uint32_t{all_below} << 1 | uint32_t{any_35} << 2 | 1u << 3 | uint32_t{part.size() == 1} << 4,
          thirds,
          sum,
          before + value(own),
          before,
          least,
          most,
          differing,
          value(first),
          value(own ^ 1),
          std::bit_cast<uint32_t>(real_sum),
          std::bit_cast<uint32_t>(product),
          std::bit_cast<uint32_t>(most_before),
          std::bit_cast<uint32_t>(real_upto),
          value(2),
          low_pair,
          sum,
          n % 2 ? odds : 0,
          turn,
      };
      for (uint32_t k = 0; k < 21; ++k) ASSERT_EQ(words[2 + n * kWords + k], expected[k]) << x << " " << y << ", word " << k;
    }
  EXPECT_GT(whole, 40u);
  EXPECT_GT(partly, 10u);
  EXPECT_EQ(words[0], all);
  EXPECT_EQ(words[1], all);
}

/// Pixels that fail the depth test are no helpers: tests come after the program.
TEST_F(Fragments, SubgroupsSeePixelsThatAreHidden) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT);
  PipelineOptions o;
  o.depth_stencil = VkPipelineDepthStencilStateCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  o.depth_stencil->depthTestEnable = o.depth_stencil->depthWriteEnable = VK_TRUE;
  o.depth_stencil->depthCompareOp = VK_COMPARE_OP_LESS;
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(subgroups_vert), SPIRV(subgroups_color_frag), l, o);
  const auto draw = [&](bool front, bool back) {
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      if (front) vkCmdDraw(c, 3, 1, 3, 0);
      if (back) vkCmdDraw(c, 3, 1, 0, 0);
    });
    picture();
    return pixels;
  };
  const std::vector<uint8_t> front = draw(true, false), back = draw(false, true);
  draw(true, true);
  const auto covers = [](const std::vector<uint8_t>& of, uint32_t x, uint32_t y) { return of[(y * kSize + x) * 4 + 3] != 0; };
  uint32_t beside = 0;  // pixels in a quad with hidden ones
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const auto& seen = covers(front, x, y) ? front : back;
      const uint32_t own = (x & 1) + 2 * (y & 1);
      uint32_t count = 0, upto = 0, hidden = 0;
      for (uint32_t lane = 0; lane < 4; ++lane) {
        const uint32_t at_x = (x & ~1u) + (lane & 1), at_y = (y & ~1u) + (lane >> 1);
        count += covers(seen, at_x, at_y);
        upto += lane <= own && covers(seen, at_x, at_y);
        hidden += covers(front, at_x, at_y);
      }
      std::array<uint8_t, 4> expected{};
      if (covers(seen, x, y)) expected = {uint8_t(count), uint8_t(own), uint8_t(upto), 255};
      ASSERT_EQ(at(x, y), expected) << x << " " << y;
      beside += hidden && &seen == &back && covers(seen, x, y);
    }
  EXPECT_GT(beside, 5u);
}

/// VK_EXT_shader_stencil_export: what the program says takes the place of the reference.
TEST_F(Fragments, StencilValuesFromTheProgram) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT_S8_UINT);
  const auto stencil = [](VkCompareOp compare, VkStencilOp then, uint32_t reference) {
    PipelineOptions o;
    o.depth_stencil = VkPipelineDepthStencilStateCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    o.depth_stencil->stencilTestEnable = VK_TRUE;
    o.depth_stencil->front = {VK_STENCIL_OP_KEEP, then, VK_STENCIL_OP_KEEP, compare, 0xFF, 0xFF, reference};
    o.depth_stencil->back = o.depth_stencil->front;
    return o;
  };
  const VkPipelineLayout l = layout();
  const VkPipeline writes = pipeline(SPIRV(full_vert), SPIRV(stencil_frag), l, stencil(VK_COMPARE_OP_ALWAYS, VK_STENCIL_OP_REPLACE, 7));
  // Those with a value of at most the reference, of either program.
  const VkPipeline below =
      pipeline(SPIRV(full_vert), SPIRV(white_frag), l, stencil(VK_COMPARE_OP_GREATER_OR_EQUAL, VK_STENCIL_OP_KEEP, 0x5A));
  render([&](VkCommandBuffer c) {
    for (const VkPipeline p : {writes, below}) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      push(c, l);
      vkCmdDraw(c, 3, 1, 0, 0);
    }
  });
  picture();
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) EXPECT_EQ(at(x, y)[1], x * 16 + y <= 0x5A ? 255 : 0) << x << " " << y;
}

class SampleMasks : public Colored {
 protected:
  SampleMasks() { device_extensions = {VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME}; }
};

TEST_F(SampleMasks, AreThoseBeforeOrBehindEarlyTests) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_4_BIT);
  const Buffer masks = buffer(3 * kSize * kSize * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memset(masks.map, 0, masks.size);
  const std::vector<Slot> slots = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, {}, {masks.handle, 0, VK_WHOLE_SIZE}}};
  const VkPipelineLayout l = layout(slots);
  const VkDescriptorSet set = set_of(slots);
  PipelineOptions o = colored();
  o.depth_stencil = depth_test(VK_COMPARE_OP_LESS);
  const VkPipeline before = pipeline(SPIRV(position3_color_vert), SPIRV(mask_before_tests_frag), l, o);
  const VkPipeline behind = pipeline(SPIRV(position3_color_vert), SPIRV(mask_behind_tests_frag), l, o);
  // A triangle in front, whose edges cover some samples of their pixels, and two draws far behind it.
  render([&](VkCommandBuffer c) {
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
    const auto draw_number = [&](int32_t number, VkPipeline p, const std::vector<ColoredVertex>& v) {
      PushConstants constants;
      constants.number = number;
      push(c, l, constants);
      draw(c, p, v);
    };
    draw_number(0, before, {{-0.8f, -0.7f, 0.25f, kRed}, {0.9f, -0.3f, 0.25f, kRed}, {-0.2f, 0.8f, 0.25f, kRed}});
    draw_number(1, before, full(kRed, 0.75f));
    draw_number(2, behind, full(kRed, 0.5f));
  });
  const auto* const words = reinterpret_cast<const uint32_t*>(masks.map);
  uint32_t partly = 0;
  for (uint32_t i = 0; i < kSize * kSize; ++i) {
    const uint32_t front = words[i], all = words[kSize * kSize + i], left = words[2 * kSize * kSize + i];
    EXPECT_EQ(all, front == 15 ? 0u : 15u) << i;
    EXPECT_EQ(left, 15u & ~front) << i;
    partly += front != 0 && front != 15;
  }
  EXPECT_GT(partly, 10u);
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
