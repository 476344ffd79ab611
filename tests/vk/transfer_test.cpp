// SPDX-License-Identifier: MIT
/// Memory, buffer and image transfers, clears outside render passes, blits; everything verified by mapping.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Transfer : public Vk {};

std::vector<uint8_t> noise(size_t n, uint32_t seed) {
  std::vector<uint8_t> v(n);
  for (auto& b : v) b = static_cast<uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
  return v;
}

TEST_F(Transfer, MoreMemoryThanTheHeapHasIsAnError) {
  VkPhysicalDeviceMemoryProperties m;
  vkGetPhysicalDeviceMemoryProperties(physical, &m);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  ai.allocationSize = m.memoryHeaps[0].size + (1u << 20);
  VkDeviceMemory memory;
  EXPECT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, vkAllocateMemory(device, &ai, nullptr, &memory));
  // A failed allocation costs nothing: the same again in small.
  ai.allocationSize = 1 << 20;
  VK_OK(vkAllocateMemory(device, &ai, nullptr, &memory));
  void* p;
  VK_OK(vkMapMemory(device, memory, 4096, VK_WHOLE_SIZE, 0, &p));
  EXPECT_EQ(*static_cast<uint32_t*>(p), 0u);
  vkFreeMemory(device, memory, nullptr);
}

