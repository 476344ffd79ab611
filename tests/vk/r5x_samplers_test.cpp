// SPDX-License-Identifier: MIT
/// r5x: extensions of samplers: VK_EXT_custom_border_color, VK_EXT_border_color_swizzle, VK_EXT_sampler_filter_minmax,
/// VK_EXT_non_seamless_cube_map.
#include "cube.frag.h"
#include "full.vert.h"
#include "separate.frag.h"
#include "tests/vk/colored_fixture.h"
#include "texture.frag.h"

namespace vktest {
namespace {

class Samplers : public Colored {
 protected:
  Samplers() {
    device_extensions = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME,
                         VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME};
    border_.customBorderColors = border_.customBorderColorWithoutFormat = VK_TRUE;
    swizzle_.borderColorSwizzle = swizzle_.borderColorSwizzleFromImage = seams_.nonSeamlessCubeMap = VK_TRUE;
    device_next = &border_;
  }

  static VkSamplerCreateInfo info(VkFilter filter, VkSamplerAddressMode mode) {
    VkSamplerCreateInfo i{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    i.magFilter = i.minFilter = filter;
    i.addressModeU = i.addressModeV = i.addressModeW = mode;
    i.maxLod = VK_LOD_CLAMP_NONE;
    return i;
  }
  VkSampler made(const VkSamplerCreateInfo& i) {
    VkSampler s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateSampler(device, &i, nullptr, &s));
    defer([this, s] { vkDestroySampler(device, s, nullptr); });
    return s;
  }
  VkSampler with_border(std::array<float, 4> of, VkFormat format = VK_FORMAT_UNDEFINED) {
    VkSamplerCustomBorderColorCreateInfoEXT own{VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT};
    std::memcpy(own.customBorderColor.float32, of.data(), 16);
    own.format = format;
    VkSamplerCreateInfo i = info(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
    i.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    i.pNext = &own;
    return made(i);
  }
  Image texture(VkFormat format, uint32_t size, const std::vector<uint8_t>& bytes) {
    ImageOptions o;
    o.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    o.view = true;
    const Image i = image(format, size, size, o);
    write(i, bytes);
    return i;
  }
  VkImageView view(const Image& of, VkComponentMapping swizzle) {
    VkImageViewCreateInfo i{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    i.image = of.handle, i.viewType = VK_IMAGE_VIEW_TYPE_2D, i.format = of.format, i.components = swizzle;
    i.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageView v = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateImageView(device, &i, nullptr, &v));
    defer([this, v] { vkDestroyImageView(device, v, nullptr); });
    return v;
  }
  /// What a lookup at one place gives.
  Pixel lookup(VkImageView v, VkSampler s, std::array<float, 3> place, Spirv fragment) {
    const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    const VkDescriptorImageInfo i{s, v, VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr, &i);
    const VkPipeline p = pipeline(SPIRV(full_vert), fragment, l);
    PushConstants push_constants;
    const bool cube = fragment.words == cube_frag;
    push_constants.tint[0] = cube ? place[0] : 0, push_constants.tint[1] = cube ? place[1] : 0;
    push_constants.tint[2] = cube ? place[2] : place[0], push_constants.tint[3] = place[1];
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
      push(c, l, push_constants);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    EXPECT_EQ(count(at(0, 0)), kSize * kSize);
    return at(0, 0);
  }
  Pixel lookup(VkImageView v, VkSampler s, float x, float y) { return lookup(v, s, {x, y, 0}, SPIRV(texture_frag)); }

 private:
  VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT seams_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT};
  VkPhysicalDeviceBorderColorSwizzleFeaturesEXT swizzle_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT, &seams_};
  VkPhysicalDeviceCustomBorderColorFeaturesEXT border_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT, &swizzle_};
};

TEST_F(Samplers, Limits) {
  VkPhysicalDeviceCustomBorderColorPropertiesEXT border{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
  VkPhysicalDeviceSamplerFilterMinmaxProperties minmax{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES, &border};
  VkPhysicalDeviceProperties2 p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &minmax};
  vkGetPhysicalDeviceProperties2(physical, &p);
  EXPECT_EQ(border.maxCustomBorderColorSamplers, p.properties.limits.maxSamplerAllocationCount);
  EXPECT_TRUE(minmax.filterMinmaxSingleComponentFormats && minmax.filterMinmaxImageComponentMapping);
  for (const VkFormat f : {VK_FORMAT_R8_UNORM, VK_FORMAT_R16_SFLOAT, VK_FORMAT_D16_UNORM, VK_FORMAT_R8G8B8A8_SRGB}) {
    VkFormatProperties of;
    vkGetPhysicalDeviceFormatProperties(physical, f, &of);
    EXPECT_TRUE(of.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT) << f;
  }
}

