// SPDX-License-Identifier: MIT
/// Sampling, vertex formats, input attachments.
#include <cmath>
#include <cstdint>

#include "formats.frag.h"
#include "formats.vert.h"
#include "formats_int.vert.h"
#include "formats_uint.vert.h"
#include "full.vert.h"
#include "gather.frag.h"
#include "input.frag.h"
#include "offset.frag.h"
#include "separate.frag.h"
#include "shadow.frag.h"
#include "tests/vk/render_fixture.h"
#include "texel.frag.h"
#include "texture.frag.h"

namespace vktest {
namespace {

using Pixel = std::array<uint8_t, 4>;

class Texture : public Render {
 protected:
  /// Draws the image over the whole target; uv = position * scale + offset.
  void sample(const Image& i, VkSampler s, VkImageView view, std::array<float, 4> scale_offset, Spirv fragment, int32_t number = 0) {
    const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    const VkDescriptorImageInfo ii{s, view ? view : i.view, VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr, &ii);
    const VkPipeline p = pipeline(SPIRV(full_vert), fragment, l);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
      PushConstants pc;
      std::copy(scale_offset.begin(), scale_offset.end(), pc.tint);
      pc.number = number;
      push(c, l, pc);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
  }
  Image sampled(VkFormat f, uint32_t w, uint32_t h, uint32_t levels = 1) {
    ImageOptions o;
    o.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    o.view = true;
    o.levels = levels;
    if (f == VK_FORMAT_D16_UNORM) o.aspects = VK_IMAGE_ASPECT_DEPTH_BIT;
    return image(f, w, h, o);
  }
  /// w x h pixels whose red is x and green is y.
  static std::vector<uint8_t> grid(uint32_t w, uint32_t h) {
    std::vector<uint8_t> v;
    for (uint32_t y = 0; y < h; ++y)
      for (uint32_t x = 0; x < w; ++x) v.insert(v.end(), {static_cast<uint8_t>(x * 10), static_cast<uint8_t>(y * 10), 77, 255});
    return v;
  }
};

/// Coordinates that count texels: the same picture as coordinates divided by the size, with both filters and at both kinds of edge. The
/// sizes are powers of two, so that dividing is exact.
TEST_F(Texture, UnnormalizedCoordinatesCountTexels) {
  make_pass();
  Image i = sampled(VK_FORMAT_R8G8B8A8_UNORM, 16, 8);
  write(i, grid(16, 8));
  for (const VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR})
    for (const VkSamplerAddressMode mode : {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER}) {
      VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
      si.magFilter = si.minFilter = filter;
      si.addressModeU = si.addressModeV = si.addressModeW = mode;
      si.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
      std::vector<Pixel> pictures[2];
      for (const VkBool32 unnormalized : {VK_FALSE, VK_TRUE}) {
        si.unnormalizedCoordinates = unnormalized;
        VkSampler s;
        VK_OK(vkCreateSampler(device, &si, nullptr, &s));
        // From two texels before the image to six behind it, a texel and a half a pixel.
        const float w = unnormalized ? 1 : 16, h = unnormalized ? 1 : 8;
        sample(i, s, VK_NULL_HANDLE, {24 / w, 16 / h, -2 / w, -2 / h}, SPIRV(texel_frag));
        for (uint32_t y = 0; y < kSize; ++y)
          for (uint32_t x = 0; x < kSize; ++x) pictures[unnormalized].push_back(at(x, y));
        vkDestroySampler(device, s, nullptr);
      }
      EXPECT_EQ(pictures[0], pictures[1]) << "filter " << filter << " mode " << mode;
      if (filter == VK_FILTER_NEAREST) {
        EXPECT_EQ(pictures[1][4 * kSize + 5], (Pixel{60, 20, 77, 255}));  // texel -2 + 5.5 * 1.5, -2 + 4.5
      }
    }
}

struct WrapCase {
  VkSamplerAddressMode mode;
  uint32_t width;
  int expected[16];  ///< texel column at target column x, -1 border, for uv running over [-1, 3)
};

TEST_F(Texture, AddressModesAlsoOfOddSizes) {
  const WrapCase cases[] = {
      {VK_SAMPLER_ADDRESS_MODE_REPEAT, 4, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
      {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, 4, {3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3}},
      {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, 4, {0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3}},
      {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, 4, {-1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1}},
      {VK_SAMPLER_ADDRESS_MODE_REPEAT, 3, {0, 1, 1, 2, 0, 1, 1, 2, 0, 1, 1, 2, 0, 1, 1, 2}},
      {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, 3, {2, 1, 1, 0, 0, 1, 1, 2, 2, 1, 1, 0, 0, 1, 1, 2}},
  };
  make_pass();
  for (const WrapCase& w : cases) {
    Image i = sampled(VK_FORMAT_R8G8B8A8_UNORM, w.width, 4);
    write(i, grid(w.width, 4));
    sample(i, sampler(VK_FILTER_NEAREST, w.mode), VK_NULL_HANDLE, {4, 1, -1, 0}, SPIRV(texture_frag));
    for (uint32_t x = 0; x < kSize; ++x) {
      // Three texels over four pixels: the second pixel's centre lies at 1.125 texels, the third's at 1.875.
      const Pixel want = w.expected[x] < 0 ? Pixel{255, 255, 255, 255} : Pixel{static_cast<uint8_t>(w.expected[x] * 10), 20, 77, 255};
      ASSERT_EQ(at(x, 9), want) << "mode " << w.mode << " width " << w.width << " column " << x;
    }
  }
}

TEST_F(Texture, ViewsSwizzleAndChooseLevels) {
  make_pass();
  Image i = sampled(VK_FORMAT_R8G8B8A8_UNORM, 12, 12, 3);
  write(i, grid(12, 12), 0);
  write(i, std::vector<uint8_t>(6 * 6 * 4, 60), 1);
  write(i, grid(3, 3), 2);
  VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  vi.image = i.handle;
  vi.viewType = VK_IMAGE_VIEW_TYPE_2D;
  vi.format = i.format;
  vi.components = {VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ZERO};
  vi.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 0, 1};
  VkImageView v;
  VK_OK(vkCreateImageView(device, &vi, nullptr, &v));
  sample(i, sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), v, {1, 1, 0, 0}, SPIRV(texture_frag));
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const auto texel = [](uint32_t p) { return static_cast<uint8_t>((2 * p + 1) * 3 / 32 * 10); };
      ASSERT_EQ(at(x, y), (Pixel{texel(y), 255, texel(x), 0})) << x << "," << y;
    }
  vkDestroyImageView(device, v, nullptr);
}

