// SPDX-License-Identifier: MIT
/// Several samples per pixel: queries, secondary command buffers, copies, viewports, what is offered and what is refused.
#include "tests/vk/multisample.h"

#include <tuple>

namespace vktest {
namespace {

TEST_F(Multisample, QueriesCountSamples) {
  for (VkSampleCountFlagBits n : kCounts) {
    make_pass({kColor8}, kDepth24, n);
    const VkPipeline p = colored(depth_test(VK_COMPARE_OP_LESS));
    const VkQueryPool q = query_pool();
    const float edge = 5 + 7.0f / 16;
    uint64_t want = 5 * kSize * n;
    for (const SamplePosition& s : positions(n)) want += s.x * 16 < 7 * 12 ? kSize : 0;
    run([&](VkCommandBuffer c) {
      vkCmdResetQueryPool(c, q, 0, 1);
      begin(c);
      vkCmdBeginQuery(c, q, 0, VK_QUERY_CONTROL_PRECISE_BIT);
      quad(c, p, 0, 0, edge, kSize, kOne);
      paint(c, [](uint32_t, uint32_t) { return kOne; });  // clears do not count
      vkCmdEndQuery(c, q, 0);
      vkCmdEndRenderPass(c);
    });
    EXPECT_EQ(result(q), want);
  }
}

TEST_F(Multisample, WithoutAttachmentsThePipelineSays) {
  VkSubpassDescription sub{};
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  ri.subpassCount = 1;
  ri.pSubpasses = &sub;
  VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
  VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  fi.renderPass = pass;
  fi.width = fi.height = kSize;
  fi.layers = 1;
  VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
  defer([this, r = pass, f = framebuffer] {
    vkDestroyFramebuffer(device, f, nullptr);
    vkDestroyRenderPass(device, r, nullptr);
  });
  const VkQueryPool q = query_pool();
  for (const bool secondary : {false, true})
    for (const VkSampleCountFlagBits n : {VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_2_BIT}) {
      samples = n;
      PipelineOptions o;
      o.blend = {};
      const VkPipeline p = colored(o);
      VkCommandBuffer second = VK_NULL_HANDLE;
      if (secondary) {
        second = begin_secondary(pass);
        const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
        const VkRect2D scissor{{0, 0}, {kSize, kSize}};
        vkCmdSetViewport(second, 0, 1, &viewport);
        vkCmdSetScissor(second, 0, 1, &scissor);
        vkCmdBeginQuery(second, q, 0, VK_QUERY_CONTROL_PRECISE_BIT);
        all(second, p, kOne);
        vkCmdEndQuery(second, q, 0);
        VK_OK(vkEndCommandBuffer(second));
      }
      run([&](VkCommandBuffer c) {
        vkCmdResetQueryPool(c, q, 0, 1);
        begin(c, {}, 1, 0, secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
        if (secondary) {
          vkCmdExecuteCommands(c, 1, &second);
        } else {
          vkCmdBeginQuery(c, q, 0, VK_QUERY_CONTROL_PRECISE_BIT);
          all(c, p, kOne);
          vkCmdEndQuery(c, q, 0);
        }
        vkCmdEndRenderPass(c);
      });
      EXPECT_EQ(result(q), uint64_t{kSize} * kSize * n) << "secondary " << secondary;
    }
}

TEST_F(Multisample, SecondaryCommandBuffersDrawSamples) {
  make_pass({kColor8}, kDepth24, VK_SAMPLE_COUNT_4_BIT);
  const VkPipeline p = colored(depth_test(VK_COMPARE_OP_LESS));
  for (const bool known : {true, false}) {
    const VkCommandBuffer second = begin_secondary(pass, known ? framebuffer : VK_NULL_HANDLE);
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    vkCmdSetViewport(second, 0, 1, &viewport);
    vkCmdSetScissor(second, 0, 1, &scissor);
    quad(second, p, 0, 0, 5 + 9.0f / 16, kSize, kOne);
    VK_OK(vkEndCommandBuffer(second));
    run([&](VkCommandBuffer c) {
      begin(c, {0, 0, 0, 0}, 1, 0, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(c, 1, &second);
      vkCmdEndRenderPass(c);
    });
    picture();
    expect_red(4, 3, 4, "secondary");
    expect_red(5, 3, 2, "secondary");
  }
}

TEST_F(Multisample, PassesOfDifferentCountsFollowEachOther) {
  make_pass({kColor8}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT);
  const VkPipeline one = colored();
  const auto single = std::tuple{pass, framebuffer, color};
  make_pass({kColor8}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_4_BIT);
  const VkPipeline four = colored();
  const auto several = std::tuple{pass, framebuffer, color};
  run([&](VkCommandBuffer c) {
    for (int i = 0; i < 2; ++i) {
      std::tie(pass, framebuffer, color) = single;
      begin(c);
      quad(c, one, 0, 0, 5.6f, kSize, kOne);
      vkCmdEndRenderPass(c);
      std::tie(pass, framebuffer, color) = several;
      begin(c);
      quad(c, four, 0, 0, 5.6f, kSize, kOne);
      vkCmdEndRenderPass(c);
    }
  });
  picture();
  expect_red(5, 9, 2, "four");
  expect_red(4, 9, 4, "four");
  pixels = read(std::get<2>(single)[0], 4);
  EXPECT_EQ(at(5, 9)[0], 255);
  EXPECT_EQ(at(6, 9)[0], 0);
}

TEST_F(Multisample, CopiesKeepSamples) {
  make_pass({kColor8}, kDepth24, VK_SAMPLE_COUNT_4_BIT);
  const VkPipeline p = colored(depth_test(VK_COMPARE_OP_LESS));
  const float edge = 5 + 11.0f / 16;  // three of four samples of column 5
  render([&](VkCommandBuffer c) { quad(c, p, 0, 0, edge, kSize, kOne, 0.25f); });
  const std::vector<Image> first = color;
  const Image first_depth = depth;
  const Image copy = image(kColor8, 13, 13,
                           {.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, .samples = VK_SAMPLE_COUNT_4_BIT});
  const Image seen = image(kColor8, 13, 13, {});
  run([&](VkCommandBuffer c) {
    const VkImageCopy r{{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {3, 2, 0}, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {1, 4, 0}, {8, 7, 1}};
    vkCmdCopyImage(c, first[0].handle, VK_IMAGE_LAYOUT_GENERAL, copy.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
    barrier(c);
    const VkImageResolve all_of = region({0, 0}, {0, 0}, {13, 13});
    vkCmdResolveImage(c, copy.handle, VK_IMAGE_LAYOUT_GENERAL, seen.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &all_of);
  });
  const std::vector<uint8_t> got = read(seen, 4);
  for (uint32_t y = 4; y < 11; ++y) {
    EXPECT_EQ(got[(y * 13 + 2) * 4], 255);
    EXPECT_NEAR(got[(y * 13 + 3) * 4], 191, 1);
    EXPECT_EQ(got[(y * 13 + 4) * 4], 0);
  }
  // Depth alone and with stencil: a pass that loads it draws where it is not hidden.
  for (const VkImageAspectFlags aspects :
       {VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT}, VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT}}) {
    make_pass({kColor8}, kDepth24, VK_SAMPLE_COUNT_4_BIT, VK_ATTACHMENT_LOAD_OP_LOAD);
    run([&](VkCommandBuffer c) {
      const VkClearColorValue black{{0, 0, 0, 0}};
      const VkImageSubresourceRange all_of{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      vkCmdClearColorImage(c, color[0].handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all_of);
      const VkClearDepthStencilValue far{1, 0};
      const VkImageSubresourceRange all_depth{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
      vkCmdClearDepthStencilImage(c, depth.handle, VK_IMAGE_LAYOUT_GENERAL, &far, 1, &all_depth);
      barrier(c);
      const VkImageCopy r{{aspects, 0, 0, 1}, {3, 0, 0}, {aspects, 0, 0, 1}, {1, 2, 0}, {8, 9, 1}};
      vkCmdCopyImage(c, first_depth.handle, VK_IMAGE_LAYOUT_GENERAL, depth.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
    });
    render([&](VkCommandBuffer c) { all(c, p, kOne, 0.5f); });
    for (uint32_t y = 0; y < kSize; ++y) {
      const bool in = y >= 2 && y < 11;
      expect_red(2, y, in ? 0 : 4, "depth copied");
      expect_red(3, y, in ? 1 : 4, "depth copied");
      expect_red(4, y, 4, "depth copied");
    }
  }
}

TEST_F(Multisample, ViewportsCutBetweenSamples) {
  make_pass({kColor8}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_4_BIT);
  const VkPipeline p = colored();
  render([&](VkCommandBuffer c) {
    const VkViewport v{0, 0, 5 + 9.0f / 16, kSize, 0, 1};
    vkCmdSetViewport(c, 0, 1, &v);
    quad(c, p, -40, -40, 60, 60, kOne);
  });
  for (uint32_t y = 0; y < kSize; ++y) {
    expect_red(4, y, 4, "viewport");
    expect_red(5, y, 2, "viewport");
    expect_red(6, y, 0, "viewport");
  }
}

TEST_F(Multisample, LimitsAndRefusals) {
  VkPhysicalDeviceProperties pp;
  vkGetPhysicalDeviceProperties(physical, &pp);
  constexpr VkSampleCountFlags kAll = 1 | 2 | 4;
  EXPECT_EQ(pp.limits.framebufferColorSampleCounts, kAll);
  EXPECT_EQ(pp.limits.framebufferDepthSampleCounts, kAll);
  EXPECT_EQ(pp.limits.framebufferStencilSampleCounts, kAll);
  EXPECT_EQ(pp.limits.framebufferNoAttachmentsSampleCounts, kAll);
  EXPECT_EQ(pp.limits.sampledImageColorSampleCounts, 1u);
  const auto counts = [&](VkFormat f, VkImageType t, VkImageTiling tiling, VkImageUsageFlags usage, VkImageCreateFlags flags) {
    VkImageFormatProperties p{};
    EXPECT_EQ(vkGetPhysicalDeviceImageFormatProperties(physical, f, t, tiling, usage, flags, &p), VK_SUCCESS);
    return p.sampleCounts;
  };
  constexpr VkImageUsageFlags kTarget = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  EXPECT_EQ(counts(kColor8, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, kTarget | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, 0), kAll);
  EXPECT_EQ(counts(kColor8, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, kTarget | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, 0), kAll);
  for (VkFormat f : {kDepth24, VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32})
    EXPECT_EQ(counts(f, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 0), kAll);
  EXPECT_EQ(counts(kColor8, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_LINEAR, kTarget, 0), 1u);
  EXPECT_EQ(counts(kColor8, VK_IMAGE_TYPE_1D, VK_IMAGE_TILING_OPTIMAL, kTarget, 0), 1u);
  EXPECT_EQ(counts(kColor8, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, kTarget, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT), 1u);
  EXPECT_EQ(counts(kColor8, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, kTarget | VK_IMAGE_USAGE_SAMPLED_BIT, 0), 1u);
  EXPECT_EQ(counts(VK_FORMAT_R8G8B8A8_SNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0), 1u);

  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  ii.imageType = VK_IMAGE_TYPE_2D;
  ii.format = kColor8;
  ii.extent = {8, 8, 1};
  ii.mipLevels = ii.arrayLayers = 1;
  ii.samples = VK_SAMPLE_COUNT_4_BIT;
  ii.usage = kTarget | VK_IMAGE_USAGE_SAMPLED_BIT;
  VkImage i = VK_NULL_HANDLE;
  EXPECT_EQ(vkCreateImage(device, &ii, nullptr, &i), VK_ERROR_FEATURE_NOT_PRESENT);
  ii.usage = kTarget;
  ii.mipLevels = 2;
  EXPECT_EQ(vkCreateImage(device, &ii, nullptr, &i), VK_ERROR_FEATURE_NOT_PRESENT);
  ii.mipLevels = 1;
  ii.samples = VK_SAMPLE_COUNT_8_BIT;
  EXPECT_EQ(vkCreateImage(device, &ii, nullptr, &i), VK_ERROR_FEATURE_NOT_PRESENT);

  VkAttachmentDescription a[2] = {};
  a[0].format = kColor8;
  a[1].format = kDepth24;
  a[0].samples = VK_SAMPLE_COUNT_4_BIT;
  a[1].samples = VK_SAMPLE_COUNT_1_BIT;
  for (VkAttachmentDescription& d : a) {
    d.loadOp = d.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    d.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}};
  VkSubpassDescription sub{};
  sub.colorAttachmentCount = 1;
  sub.pColorAttachments = refs;
  sub.pDepthStencilAttachment = refs + 1;
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  ri.attachmentCount = 2;
  ri.pAttachments = a;
  ri.subpassCount = 1;
  ri.pSubpasses = &sub;
  VkRenderPass r = VK_NULL_HANDLE;
  EXPECT_EQ(vkCreateRenderPass(device, &ri, nullptr, &r), VK_ERROR_FEATURE_NOT_PRESENT);
  sub.colorAttachmentCount = 0;
  sub.inputAttachmentCount = 1;
  sub.pInputAttachments = refs;
  EXPECT_EQ(vkCreateRenderPass(device, &ri, nullptr, &r), VK_ERROR_FEATURE_NOT_PRESENT);

  make_pass({kColor8}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_4_BIT);
  samples = VK_SAMPLE_COUNT_1_BIT;
  PipelineOptions o;
  o.expected = VK_ERROR_FEATURE_NOT_PRESENT;
  colored(o);
}

}  // namespace
}  // namespace vktest
