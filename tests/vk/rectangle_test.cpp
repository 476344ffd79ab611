// SPDX-License-Identifier: MIT
/// Rectangles of images and stretches of buffers, at every alignment: what the 2D engine's surfaces cannot express directly (pitches of odd
/// multiples, more than 16320 bytes, more than 8191 rows) included. Whole pictures are compared, so that nothing else may change.
#include <random>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Rectangle : public Vk {
 protected:
  std::vector<uint8_t> noise(size_t n) {
    std::vector<uint8_t> v(n);
    for (auto& b : v) b = static_cast<uint8_t>(rng());
    return v;
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(rng() % n); }
  std::mt19937 rng{11};
};

struct Format {
  VkFormat format;
  uint32_t bytes;
};
constexpr Format kFormats[] = {{VK_FORMAT_R8_UNORM, 1},
                               {VK_FORMAT_R5G6B5_UNORM_PACK16, 2},
                               {VK_FORMAT_R8G8B8A8_UNORM, 4},
                               {VK_FORMAT_R16G16B16A16_SFLOAT, 8},
                               {VK_FORMAT_R32G32B32A32_SFLOAT, 16}};
constexpr VkExtent2D kSizes[] = {{37, 19}, {100, 64}, {64, 100}, {4087, 5}, {4087, 33}, {3, 300}, {1, 1}, {1000, 21}};
constexpr VkImageSubresourceLayers kLayer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

struct Picture {
  std::vector<uint8_t> data;
  uint32_t width, bytes;
  void copy(const Picture& from, VkOffset3D f, VkOffset3D t, VkExtent3D e) {
    for (uint32_t y = 0; y < e.height; ++y)
      std::memcpy(&data[((t.y + y) * size_t{width} + t.x) * bytes], &from.data[((f.y + y) * size_t{from.width} + f.x) * bytes],
                  size_t{e.width} * bytes);
  }
};

TEST_F(Rectangle, CopiesAndUnscaledBlitsOfPartsTouchNothingElse) {
  for (const Format& f : kFormats)
    for (const VkExtent2D& size : kSizes)
      for (const bool blit : {false, true}) {
        Image a = image(f.format, size.width, size.height), b = image(f.format, size.width + 9, size.height + 3);
        Picture from{noise(size_t{size.width} * size.height * f.bytes), size.width, f.bytes};
        Picture to{noise(size_t{size.width + 9} * (size.height + 3) * f.bytes), size.width + 9, f.bytes};
        write(a, from.data);
        write(b, to.data);
        std::vector<VkImageCopy> regions;
        std::vector<VkImageBlit> blits;
        for (int i = 0; i < 4; ++i) {
          const VkExtent3D e{1 + below(size.width), 1 + below(size.height), 1};
          const VkOffset3D s{static_cast<int32_t>(below(size.width - e.width + 1)), static_cast<int32_t>(below(size.height - e.height + 1)),
                             0};
          const VkOffset3D d{static_cast<int32_t>(below(size.width + 10 - e.width)),
                             static_cast<int32_t>(below(size.height + 4 - e.height)), 0};
          const int32_t w = static_cast<int32_t>(e.width), h = static_cast<int32_t>(e.height);
          regions.push_back({kLayer, s, kLayer, d, e});
          blits.push_back({kLayer, {s, {s.x + w, s.y + h, 1}}, kLayer, {d, {d.x + w, d.y + h, 1}}});
          to.copy(from, s, d, e);
        }
        run([&](VkCommandBuffer c) {
          const uint32_t n = static_cast<uint32_t>(regions.size());
          if (blit)
            vkCmdBlitImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, VK_IMAGE_LAYOUT_GENERAL, n, blits.data(), VK_FILTER_NEAREST);
          else
            vkCmdCopyImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, VK_IMAGE_LAYOUT_GENERAL, n, regions.data());
        });
        ASSERT_EQ(read(b, f.bytes), to.data) << f.format << " " << size.width << "x" << size.height << (blit ? " blit" : "");
      }
}