TEST_F(Texture, LinearFilterBlendsNeighbours) {
  make_pass();
  Image i = sampled(VK_FORMAT_R8_UNORM, 2, 1);
  write(i, {0, 255});
  sample(i, sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), VK_NULL_HANDLE, {1, 1, 0, 0}, SPIRV(texture_frag));
  for (uint32_t x = 0; x < kSize; ++x) {
    const double u = (x + 0.5) / kSize * 2 - 0.5, want = std::min(1.0, std::max(0.0, u)) * 255;
    ASSERT_NEAR(at(x, 3)[0], want, 1.5) << x;
  }
}

/// Columns of one texel, squeezed 8:1 in the other direction: isotropic filtering takes a coarse, grey level; anisotropic filtering keeps
/// them.
TEST_F(Texture, AnisotropyKeepsTheSharpDirection) {
  make_pass();
  Image i = sampled(VK_FORMAT_R8G8B8A8_UNORM, 128, 128, 8);
  for (uint32_t l = 0; l < 8; ++l) {
    const uint32_t side = 128 >> l;
    std::vector<uint8_t> v(side * side * 4, 128);
    if (l == 0)
      for (uint32_t p = 0; p < side * side; ++p) v[p * 4] = p & 1 ? 255 : 0;
    write(i, v, l);
  }
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  EXPECT_EQ(properties.limits.maxSamplerAnisotropy, 16.0f);
  for (const float limit : {1.0f, 8.0f, 16.0f}) {
    VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    si.magFilter = si.minFilter = VK_FILTER_LINEAR;
    si.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    si.anisotropyEnable = VK_TRUE;
    si.maxAnisotropy = limit;
    si.maxLod = 16;
    VkSampler s;
    VK_OK(vkCreateSampler(device, &si, nullptr, &s));
    sample(i, s, VK_NULL_HANDLE, {16.0f / 128, 1, 0, 0}, SPIRV(texture_frag));
    for (uint32_t x = 0; x < kSize; ++x) ASSERT_NEAR(at(x, 5)[0], limit == 1 ? 128 : x & 1 ? 255 : 0, 2) << limit << " column " << x;
    vkDestroySampler(device, s, nullptr);
  }
}