TEST_F(Transfer, CopyFillUpdate) {
  Buffer a = buffer(100000), b = buffer(100000);
  const auto data = noise(100000, 1);
  std::memcpy(a.map, data.data(), data.size());
  const uint8_t patch[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  run([&](VkCommandBuffer c) {
    const VkBufferCopy regions[2] = {{3, 5, 1001}, {2000, 40001, 50000}};  // odd addresses
    vkCmdCopyBuffer(c, a.handle, b.handle, 2, regions);
    vkCmdFillBuffer(c, b.handle, 95000, VK_WHOLE_SIZE, 0xA1B2C3D4);
    vkCmdUpdateBuffer(c, b.handle, 94000, 8, patch);
  });
  EXPECT_EQ(0, std::memcmp(b.map + 5, data.data() + 3, 1001));
  EXPECT_EQ(b.map[4], 0);
  EXPECT_EQ(b.map[5 + 1001], 0);
  EXPECT_EQ(0, std::memcmp(b.map + 40001, data.data() + 2000, 50000));
  EXPECT_EQ(0, std::memcmp(b.map + 94000, patch, 8));
  for (uint32_t i = 95000; i < 100000; i += 4) ASSERT_EQ(*reinterpret_cast<uint32_t*>(b.map + i), 0xA1B2C3D4u) << i;
  EXPECT_EQ(b.map[94999], 0);
}

struct ImageCase {
  VkFormat format;
  uint32_t bytes;
};

TEST_F(Transfer, ImagesKeepTheirBytes) {
  for (const ImageCase f : {ImageCase{VK_FORMAT_R8_UNORM, 1},
                            {VK_FORMAT_R5G6B5_UNORM_PACK16, 2},
                            {VK_FORMAT_B8G8R8A8_UNORM, 4},
                            {VK_FORMAT_R16G16B16A16_SFLOAT, 8},
                            {VK_FORMAT_R32G32B32A32_SFLOAT, 16},
                            {VK_FORMAT_D16_UNORM, 2}}) {
    ImageOptions o;
    if (f.format == VK_FORMAT_D16_UNORM) o.aspects = VK_IMAGE_ASPECT_DEPTH_BIT;
    Image a = image(f.format, 37, 19, o), b = image(f.format, 37, 19, o);
    const auto data = noise(37 * 19 * f.bytes, f.format);
    write(a, data);
    run([&](VkCommandBuffer c) {
      VkImageCopy r{};
      r.srcSubresource = r.dstSubresource = {o.aspects, 0, 0, 1};
      r.extent = a.extent;
      vkCmdCopyImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
    });
    EXPECT_EQ(read(b, f.bytes), data) << f.format;
  }
}

TEST_F(Transfer, LevelsFacesAndSlicesDoNotOverlap) {
  ImageOptions o;
  o.levels = 6;
  Image mips = image(VK_FORMAT_R8G8B8A8_UNORM, 32, 16, o);
  std::vector<std::vector<uint8_t>> data;
  for (uint32_t l = 0; l < 6; ++l) {
    data.push_back(noise(std::max(1u, 32u >> l) * std::max(1u, 16u >> l) * 4, l));
    write(mips, data.back(), l);
  }
  for (uint32_t l = 0; l < 6; ++l) EXPECT_EQ(read(mips, 4, l), data[l]) << l;

  ImageOptions v;
  v.depth = 8;
  Image volume = image(VK_FORMAT_R8G8_UNORM, 16, 4, v);
  const auto slices = noise(16 * 4 * 8 * 2, 9);
  write(volume, slices);
  EXPECT_EQ(read(volume, 2), slices);
}

TEST_F(Transfer, CompressedBlocksKeepTheirBytes) {
  Image i = image(VK_FORMAT_BC3_UNORM_BLOCK, 20, 12);
  const auto data = noise(5 * 3 * 16, 4);
  Buffer in = buffer(data.size()), out = buffer(data.size());
  std::memcpy(in.map, data.data(), data.size());
  const VkBufferImageCopy r = whole(i);
  run([&](VkCommandBuffer c) {
    vkCmdCopyBufferToImage(c, in.handle, i.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
    barrier(c);
    vkCmdCopyImageToBuffer(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, out.handle, 1, &r);
  });
  EXPECT_EQ(0, std::memcmp(out.map, data.data(), data.size()));
}

TEST_F(Transfer, DepthAndStencilAspectsAreCopiedApart) {
  ImageOptions o;
  o.aspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  o.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  Image a = image(VK_FORMAT_D24_UNORM_S8_UINT, 21, 9, o), b = image(VK_FORMAT_D24_UNORM_S8_UINT, 21, 9, o);
  auto depth = noise(21 * 9 * 4, 5);
  for (size_t i = 3; i < depth.size(); i += 4) depth[i] = 0;  // the top byte has no meaning
  const auto stencil = noise(21 * 9, 6);
  write(a, depth, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
  write(a, stencil, 0, VK_IMAGE_ASPECT_STENCIL_BIT);
  EXPECT_EQ(read(a, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT), depth);
  EXPECT_EQ(read(a, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT), stencil);
  run([&](VkCommandBuffer c) {
    VkImageCopy r{};
    r.srcSubresource = r.dstSubresource = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1};
    r.extent = a.extent;
    vkCmdCopyImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
  });
  EXPECT_EQ(read(b, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT), stencil);
  EXPECT_EQ(read(b, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT), std::vector<uint8_t>(21 * 9 * 4));
}

TEST_F(Transfer, ClearColorImagePacksEveryFormat) {
  struct Case {
    VkFormat format;
    std::vector<uint8_t> pixel;
  };
  const VkClearColorValue color = {{1.0f, 0.5f, 0.0f, 0.2f}};
  for (const Case& f : {Case{VK_FORMAT_R8G8B8A8_UNORM, {255, 128, 0, 51}}, Case{VK_FORMAT_B8G8R8A8_UNORM, {0, 128, 255, 51}},
                        Case{VK_FORMAT_R5G6B5_UNORM_PACK16, {0x00, 0xFC}}, Case{VK_FORMAT_R8G8B8A8_SRGB, {255, 188, 0, 51}},
                        Case{VK_FORMAT_R16G16_SFLOAT, {0x00, 0x3C, 0x00, 0x38}}, Case{VK_FORMAT_R32_SFLOAT, {0, 0, 0x80, 0x3F}}}) {
    Image i = image(f.format, 13, 7);
    const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    run([&](VkCommandBuffer c) { vkCmdClearColorImage(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range); });
    const auto bytes = read(i, static_cast<uint32_t>(f.pixel.size()));
    for (size_t p = 0; p < bytes.size(); p += f.pixel.size())
      ASSERT_EQ(std::vector<uint8_t>(bytes.begin() + p, bytes.begin() + p + f.pixel.size()), f.pixel)
          << f.format << " pixel " << p / f.pixel.size();
  }
}

TEST_F(Transfer, ClearColorImageReachesEverySlice) {
  ImageOptions o;
  o.depth = 4;
  o.levels = 2;
  Image i = image(VK_FORMAT_R8_UNORM, 8, 8, o);
  const VkClearColorValue color = {{1, 0, 0, 0}};
  const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  run([&](VkCommandBuffer c) { vkCmdClearColorImage(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range); });
  EXPECT_EQ(read(i, 1, 0), std::vector<uint8_t>(256, 255));
  EXPECT_EQ(read(i, 1, 1), std::vector<uint8_t>(32, 255));
}

TEST_F(Transfer, ClearDepthStencilImageTouchesTheNamedAspect) {
  ImageOptions o;
  o.aspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  Image i = image(VK_FORMAT_D24_UNORM_S8_UINT, 33, 17, o);
  const auto clear = [&](VkImageAspectFlags aspects, float depth, uint32_t stencil) {
    const VkClearDepthStencilValue v{depth, stencil};
    const VkImageSubresourceRange range{aspects, 0, 1, 0, 1};
    run([&](VkCommandBuffer c) { vkCmdClearDepthStencilImage(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, &v, 1, &range); });
  };
  clear(o.aspects, 1.0f, 0x42);
  const auto depth = read(i, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
  for (size_t p = 0; p < depth.size(); p += 4)
    ASSERT_EQ((std::vector<uint8_t>(&depth[p], &depth[p] + 3)), (std::vector<uint8_t>{255, 255, 255}));
  EXPECT_EQ(read(i, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT), std::vector<uint8_t>(33 * 17, 0x42));
  clear(VK_IMAGE_ASPECT_STENCIL_BIT, 0.0f, 0x99);
  EXPECT_EQ(read(i, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT), std::vector<uint8_t>(33 * 17, 0x99));
  EXPECT_EQ(read(i, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT), depth);
}

TEST_F(Transfer, BlitScalesFlipsAndConverts) {
  Image a = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4), b = image(VK_FORMAT_B8G8R8A8_UNORM, 8, 8);
  std::vector<uint8_t> data(64);
  std::iota(data.begin(), data.end(), uint8_t{0});
  write(a, data);
  run([&](VkCommandBuffer c) {
    VkImageBlit r{};
    r.srcSubresource = r.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    r.srcOffsets[1] = {4, 4, 1};
    r.dstOffsets[0] = {8, 0, 0};  // mirrored in x
    r.dstOffsets[1] = {0, 8, 1};
    vkCmdBlitImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r, VK_FILTER_NEAREST);
  });
  const auto out = read(b, 4);
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 0; x < 8; ++x) {
      const uint8_t* s = &data[((y / 2) * 4 + (7 - x) / 2) * 4];
      const uint8_t* d = &out[(y * 8 + x) * 4];
      ASSERT_EQ((std::vector<uint8_t>(d, d + 4)), (std::vector<uint8_t>{s[2], s[1], s[0], s[3]})) << x << "," << y;
    }
}

