// SPDX-License-Identifier: MIT
/// Several samples per pixel: coverage, depth and stencil, masks, resolves.
#include "tests/vk/multisample.h"

#include <bit>

#include "full.vert.h"
#include "targets.frag.h"

namespace vktest {
namespace {

TEST_F(Multisample, EdgesCoverSamples) {
  for (VkSampleCountFlagBits n : kCounts) {
    make_pass({kColor8}, VK_FORMAT_UNDEFINED, n);
    const VkPipeline p = colored();
    for (const bool upright : {true, false})
      for (int k = 1; k < 16; k += 2) {  // sixteenths that no sample lies on
        const float edge = 5 + static_cast<float>(k) / 16;
        render([&](VkCommandBuffer c) { upright ? quad(c, p, 0, 0, edge, kSize, kOne) : quad(c, p, 0, 0, kSize, edge, kOne); });
        int covered = 0;
        for (const SamplePosition& s : positions(n)) covered += (upright ? s.x : s.y) * 16 < k * 12;
        const std::string what = (upright ? "x < " : "y < ") + std::to_string(edge);
        for (uint32_t i = 0; i < kSize; ++i) {
          expect_red(upright ? 4 : i, upright ? i : 4, static_cast<int>(n), what);
          expect_red(upright ? 5 : i, upright ? i : 5, covered, what);
          expect_red(upright ? 6 : i, upright ? i : 6, 0, what);
        }
      }
  }
}

TEST_F(Multisample, TrianglesThatShareAnEdgeLeaveNoGap) {
  // Additive: a sample drawn twice would be 2, one left out 0.
  PipelineOptions o;
  o.blend = {
      {VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, 0xF}};
  for (VkSampleCountFlagBits n : kCounts) {
    make_pass({kColor8}, VK_FORMAT_UNDEFINED, n);
    const VkPipeline p = colored(o);
    render([&](VkCommandBuffer c) { quad(c, p, 0.3f, 1.7f, 14.9f, 12.2f, {0.4f, 0.2f, 0, 1}); });
    for (uint32_t y = 2; y < 12; ++y)
      for (uint32_t x = 1; x < 14; ++x) EXPECT_EQ(at(x, y)[0], 102) << x << "," << y;
  }
}

TEST_F(Multisample, DepthAndStencilArePerSample) {
  for (const VkFormat format : {kDepth24, VK_FORMAT_D16_UNORM})
    for (VkSampleCountFlagBits n : kCounts) {
      make_pass({kColor8}, format, n);
      const VkPipeline hidden = colored(depth_test(VK_COMPARE_OP_LESS, true, false)), shown = colored(depth_test(VK_COMPARE_OP_LESS));
      PipelineOptions mark = depth_test(VK_COMPARE_OP_ALWAYS, false, false), marked = depth_test(VK_COMPARE_OP_ALWAYS, false);
      mark.depth_stencil->depthTestEnable = marked.depth_stencil->depthTestEnable = VK_FALSE;
      mark.depth_stencil->stencilTestEnable = marked.depth_stencil->stencilTestEnable = VK_TRUE;
      mark.depth_stencil->front =
          mark.depth_stencil->back = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xFF, 0xFF, 7};
      marked.depth_stencil->front =
          marked.depth_stencil->back = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 0xFF, 0xFF, 7};
      const VkPipeline set = colored(mark), test = colored(marked);
      for (int k = 1; k < 16; k += 4) {
        const float edge = 5 + static_cast<float>(k) / 16;
        int covered = 0, count = static_cast<int>(n);
        for (const SamplePosition& s : positions(n)) covered += s.x * 16 < k * 12;
        const std::string what = "edge " + std::to_string(edge);
        render([&](VkCommandBuffer c) {
          quad(c, hidden, 0, 0, edge, kSize, kOne, 0.25f);
          all(c, shown, kOne, 0.5f);
        });
        expect_red(5, 7, count - covered, "stored, " + what);
        expect_red(4, 7, 0, what);
        expect_red(6, 7, count, what);
        // A plane that passes 0.5 at the edge: each sample has its own depth.
        render([&](VkCommandBuffer c) {
          all(c, hidden, kOne, 0.5f);
          quad(c, shown, 0, 0, kSize, kSize, kOne, 0.5f - edge / 32, 0.5f + (16 - edge) / 32);
        });
        expect_red(5, 7, covered, "interpolated, " + what);
        expect_red(4, 7, count, what);
        expect_red(6, 7, 0, what);
        if (format != kDepth24) continue;
        render([&](VkCommandBuffer c) {
          quad(c, set, 0, 0, edge, kSize, kOne);
          all(c, test, kOne);
        });
        expect_red(5, 7, covered, "stencil, " + what);
        expect_red(6, 7, 0, what);
      }
    }
}