TEST_F(Texture, DepthComparison) {
  make_pass();
  Image i = sampled(VK_FORMAT_D16_UNORM, 16, 16);
  std::vector<uint8_t> z(512);
  for (uint32_t p = 0; p < 256; ++p) {
    const uint16_t v = p % 16 < 8 ? 0x4000 : 0xC000;
    std::memcpy(&z[p * 2], &v, 2);
  }
  write(i, z);
  for (VkCompareOp op : {VK_COMPARE_OP_LESS, VK_COMPARE_OP_GREATER}) {  // 0.5 against 0.25 and 0.75
    sample(i, sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, op), VK_NULL_HANDLE, {1, 1, 0, 0}, SPIRV(shadow_frag));
    EXPECT_EQ(at(3, 3)[0], op == VK_COMPARE_OP_LESS ? 0 : 255);
    EXPECT_EQ(at(12, 3)[0], op == VK_COMPARE_OP_LESS ? 255 : 0);
  }
}

/// Texel index under an address mode, -1 the border.
int wrapped(VkSamplerAddressMode mode, int i, int size) {
  switch (mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT: return (i % size + size) % size;
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: {
      const int m = (i % (2 * size) + 2 * size) % (2 * size);
      return m < size ? m : 2 * size - 1 - m;
    }
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE: return std::min(std::max(i, 0), size - 1);
    default: return i < 0 || i >= size ? -1 : i;
  }
}

TEST_F(Texture, GatherPicksTheFilterFootprint) {
  make_pass();
  for (int size : {4, 3}) {
    Image i = sampled(VK_FORMAT_R8G8B8A8_UNORM, size, size);
    write(i, grid(size, size));
    for (VkSamplerAddressMode mode : {VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER}) {
      for (VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR}) {
        for (int number : {0, 1}) {
          sample(i, sampler(filter, mode), VK_NULL_HANDLE, {3, 3, -1, -1}, SPIRV(gather_frag), number);
          for (int y = 0; y < int(kSize); ++y)
            for (int x = 0; x < int(kSize); ++x) {
              const auto corner = [&](int v) { return int(std::floor(((v + 0.5) / kSize * 3 - 1) * size - 0.5)); };
              const int i0 = corner(x) + number, j0 = corner(y) - 2 * number;
              Pixel want;
              const int step[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
              for (int k = 0; k < 4; ++k) {
                const int tx = wrapped(mode, i0 + step[k][0], size), ty = wrapped(mode, j0 + step[k][1], size);
                want[k] = static_cast<uint8_t>(tx < 0 || ty < 0 ? 255 : (number ? ty : tx) * 10);
              }
              ASSERT_EQ(at(x, y), want) << "size " << size << " mode " << mode << " filter " << filter << " number " << number << " at "
                                        << x << "," << y;
            }
        }
      }
    }
  }
}

TEST_F(Texture, OffsetsWithAnImplicitLevel) {
  make_pass();
  Image i = sampled(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, 2);
  write(i, grid(16, 16));
  write(i, std::vector<uint8_t>(8 * 8 * 4, 200), 1);
  const VkSampler s = sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
  VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  vi.image = i.handle;
  vi.viewType = VK_IMAGE_VIEW_TYPE_2D;
  vi.format = i.format;
  vi.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkImageView one_level;
  VK_OK(vkCreateImageView(device, &vi, nullptr, &one_level));
  sample(i, s, one_level, {1, 1, 0, 0}, SPIRV(offset_frag));
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x)
      ASSERT_EQ(at(x, y), (Pixel{static_cast<uint8_t>((x + 1) % 16 * 10), static_cast<uint8_t>((y + 14) % 16 * 10), 77, 255}))
          << x << "," << y;
  // With levels to choose from the program cannot know what a texel is: the draw is reported and left out.
  sample(i, s, VK_NULL_HANDLE, {1, 1, 0, 0}, SPIRV(offset_frag));
  EXPECT_EQ(count({0, 0, 0, 0}), kSize * kSize);
  vkDestroyImageView(device, one_level, nullptr);
}