TEST_F(Samplers, BorderColorsOfOnesOwn) {
  make_pass();
  const std::vector<uint8_t> bytes(64, 255);
  const Image t = texture(VK_FORMAT_R8G8B8A8_UNORM, 4, bytes);
  const VkSampler s = with_border({0.2f, 0.4f, 0.6f, 0.8f}), other = with_border({1, 0, 2, -1}, VK_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(lookup(t.view, s, 0.5f, 0.5f), kWhitePixel);
  EXPECT_EQ(lookup(t.view, s, 1.5f, 0.5f), (Pixel{51, 102, 153, 204}));
  EXPECT_EQ(lookup(t.view, other, 0.5f, -0.5f), (Pixel{255, 0, 255, 0}));  // limited to what the format holds
  // The view's swizzle concerns it, and what the format lacks is 0, 0, 1.
  constexpr VkComponentMapping kTurned{VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G};
  EXPECT_EQ(lookup(view(t, kTurned), s, 1.5f, 0.5f), (Pixel{153, 255, 51, 102}));
  const Image two = texture(VK_FORMAT_R8G8_UNORM, 4, std::vector<uint8_t>(32, 255));
  EXPECT_EQ(lookup(two.view, s, 1.5f, 0.5f), (Pixel{51, 102, 0, 255}));
  // sRGB formats have linear border colours.
  const Image srgb = texture(VK_FORMAT_R8G8B8A8_SRGB, 4, bytes);
  EXPECT_EQ(lookup(srgb.view, s, 1.5f, 0.5f), (Pixel{51, 102, 153, 204}));
}

/// Samplers apart from images, one beside the other, and immutable ones.
TEST_F(Samplers, BorderColorsInEveryKindOfDescriptor) {
  make_pass();
  const Image t = texture(VK_FORMAT_R8G8B8A8_UNORM, 4, std::vector<uint8_t>(64, 255));
  const VkSampler first = with_border({0.2f, 0.4f, 0.6f, 0.8f}), second = with_border({1, 0.2f, 0, 1});
  std::vector<Slot> slots;
  for (uint32_t i = 0; i < 2; ++i)
    slots.push_back({VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, i, {VK_NULL_HANDLE, t.view, VK_IMAGE_LAYOUT_GENERAL}});
  slots.push_back({VK_DESCRIPTOR_TYPE_SAMPLER, 3, 0, {first, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED}});
  slots.push_back({VK_DESCRIPTOR_TYPE_SAMPLER, 3, 1, {second, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED}});
  const VkPipelineLayout l = layout(slots);
  const VkDescriptorSet set = set_of(slots);
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(separate_frag), l);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
    PushConstants number;
    number.number = -1;
    push(c, l, number);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  EXPECT_EQ(at(3, 3), kWhitePixel);
  EXPECT_EQ(at(12, 3), (Pixel{51, 102, 153, 204}));
  EXPECT_EQ(at(3, 12), (Pixel{255, 51, 0, 255}));
  EXPECT_EQ(at(12, 12), (Pixel{255, 51, 0, 255}));
}

TEST_F(Samplers, MinimumAndMaximum) {
  make_pass();
  std::vector<uint8_t> bytes(64);
  for (size_t i = 0; i < 16; ++i) bytes[4 * i] = static_cast<uint8_t>(10 * i), bytes[4 * i + 1] = static_cast<uint8_t>(200 - 10 * i);
  const Image t = texture(VK_FORMAT_R8G8B8A8_UNORM, 4, bytes);
  const auto with = [&](VkSamplerReductionMode mode) {
    VkSamplerReductionModeCreateInfo r{VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, nullptr, mode};
    VkSamplerCreateInfo i = info(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
    i.pNext = &r;
    return made(i);
  };
  // Between texels 1, 2 of rows 1, 2: 50 and 60, 90 and 100.
  EXPECT_EQ(lookup(t.view, with(VK_SAMPLER_REDUCTION_MODE_MIN), 0.5f, 0.5f), (Pixel{50, 100, 0, 0}));
  EXPECT_EQ(lookup(t.view, with(VK_SAMPLER_REDUCTION_MODE_MAX), 0.5f, 0.5f), (Pixel{100, 150, 0, 0}));
  EXPECT_EQ(lookup(t.view, with(VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE), 0.5f, 0.5f), (Pixel{75, 125, 0, 0}));
  // In the middle of a texel its neighbours have no weight.
  EXPECT_EQ(lookup(t.view, with(VK_SAMPLER_REDUCTION_MODE_MAX), 0.375f, 0.375f), (Pixel{50, 150, 0, 0}));
}

TEST_F(Samplers, CubesWithSeams) {
  make_pass();
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  o.cube = o.view = true;
  const Image t = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, o);
  // Each face has its own colour; the first column of +x another one.
  const Buffer from = buffer(6 * 64);
  for (uint32_t face = 0; face < 6; ++face)
    for (uint32_t n = 0; n < 16; ++n) {
      const uint8_t texel[4] = {static_cast<uint8_t>(face == 0 && n % 4 == 0 ? 200 : 20 * (face + 1)), 0, 0, 255};
      std::memcpy(from.map + 64 * face + 4 * n, texel, 4);
    }
  run([&](VkCommandBuffer c) {
    VkBufferImageCopy copy{};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 6};
    copy.imageExtent = {4, 4, 1};
    vkCmdCopyBufferToImage(c, from.handle, t.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  });
  const auto red = [&](bool seams, VkSamplerAddressMode mode) {
    VkSamplerCreateInfo i = info(VK_FILTER_LINEAR, mode);
    if (seams) i.flags = VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    i.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
    return lookup(t.view, made(i), {1, -0.25f, 0.9999f}, SPIRV(cube_frag))[0];  // +x, at its edge towards +z
  };
  EXPECT_EQ(red(true, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), 200);
  EXPECT_EQ(red(true, VK_SAMPLER_ADDRESS_MODE_REPEAT), 110);           // and the last column, 20
  EXPECT_EQ(red(true, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER), 100);  // and the border
  EXPECT_EQ(red(false, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), 150);   // and face +z, 100
}

}  // namespace
}  // namespace vktest