TEST_F(Multisample, MasksAndAlphaChooseSamples) {
  for (VkSampleCountFlagBits n : kCounts) {
    make_pass({kColor8}, VK_FORMAT_UNDEFINED, n);
    const int count = static_cast<int>(n);
    for (uint32_t mask = 0; mask < 1u << count; ++mask) {
      PipelineOptions o;
      o.sample_mask = mask | ~0u << count;
      const VkPipeline p = colored(o);
      render([&](VkCommandBuffer c) { all(c, p, kOne); });
      for (uint32_t i = 0; i < kSize; ++i) expect_red(i, (i * 5) % kSize, std::popcount(mask), "mask " + std::to_string(mask));
    }
    PipelineOptions o;
    o.alpha_to_coverage = true;
    const VkPipeline p = colored(o);
    double before = -1;
    for (int k = 0; k <= 8; ++k) {
      const float alpha = static_cast<float>(k) / 8;
      render([&](VkCommandBuffer c) { all(c, p, {1, 1, 1, alpha}); });
      double mean = 0;
      for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) mean += at(x, y)[0] / 255.0 / (kSize * kSize);
      EXPECT_GE(mean, before) << alpha;
      EXPECT_NEAR(mean, alpha, 0.5 / count + 0.01) << "alpha " << alpha << " of " << count;
      if (k % 8 == 0) {
        EXPECT_NEAR(mean, k / 8, 1e-9);
      }
      before = mean;
    }
    // Together: only samples of both.
    o.sample_mask = 1;
    const VkPipeline both = colored(o);
    render([&](VkCommandBuffer c) { all(c, both, kOne); });
    expect_red(3, 3, 1, "mask and alpha");
  }
}