TEST_F(Texture, SeparateImagesAndSamplersPairAtTheirUse) {
  make_pass();
  Image images[2] = {sampled(VK_FORMAT_R8G8B8A8_UNORM, 4, 4), sampled(VK_FORMAT_R8G8B8A8_UNORM, 3, 3)};
  write(images[0], grid(4, 4));
  write(images[1], grid(3, 3));
  const VkSampler repeat = sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT),
                  clamp = sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
  std::vector<Slot> slots;
  for (uint32_t e = 0; e < 2; ++e) {
    slots.push_back({VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, e, {VK_NULL_HANDLE, images[e].view, VK_IMAGE_LAYOUT_GENERAL}, {}});
    slots.push_back({VK_DESCRIPTOR_TYPE_SAMPLER, 3, e, {e ? clamp : repeat, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED}, {}});
  }
  const VkPipelineLayout l = layout(slots);
  const VkDescriptorSet set = set_of(slots);
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(separate_frag), l);
  for (int32_t number = -1; number < 4; ++number) {
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
      PushConstants pc;
      pc.number = number;
      push(c, l, pc);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        const bool second = number < 0 ? x >= 8 : number % 2 == 1, clamped = number < 0 ? y >= 8 : number >= 2;
        const uint32_t size = second ? 3 : 4;
        const auto texel = [&](uint32_t v) { return static_cast<uint8_t>((2 * v + 1) % kSize * size / kSize * 10); };
        // uv * 2 leaves [0, 1) in the second half of each direction.
        const Pixel want = clamped && (x >= 8 || y >= 8) ? Pixel{255, 255, 255, 255} : Pixel{texel(x), texel(y), 77, 255};
        ASSERT_EQ(at(x, y), want) << number << " at " << x << "," << y;
      }
  }
}

struct BlockCase {
  const char* name;
  VkFormat format;
  std::vector<uint8_t> block;
  Pixel texel[4];  ///< of every row
};

TEST_F(Texture, BlockCompression) {
  // Colours red (code 0) and blue (code 1); every row has the codes 0, 1, 2, 3.
  const std::vector<uint8_t> four = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0xE4, 0xE4, 0xE4},
                             three = {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0xE4, 0xE4, 0xE4};
  // 255 and 0 with the codes 0, 1, 2, 7 in every row; the other half falls from 100 to 200 in five steps, codes 0, 1, 6, 7.
  const std::vector<uint8_t> eight = {255, 0, 0x88, 0x8E, 0xE8, 0x88, 0x8E, 0xE8}, six = {100, 200, 0x88, 0x8F, 0xF8, 0x88, 0x8F, 0xF8};
  const auto joined = [](std::vector<uint8_t> a, const std::vector<uint8_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const std::vector<uint8_t> nibbles = {0x10, 0xF7, 0x10, 0xF7, 0x10, 0xF7, 0x10, 0xF7};
  std::vector<uint8_t> snorm = eight;
  snorm[0] = 127, snorm[1] = 0x81;  // 1 and -1, which the target clamps to 0; code 7 is -0.71
  const BlockCase cases[] = {
      {"BC1 four colours",
       VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
       four,
       {{255, 0, 0, 255}, {0, 0, 255, 255}, {170, 0, 85, 255}, {85, 0, 170, 255}}},
      {"BC1 three colours", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, three, {{0, 0, 255, 255}, {255, 0, 0, 255}, {127, 0, 127, 255}, {0, 0, 0, 0}}},
      {"BC1 without alpha", VK_FORMAT_BC1_RGB_UNORM_BLOCK, three, {{0, 0, 255, 255}, {255, 0, 0, 255}, {127, 0, 127, 255}, {0, 0, 0, 255}}},
      {"BC1 sRGB", VK_FORMAT_BC1_RGBA_SRGB_BLOCK, four, {{255, 0, 0, 255}, {0, 0, 255, 255}, {103, 0, 23, 255}, {23, 0, 103, 255}}},
      {"BC2", VK_FORMAT_BC2_UNORM_BLOCK, joined(nibbles, four), {{255, 0, 0, 0}, {0, 0, 255, 17}, {170, 0, 85, 119}, {85, 0, 170, 255}}},
      {"BC3", VK_FORMAT_BC3_UNORM_BLOCK, joined(eight, four), {{255, 0, 0, 255}, {0, 0, 255, 0}, {170, 0, 85, 218}, {85, 0, 170, 36}}},
      {"BC3 colours never in threes",
       VK_FORMAT_BC3_UNORM_BLOCK,
       joined(six, three),
       {{0, 0, 255, 100}, {255, 0, 0, 200}, {85, 0, 170, 0}, {170, 0, 85, 255}}},
      {"BC4", VK_FORMAT_BC4_UNORM_BLOCK, eight, {{255, 0, 0, 255}, {0, 0, 0, 255}, {218, 0, 0, 255}, {36, 0, 0, 255}}},
      {"BC4 signed", VK_FORMAT_BC4_SNORM_BLOCK, snorm, {{255, 0, 0, 255}, {0, 0, 0, 255}, {182, 0, 0, 255}, {0, 0, 0, 255}}},
      {"BC5", VK_FORMAT_BC5_UNORM_BLOCK, joined(six, eight), {{100, 255, 0, 255}, {200, 0, 0, 255}, {0, 218, 0, 255}, {255, 36, 0, 255}}},
  };
  make_pass();
  for (const BlockCase& b : cases) {
    // Two blocks beside each other; the right one is full of zeros.
    Image i = sampled(b.format, 8, 4);
    write(i, joined(b.block, std::vector<uint8_t>(b.block.size())));
    sample(i, sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), VK_NULL_HANDLE, {1, 1, 0, 0}, SPIRV(texture_frag));
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x)
        for (int c = 0; c < 4; ++c) {
          if (x >= 8 && c == 3) continue;
          ASSERT_NEAR(at(x, y)[c], x < 8 ? b.texel[x / 2][c] : 0, 1) << b.name << " component " << c << " at " << x << "," << y;
        }
  }
}