// Regions of one image, whose rows lie between each other's in memory.
TEST_F(Transfer, BlitsWithinAnImage) {
  constexpr uint32_t kWidth = 64, kHeight = 16;
  for (const VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR}) {
    Image a = image(VK_FORMAT_R8G8B8A8_SRGB, kWidth, kHeight);
    std::vector<uint8_t> data(size_t{4} * kWidth * kHeight), wanted;
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i / 4 % kWidth / 4 * 16);  // columns of four alike
    wanted = data;
    for (uint32_t y = 0; y < kHeight / 2; ++y)
      for (uint32_t x = 0; x < 16; ++x)
        for (uint32_t k = 0; k < 4; ++k) wanted[4 * ((y + 4) * kWidth + 40 + x) + k] = data[4 * (y * kWidth + 2 * x) + k];
    write(a, data);
    run([&](VkCommandBuffer c) {
      const VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      const VkImageBlit half{layer, {{}, {32, kHeight, 1}}, layer, {{40, 4, 0}, {56, 4 + kHeight / 2, 1}}};
      vkCmdBlitImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, a.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &half, filter);
    });
    EXPECT_EQ(read(a, 4), wanted) << filter;
  }
}

// Texels of four bytes that no filter touches keep their bits, or change red for blue.
TEST_F(Transfer, NearestBlitKeepsBits) {
  constexpr uint32_t kSide = 8;
  struct Pair {
    VkFormat from, to;
    bool swapped;
  };
  for (const Pair p :
       {Pair{VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_B8G8R8A8_SRGB, true}, Pair{VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM, false},
        Pair{VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, false}}) {
    Image a = image(p.from, kSide, kSide), b = image(p.to, 2 * kSide, kSide / 2);
    std::vector<uint8_t> data(size_t{4} * kSide * kSide), wanted(size_t{4} * kSide * kSide);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(0x3C + i % 61);  // of halves: no NaN, no denormal
    for (uint32_t y = 0; y < kSide / 2; ++y)
      for (uint32_t x = 0; x < 2 * kSide; ++x)
        for (uint32_t k = 0; k < 4; ++k)
          wanted[4 * (y * 2 * kSide + x) + (p.swapped && k != 3 ? 2 - k : k)] = data[4 * ((2 * y + 1) * kSide + x / 2) + k];
    write(a, data);
    run([&](VkCommandBuffer c) {
      const VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      const VkImageBlit r{layer, {{}, {kSide, kSide, 1}}, layer, {{}, {2 * kSide, kSide / 2, 1}}};
      vkCmdBlitImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r, VK_FILTER_NEAREST);
    });
    EXPECT_EQ(read(b, 4), wanted) << p.from;
  }
}

