// SPDX-License-Identifier: MIT
/// r5x: VK_KHR_copy_commands2 and VK_KHR_format_feature_flags2.
#include <cstring>
#include <numeric>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Copy2 : public Vk {
 protected:
  Copy2() {
    api_version = VK_API_VERSION_1_1;
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    device_extensions = {VK_KHR_COPY_COMMANDS_2_EXTENSION_NAME, VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME};
  }
};

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageSubresourceLayers kColor{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

TEST_F(Copy2, BytesGoRoundThroughBuffersAndImages) {
  Buffer from = buffer(64), middle = buffer(80), to = buffer(64);
  std::iota(from.map, from.map + 64, uint8_t{1});
  const Image a = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4), b = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4),
              c2 = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4);
  VkBufferCopy2 bytes{VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 0, 16, 64};
  VkCopyBufferInfo2 buffers{VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, from.handle, middle.handle, 1, &bytes};
  VkBufferImageCopy2 whole{VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2, nullptr, 16, 0, 0, kColor, {}, {4, 4, 1}}, back = whole;
  back.bufferOffset = 0;
  VkCopyBufferToImageInfo2 up{VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2, nullptr, middle.handle, a.handle, kGeneral, 1, &whole};
  // The halves change places.
  VkImageCopy2 halves[2] = {{VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, kColor, {0, 0, 0}, kColor, {0, 2, 0}, {4, 2, 1}},
                            {VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, kColor, {0, 2, 0}, kColor, {0, 0, 0}, {4, 2, 1}}};
  VkCopyImageInfo2 across{VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2, nullptr, a.handle, kGeneral, b.handle, kGeneral, 2, halves};
  // Upside down.
  VkImageBlit2 flip{VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, kColor, {{0, 0, 0}, {4, 4, 1}}, kColor, {{0, 4, 0}, {4, 0, 1}}};
  VkBlitImageInfo2 blit{VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2, nullptr, b.handle, kGeneral, c2.handle, kGeneral, 1, &flip, VK_FILTER_NEAREST};
  VkCopyImageToBufferInfo2 down{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2, nullptr, c2.handle, kGeneral, to.handle, 1, &back};
  const auto barrier = [](VkCommandBuffer c) {
    VkMemoryBarrier m{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &m, 0, nullptr, 0, nullptr);
  };
  run([&](VkCommandBuffer c) {
    vkCmdCopyBuffer2KHR(c, &buffers);
    barrier(c);
    vkCmdCopyBufferToImage2KHR(c, &up);
    barrier(c);
    vkCmdCopyImage2KHR(c, &across);
    barrier(c);
    vkCmdBlitImage2KHR(c, &blit);
    barrier(c);
    vkCmdCopyImageToBuffer2KHR(c, &down);
  });
  constexpr int kRows[4] = {1, 0, 3, 2};  // of the source: halves changed, then upside down
  for (int y = 0; y < 4; ++y) EXPECT_EQ(0, std::memcmp(to.map + y * 16, from.map + kRows[y] * 16, 16)) << "row " << y;
}

TEST_F(Copy2, ResolvesAverage) {
  ImageOptions o;
  o.samples = VK_SAMPLE_COUNT_4_BIT;
  o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  const Image many = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, o), one = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4);
  const VkImageResolve2 r{VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, kColor, {}, kColor, {}, {4, 4, 1}};
  const VkResolveImageInfo2 info{VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2, nullptr, many.handle, kGeneral, one.handle, kGeneral, 1, &r};
  const VkClearColorValue value{{1, 0, 1, 1}};
  const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  run([&](VkCommandBuffer c) {
    vkCmdClearColorImage(c, many.handle, kGeneral, &value, 1, &range);
    VkMemoryBarrier m{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &m, 0, nullptr, 0, nullptr);
    vkCmdResolveImage2KHR(c, &info);
  });
  const std::vector<uint8_t> pixels = read(one, 4);
  EXPECT_EQ((std::vector<uint8_t>{255, 0, 255, 255}), std::vector<uint8_t>(pixels.end() - 4, pixels.end()));
}

TEST_F(Copy2, WideFeaturesHaveTheNarrowOnesAndTheirOwn) {
  const auto of = [&](VkFormat f, VkFormatProperties& narrow) {
    VkFormatProperties3 wide{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 p{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &wide};
    vkGetPhysicalDeviceFormatProperties2KHR(physical, f, &p);
    narrow = p.formatProperties;
    return wide;
  };
  constexpr VkFormatFeatureFlags2 kNarrow = 0x7FFFFFFF;  // the last of 32 bits is a feature of the wide ones only
  VkFormatProperties narrow;
  for (const VkFormat f : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_R64_SFLOAT}) {
    const VkFormatProperties3 wide = of(f, narrow);
    EXPECT_EQ(narrow.optimalTilingFeatures, wide.optimalTilingFeatures & kNarrow);
    EXPECT_EQ(narrow.linearTilingFeatures, wide.linearTilingFeatures & kNarrow);
    EXPECT_EQ(narrow.bufferFeatures, wide.bufferFeatures & kNarrow);
  }
  constexpr VkFormatFeatureFlags2 kStorage =
      VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT | VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
  EXPECT_EQ(kStorage, of(VK_FORMAT_R32_SFLOAT, narrow).optimalTilingFeatures & kStorage);
  EXPECT_EQ(0u, of(VK_FORMAT_BC1_RGB_UNORM_BLOCK, narrow).optimalTilingFeatures & kStorage);
  EXPECT_NE(0u, of(VK_FORMAT_D32_SFLOAT, narrow).optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT);
  EXPECT_EQ(0u, of(VK_FORMAT_R32_SFLOAT, narrow).optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT);
}

}  // namespace
}  // namespace vktest