/// Every format that is offered: cleared by the pass and by vkCmdClearColorImage, half of the samples drawn over, resolved both ways.
TEST_F(Multisample, AllFormatsClearAndResolve) {
  uint32_t formats = 0;
  for (int f = 1; f <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; ++f) {
    const auto format = static_cast<VkFormat>(f);
    VkFormatProperties p;
    vkGetPhysicalDeviceFormatProperties(physical, format, &p);
    if (!(p.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)) continue;
    VkImageFormatProperties ip;
    VK_OK(vkGetPhysicalDeviceImageFormatProperties(physical, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 0, &ip));
    EXPECT_EQ(ip.sampleCounts, VkSampleCountFlags{1 | 2 | 4}) << f;
    ++formats;
    const bool srgb = format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB || format == VK_FORMAT_A8B8G8R8_SRGB_PACK32;
    // All are blitted to floats to look at them.
    const Image floats =
        image(VK_FORMAT_R32G32B32A32_SFLOAT, kSize, kSize,
              {.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    const auto see = [&](const Image& i, uint32_t x, uint32_t y) {
      run([&](VkCommandBuffer c) {
        VkImageBlit b{{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                      {{0, 0, 0}, {kSize, kSize, 1}},
                      {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                      {{0, 0, 0}, {kSize, kSize, 1}}};
        vkCmdBlitImage(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, floats.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &b, VK_FILTER_NEAREST);
      });
      const std::vector<uint8_t> bytes = read(floats, 16);
      std::array<float, 4> v;
      std::memcpy(v.data(), &bytes[(y * kSize + x) * 16], 16);
      return v;
    };
    for (VkSampleCountFlagBits n : kCounts) {
      make_pass({format}, VK_FORMAT_UNDEFINED, n);
      PipelineOptions o;
      o.sample_mask = n == VK_SAMPLE_COUNT_4_BIT ? 0x9 : 0x2;
      const VkPipeline half = colored(o);
      const Image other = image(format, kSize, kSize, {});
      run([&](VkCommandBuffer c) {
        begin(c, {0, 1, 0.5f, 1});
        quad(c, half, 0, 0, 8, kSize, {1, 1, 0, 1});
        vkCmdEndRenderPass(c);
      });
      const std::array<float, 4> mixed = see(resolved[0], 3, 5), cleared = see(resolved[0], 12, 5);
      // Five bits or more; a format of less channels than four reads 0, 0, 0, 1 in the others. One bit of alpha stays whole.
      EXPECT_NEAR(mixed[0], 0.5, 0.02) << "format " << f << " samples " << n;
      if (mixed[1] != 0) {
        EXPECT_NEAR(mixed[1], 1, 1e-6) << f;
      }
      if (cleared[2] != 0) {
        EXPECT_NEAR(cleared[2], 0.5, 0.02) << f;
        EXPECT_NEAR(mixed[2], 0.25, 0.02) << f;
      }
      EXPECT_EQ(mixed[3], 1) << f;
      EXPECT_EQ(cleared[0], 0) << f;
      EXPECT_EQ(cleared[3], 1) << f;
      run([&](VkCommandBuffer c) {
        const VkImageResolve r = region({0, 0}, {0, 0}, {kSize, kSize});
        vkCmdResolveImage(c, color[0].handle, VK_IMAGE_LAYOUT_GENERAL, other.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
      });
      EXPECT_EQ(see(other, 3, 5), mixed) << f;
      EXPECT_EQ(see(other, 12, 5), cleared) << f;
      run([&](VkCommandBuffer c) {
        const VkClearColorValue v{{0.75f, 0.5f, 0.25f, 1}};
        const VkImageSubresourceRange all_of{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vkCmdClearColorImage(c, color[0].handle, VK_IMAGE_LAYOUT_GENERAL, &v, 1, &all_of);
        barrier(c);
        const VkImageResolve r = region({0, 0}, {0, 0}, {kSize, kSize});
        vkCmdResolveImage(c, color[0].handle, VK_IMAGE_LAYOUT_GENERAL, other.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
        vkCmdClearColorImage(c, resolved[0].handle, VK_IMAGE_LAYOUT_GENERAL, &v, 1, &all_of);
      });
      const std::array<float, 4> a = see(other, 0, 0), b = see(resolved[0], 0, 0), last = see(other, kSize - 1, kSize - 1);
      for (size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(a[i], b[i], srgb ? 0.005 : 0) << f << " channel " << i;
        EXPECT_EQ(a[i], last[i]) << f;
      }
    }
  }
  EXPECT_GE(formats, 15u);
}

TEST_F(Multisample, ResolveImageMovesRegions) {
  struct Case {
    VkFormat format;
    uint32_t bytes;
  };
  for (const Case& f : {Case{VK_FORMAT_R8_UNORM, 1},
                        {VK_FORMAT_R8G8_UNORM, 2},
                        {kColor8, 4},
                        {VK_FORMAT_R16G16B16A16_SFLOAT, 8},
                        {VK_FORMAT_R32G32B32A32_SFLOAT, 16}}) {
    make_pass({f.format}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_4_BIT);
    run([&](VkCommandBuffer c) {
      begin(c);
      paint(c, [](uint32_t x, uint32_t y) {
        return std::array<float, 4>{static_cast<float>(y * 16 + x) / 255, static_cast<float>(x) / 15, 0, 1};
      });
      vkCmdEndRenderPass(c);
    });
    const std::vector<uint8_t> source = read(resolved[0], f.bytes);
    const Image to = image(f.format, 21, 19, {});
    const std::vector<uint8_t> empty(size_t{21} * 19 * f.bytes, 0x5A);
    for (const auto& [from, at, e] : {std::tuple{VkOffset2D{0, 0}, VkOffset2D{0, 0}, VkExtent2D{16, 16}},
                                      {{1, 2}, {7, 3}, {5, 9}},
                                      {{8, 0}, {0, 8}, {8, 8}},
                                      {{3, 15}, {20, 18}, {1, 1}},
                                      {{2, 1}, {4, 0}, {14, 15}},
                                      {{9, 7}, {1, 11}, {7, 8}}}) {
      write(to, empty);
      run([&](VkCommandBuffer c) {
        const VkImageResolve r = region(from, at, e);
        vkCmdResolveImage(c, color[0].handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
      });
      const std::vector<uint8_t> got = read(to, f.bytes);
      for (int y = 0; y < 19; ++y)
        for (int x = 0; x < 21; ++x) {
          const int sx = x - at.x + from.x, sy = y - at.y + from.y;
          const bool in = x >= at.x && y >= at.y && x < at.x + static_cast<int>(e.width) && y < at.y + static_cast<int>(e.height);
          const uint8_t* want = in ? &source[static_cast<size_t>(sy * 16 + sx) * f.bytes] : empty.data();
          ASSERT_EQ(std::memcmp(&got[static_cast<size_t>(y * 21 + x) * f.bytes], want, f.bytes), 0)
              << "format " << f.format << " from " << from.x << "," << from.y << " to " << at.x << "," << at.y << " at " << x << "," << y;
        }
    }
  }
}

TEST_F(Multisample, ResolvesIntoACubesFace) {
  make_pass({kColor8}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_4_BIT);
  render([](VkCommandBuffer) {}, {1, 0, 1, 1});
  const Image cube = image(kColor8, kSize, kSize, {.cube = true});
  run([&](VkCommandBuffer c) {
    const VkClearColorValue v{{0, 0, 0, 0}};
    const VkImageSubresourceRange faces{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 6};
    vkCmdClearColorImage(c, cube.handle, VK_IMAGE_LAYOUT_GENERAL, &v, 1, &faces);
    barrier(c);
    const VkImageResolve r = region({0, 0}, {0, 0}, {kSize, kSize}, 3);
    vkCmdResolveImage(c, color[0].handle, VK_IMAGE_LAYOUT_GENERAL, cube.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
  });
  Buffer b = buffer(6 * kSize * kSize * 4);
  run([&](VkCommandBuffer c) {
    VkBufferImageCopy r = whole(cube);
    r.imageSubresource.layerCount = 6;
    vkCmdCopyImageToBuffer(c, cube.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, 1, &r);
  });
  for (uint32_t i = 0; i < 6 * kSize * kSize; ++i) ASSERT_EQ(b.as<uint32_t>()[i], i / (kSize * kSize) == 3 ? 0xFFFF00FFu : 0u) << i;
}

TEST_F(Multisample, EachTargetIsResolved) {
  make_pass({kColor8, VK_FORMAT_R16G16B16A16_SFLOAT, kColor8}, kDepth24, VK_SAMPLE_COUNT_4_BIT);
  PipelineOptions o = depth_test(VK_COMPARE_OP_ALWAYS);
  o.blend.assign(3, o.blend[0]);
  o.sample_mask = 0x5;
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(targets_frag), layout_, o);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    push(c, layout_);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  EXPECT_NEAR(at(9, 9)[0], 127.5, 1);
  EXPECT_NEAR(at(9, 9)[1], 64, 1);
  const std::vector<uint8_t> second = read(resolved[1], 8);
  uint16_t half[4];
  std::memcpy(half, &second[(3 * kSize + 3) * 8], 8);
  EXPECT_EQ(half[0], 0xBC00);  // -1
  EXPECT_EQ(half[1], 0x2C00);  // 1/16
  EXPECT_EQ(half[2], 0x3E00);  // 1.5
  EXPECT_EQ(half[3], 0x3400);  // 0.25
}

/// One sample and several in turn in one command buffer.
/// A viewport that ends inside pixels leaves those samples that lie in it.

}  // namespace
}  // namespace vktest