// Powers of two, so that places are exact: between texels by quarters. (vk_blit_rows asks whether it was drawn by rows.)
TEST_F(Transfer, LinearBlitDoublesAndHalves) {
  constexpr uint32_t kWidth = 64, kHeight = 32;
  Image a = image(VK_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight), larger = image(VK_FORMAT_B8G8R8A8_UNORM, 2 * kWidth, 2 * kHeight),
        smaller = image(VK_FORMAT_R8G8B8A8_UNORM, kWidth / 2, kHeight / 2);
  std::vector<uint8_t> data(size_t{4} * kWidth * kHeight);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  write(a, data);
  const auto corner = [](uint32_t w, uint32_t h) { return VkOffset3D{static_cast<int32_t>(w), static_cast<int32_t>(h), 1}; };
  run([&](VkCommandBuffer c) {
    const VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageBlit up{layer, {{}, corner(kWidth, kHeight)}, layer, {{}, corner(2 * kWidth, 2 * kHeight)}};
    const VkImageBlit down{layer, {{}, corner(kWidth, kHeight)}, layer, {{}, corner(kWidth / 2, kHeight / 2)}};
    vkCmdBlitImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, larger.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &up, VK_FILTER_LINEAR);
    vkCmdBlitImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, smaller.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &down, VK_FILTER_LINEAR);
  });
  const auto texel = [&](int32_t x, int32_t y, uint32_t k) {
    x = std::clamp<int32_t>(x, 0, kWidth - 1), y = std::clamp<int32_t>(y, 0, kHeight - 1);
    return int32_t{data[(static_cast<uint32_t>(y) * kWidth + static_cast<uint32_t>(x)) * 4 + k]};
  };
  const auto up = read(larger, 4), down = read(smaller, 4);
  for (int32_t y = 0; y < int32_t{2 * kHeight}; ++y)
    for (int32_t x = 0; x < int32_t{2 * kWidth}; ++x)
      for (uint32_t k = 0; k < 4; ++k) {
        const int32_t x0 = (x - 1) >> 1, y0 = (y - 1) >> 1, u = x & 1 ? 1 : 3, v = y & 1 ? 1 : 3;
        const int32_t sum = (4 - v) * ((4 - u) * texel(x0, y0, k) + u * texel(x0 + 1, y0, k)) +
                            v * ((4 - u) * texel(x0, y0 + 1, k) + u * texel(x0 + 1, y0 + 1, k));
        const int32_t code = up[static_cast<size_t>(y * int32_t{2 * kWidth} + x) * 4 + (k == 3 ? 3 : 2 - k)];
        ASSERT_LE(std::abs(16 * code - sum), 8) << x << "," << y << "," << k;
      }
  for (int32_t y = 0; y < int32_t{kHeight / 2}; ++y)
    for (int32_t x = 0; x < int32_t{kWidth / 2}; ++x)
      for (uint32_t k = 0; k < 4; ++k) {
        const int32_t sum =
            texel(2 * x, 2 * y, k) + texel(2 * x + 1, 2 * y, k) + texel(2 * x, 2 * y + 1, k) + texel(2 * x + 1, 2 * y + 1, k);
        const int32_t code = down[static_cast<size_t>(y * int32_t{kWidth / 2} + x) * 4 + k];
        ASSERT_LE(std::abs(4 * code - sum), 2) << x << "," << y << "," << k;
      }
}

}  // namespace
}  // namespace vktest