TEST_F(Rectangle, BufferRowsOfAnyLength) {
  for (const Format& f : kFormats)
    for (const VkExtent2D& size : kSizes) {
      Image a = image(f.format, size.width, size.height);
      Picture picture{noise(size_t{size.width} * size.height * f.bytes), size.width, f.bytes};
      write(a, picture.data);
      const VkExtent3D e{1 + below(size.width), 1 + below(size.height), 1};
      const VkOffset3D at{static_cast<int32_t>(below(size.width - e.width + 1)), static_cast<int32_t>(below(size.height - e.height + 1)),
                          0};
      const uint32_t row = e.width + below(70);
      const VkDeviceSize offset = VkDeviceSize{f.bytes} * 4 * below(300);
      Picture in_buffer{noise(size_t{row} * e.height * f.bytes), row, f.bytes};
      Buffer in = buffer(offset + in_buffer.data.size()), out = buffer(offset + in_buffer.data.size());
      std::memcpy(in.map + offset, in_buffer.data.data(), in_buffer.data.size());
      const VkBufferImageCopy r{offset, row, 0, kLayer, at, e};
      picture.copy(in_buffer, {}, at, e);
      run([&](VkCommandBuffer c) {
        vkCmdCopyBufferToImage(c, in.handle, a.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
        barrier(c);
        vkCmdCopyImageToBuffer(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, out.handle, 1, &r);
      });
      ASSERT_EQ(read(a, f.bytes), picture.data) << f.format << " " << size.width << "x" << size.height;
      Picture back{std::vector<uint8_t>(in_buffer.data.size()), row, f.bytes};
      back.copy(in_buffer, {}, {}, e);
      ASSERT_EQ(0, std::memcmp(out.map + offset, back.data.data(), back.data.size()))
          << f.format << " " << size.width << "x" << size.height;
    }
}

TEST_F(Rectangle, ClearsFillLevelsAndNothingElse) {
  const VkClearColorValue color = {{1.0f, 0.25f, 0.5f, 0.75f}};
  for (const Format& f : kFormats)
    for (const VkExtent2D& size : {VkExtent2D{256, 64}, {37, 19}, {4096, 3}, {1021, 301}}) {
      ImageOptions o;
      o.levels = size.width == 256 ? 4 : 1;
      Image i = image(f.format, size.width, size.height, o), one = image(f.format, 1, 1);
      std::vector<std::vector<uint8_t>> before;
      for (uint32_t l = 0; l < o.levels; ++l) {
        before.push_back(noise(size_t{size.width >> l} * (size.height >> l) * f.bytes));
        write(i, before[l], l);
      }
      const uint32_t level = o.levels / 2;
      const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}, all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      run([&](VkCommandBuffer c) {
        vkCmdClearColorImage(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
        vkCmdClearColorImage(c, one.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
      });
      const auto pixel = read(one, f.bytes);
      std::vector<uint8_t> expected;
      for (size_t p = 0; p < before[level].size(); p += f.bytes) expected.insert(expected.end(), pixel.begin(), pixel.end());
      before[level] = expected;
      for (uint32_t l = 0; l < o.levels; ++l) ASSERT_EQ(read(i, f.bytes, l), before[l]) << f.format << " " << size.width << " level " << l;
    }
}

TEST_F(Rectangle, LayersAndSlicesAreCopiedIntoEachOther) {
  ImageOptions v, l;
  v.depth = 4;
  l.cube = true;
  Image volume = image(VK_FORMAT_R8G8B8A8_UNORM, 24, 24, v), layers = image(VK_FORMAT_R8G8B8A8_UNORM, 24, 24, l);
  const auto data = noise(24 * 24 * 4 * 4);
  write(volume, data);
  Buffer out = buffer(24 * 24 * 4 * 6);
  run([&](VkCommandBuffer c) {
    const VkClearColorValue zero{};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 6};
    vkCmdClearColorImage(c, layers.handle, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
    barrier(c);
    const VkImageCopy r{kLayer, {1, 2, 1}, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 3}, {3, 5, 0}, {20, 17, 3}};
    vkCmdCopyImage(c, volume.handle, VK_IMAGE_LAYOUT_GENERAL, layers.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
    barrier(c);
    const VkBufferImageCopy back{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 6}, {}, {24, 24, 1}};
    vkCmdCopyImageToBuffer(c, layers.handle, VK_IMAGE_LAYOUT_GENERAL, out.handle, 1, &back);
  });
  std::vector<uint8_t> expected(out.size);
  for (uint32_t z = 0; z < 3; ++z)
    for (uint32_t y = 0; y < 17; ++y)
      std::memcpy(&expected[(((3 + z) * 24 + 5 + y) * 24 + 3) * 4], &data[(((1 + z) * 24 + 2 + y) * 24 + 1) * 4], 80);
  EXPECT_EQ(0, std::memcmp(expected.data(), out.map, expected.size()));
}

TEST_F(Rectangle, FillsOfBuffersAtAnyDword) {
  for (int round = 0; round < 60; ++round) {
    const uint32_t size = 4 * (1 + below(round % 3 ? 3000 : 300000));
    Buffer b = buffer(size);
    const auto before = noise(size);
    std::memcpy(b.map, before.data(), size);
    const uint32_t offset = 4 * below(size / 4), bytes = 4 * (1 + below((size - offset) / 4)), value = static_cast<uint32_t>(rng());
    run([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, offset, bytes, value); });
    ASSERT_EQ(0, std::memcmp(b.map, before.data(), offset)) << size << " " << offset << " " << bytes;
    for (uint32_t at = offset; at < offset + bytes; at += 4) {
      uint32_t got;
      std::memcpy(&got, b.map + at, 4);
      ASSERT_EQ(got, value) << size << " " << offset << " " << bytes << " at " << at;
    }
    ASSERT_EQ(0, std::memcmp(b.map + offset + bytes, &before[offset + bytes], size - offset - bytes))
        << size << " " << offset << " " << bytes;
  }
}

/// More rows than a rectangle may have.
TEST_F(Rectangle, LargeBuffers) {
  constexpr VkDeviceSize kSize = 41 << 20;
  Buffer a = buffer(kSize), b = buffer(kSize);
  std::vector<uint32_t> words(kSize / 4);
  for (auto& w : words) w = static_cast<uint32_t>(rng());
  std::memcpy(a.map, words.data(), kSize);
  for (const VkDeviceSize from : {0, 1, 6}) {
    const VkBufferCopy r{from, 4, kSize - 17};
    run([&](VkCommandBuffer c) {
      vkCmdFillBuffer(c, b.handle, 0, VK_WHOLE_SIZE, 0xDEADBEEF);
      barrier(c);
      vkCmdCopyBuffer(c, a.handle, b.handle, 1, &r);
    });
    EXPECT_EQ(0, std::memcmp(b.map + 4, a.map + from, r.size)) << from;
    EXPECT_EQ(*b.as<uint32_t>(), 0xDEADBEEFu);
    EXPECT_EQ(b.as<uint32_t>()[kSize / 4 - 1], 0xDEADBEEFu);
  }
}

}  // namespace
}  // namespace vktest