TEST_F(Texture, SrgbDecodesAndEncodes) {
  make_pass({VK_FORMAT_R8G8B8A8_SRGB});
  Image i = sampled(VK_FORMAT_R8G8B8A8_SRGB, 1, 1);
  write(i, {188, 40, 255, 128});
  sample(i, sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), VK_NULL_HANDLE, {1, 1, 0, 0}, SPIRV(texture_frag));
  const Pixel p = at(4, 4);
  EXPECT_NEAR(p[0], 188, 1);
  EXPECT_NEAR(p[1], 40, 1);
  EXPECT_EQ(p[2], 255);
  EXPECT_EQ(p[3], 128);
}

struct VertexCase {
  const char* name;
  VkFormat format;
  std::vector<uint8_t> bytes;
  uint32_t offset, stride;  ///< odd ones make the driver rewrite the vertices
  int kind;                 ///< 0 float, 1 uint, 2 int shader
  std::array<float, 4> value;
};

TEST_F(Texture, VertexFormats) {
  const VertexCase cases[] = {
      {"unorm8", VK_FORMAT_R8G8B8A8_UNORM, {255, 0, 128, 51}, 0, 4, 0, {1, 0, 128 / 255.f, 0.2f}},
      {"bgra8", VK_FORMAT_B8G8R8A8_UNORM, {255, 0, 128, 51}, 0, 4, 0, {128 / 255.f, 0, 1, 0.2f}},
      {"snorm8", VK_FORMAT_R8G8_SNORM, {127, 0x80}, 0, 4, 0, {1, -1, 0, 1}},
      {"one byte", VK_FORMAT_R8_UNORM, {51}, 3, 5, 0, {0.2f, 0, 0, 1}},
      {"unaligned unorm8", VK_FORMAT_R8G8B8A8_UNORM, {255, 0, 128, 51}, 1, 7, 0, {1, 0, 128 / 255.f, 0.2f}},
      {"uint8", VK_FORMAT_R8G8B8A8_UINT, {255, 1, 2, 3}, 0, 4, 1, {255, 1, 2, 3}},
      {"sint16", VK_FORMAT_R16G16_SINT, {0xFE, 0xFF, 0x10, 0x27}, 0, 4, 2, {-2, 10000, 0, 1}},
      {"uint32", VK_FORMAT_R32G32_UINT, {0xA0, 0x86, 1, 0, 7, 0, 0, 0}, 0, 8, 1, {100000, 7, 0, 1}},
      {"sint32", VK_FORMAT_R32_SINT, {0xFF, 0xFF, 0xFF, 0xFF}, 0, 4, 2, {-1, 0, 0, 1}},
      {"uscaled16", VK_FORMAT_R16G16B16A16_USCALED, {1, 0, 2, 0, 3, 0, 0xFF, 0xFF}, 0, 8, 0, {1, 2, 3, 65535}},
      {"half", VK_FORMAT_R16G16_SFLOAT, {0x00, 0x3C, 0x00, 0xC0}, 0, 4, 0, {1, -2, 0, 1}},
      {"float3", VK_FORMAT_R32G32B32_SFLOAT, {0, 0, 0x80, 0x3F, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40}, 0, 12, 0, {1, 2, 3, 1}},
      {"2:10:10:10", VK_FORMAT_A2B10G10R10_UNORM_PACK32, {0xFF, 0x03, 0x00, 0x40}, 0, 4, 0, {1, 0, 0, 1 / 3.f}},
      {"wide stride", VK_FORMAT_R32_SFLOAT, {0, 0, 0x20, 0x41}, 4, 1024, 0, {10, 0, 0, 1}},
  };
  make_pass({VK_FORMAT_R32G32B32A32_SFLOAT});
  for (const VertexCase& v : cases) {
    Buffer b = buffer(4096, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (uint32_t i = 0; i < 3; ++i) std::memcpy(b.map + v.offset + i * v.stride, v.bytes.data(), v.bytes.size());
    PipelineOptions o;
    o.bindings = {{0, v.stride, VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, v.format, v.offset}};
    const VkPipelineLayout l = layout();
    const VkPipeline p = pipeline(v.kind == 0   ? SPIRV(formats_vert)
                                  : v.kind == 1 ? SPIRV(formats_uint_vert)
                                                : SPIRV(formats_int_vert),
                                  SPIRV(formats_frag), l, o);
    run([&](VkCommandBuffer c) {
      begin(c);
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkDeviceSize zero = 0;
      vkCmdBindVertexBuffers(c, 0, 1, &b.handle, &zero);
      vkCmdDraw(c, 3, 1, 0, 0);
      vkCmdEndRenderPass(c);
    });
    const auto raw = read(color[0], 16);
    std::array<float, 4> got;
    std::memcpy(got.data(), &raw[(4 * kSize + 4) * 16], 16);
    for (int c = 0; c < 4; ++c) EXPECT_FLOAT_EQ(got[c], v.value[c]) << v.name << " component " << c;
  }
}

TEST_F(Texture, AnInputAttachmentIsWhatTheSubpassBeforeDrew) {
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  o.view = true;
  const Image first = image(VK_FORMAT_R8G8B8A8_UNORM, kSize, kSize, o);
  color = {image(VK_FORMAT_R8G8B8A8_UNORM, kSize, kSize, o)};
  VkAttachmentDescription a[2] = {};
  for (auto& x : a) {
    x.format = VK_FORMAT_R8G8B8A8_UNORM;
    x.samples = VK_SAMPLE_COUNT_1_BIT;
    x.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    x.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  const VkAttachmentReference r0{0, VK_IMAGE_LAYOUT_GENERAL}, r1{1, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription s[2] = {};
  s[0].colorAttachmentCount = 1;
  s[0].pColorAttachments = &r0;
  s[1].colorAttachmentCount = 1;
  s[1].pColorAttachments = &r1;
  s[1].inputAttachmentCount = 1;
  s[1].pInputAttachments = &r0;
  VkSubpassDependency d{0,
                        1,
                        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                        VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                        VK_DEPENDENCY_BY_REGION_BIT};
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  ri.attachmentCount = 2;
  ri.pAttachments = a;
  ri.subpassCount = 2;
  ri.pSubpasses = s;
  ri.dependencyCount = 1;
  ri.pDependencies = &d;
  VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
  clear_count = 2;
  const VkImageView views[2] = {first.view, color[0].view};
  VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  fi.renderPass = pass;
  fi.attachmentCount = 2;
  fi.pAttachments = views;
  fi.width = fi.height = kSize;
  fi.layers = 1;
  VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
  const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT);
  const VkDescriptorImageInfo ii{VK_NULL_HANDLE, first.view, VK_IMAGE_LAYOUT_GENERAL};
  const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, nullptr, &ii);
  PipelineOptions po;
  po.subpass = 1;
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(input_frag), l, po);
  run([&](VkCommandBuffer c) {
    begin(c, {0, 0, 1, 1});  // both attachments
    VkClearAttachment ca{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    ca.clearValue.color = {{1, 1, 0, 0}};
    const VkClearRect rect{{{0, 0}, {8, 16}}, 0, 1};
    vkCmdClearAttachments(c, 1, &ca, 1, &rect);
    vkCmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
    push(c, l);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRenderPass(c);
  });
  picture();
  EXPECT_EQ(at(3, 5), (Pixel{0, 0, 255, 255}));
  EXPECT_EQ(at(12, 5), (Pixel{255, 255, 0, 0}));
  vkDestroyFramebuffer(device, framebuffer, nullptr);
  vkDestroyRenderPass(device, pass, nullptr);
}

}  // namespace
}  // namespace vktest
