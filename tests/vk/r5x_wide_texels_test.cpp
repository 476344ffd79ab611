// SPDX-License-Identifier: MIT
/// r5x: VK_EXT_shader_image_atomic_int64, images and texel buffers of 64-bit integers.
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "tests/vk/compute_fixture.h"
#include "wide_elements.comp.h"
#include "wide_texels.comp.h"

namespace vktest {
namespace {

constexpr VkFormat kFormats[] = {VK_FORMAT_R64_UINT, VK_FORMAT_R64_SINT};

class WideTexels : public ComputeFixture {
 protected:
  WideTexels() {
    api_version = VK_API_VERSION_1_1;
    device_extensions = {VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME, VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME};
    images_.shaderImageInt64Atomics = buffers_.shaderBufferInt64Atomics = VK_TRUE;
    device_next = &images_;
  }
  Buffer of_64(const std::vector<uint64_t>& numbers, VkBufferUsageFlags usage) {
    const Buffer b = buffer(numbers.size() * sizeof(uint64_t), usage);
    std::memcpy(b.map, numbers.data(), numbers.size() * sizeof(uint64_t));
    return b;
  }

 private:
  VkPhysicalDeviceShaderAtomicInt64Features buffers_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES};
  VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT images_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT,
                                                            &buffers_};
};

/// `code` with images of R64ui in one dimension that are read as uniform texel buffers.
std::vector<uint32_t> with_uniform_texels(Spirv code) {
  enum : uint32_t { kTypeImage = 25, kLoad = 61, kFetch = 95, kRead = 98, kBuffer = 5, kR64ui = 40 };
  std::vector<uint32_t> words(code.words, code.words + code.bytes / 4);
  std::map<uint32_t, bool> found;
  constexpr size_t kHeader = 5;
  for (size_t at = kHeader; at < words.size(); at += words[at] >> 16) {
    uint32_t* const w = &words[at];
    const uint32_t op = w[0] & 0xFFFF;
    if (op == kTypeImage && w[3] == kBuffer && w[8] == kR64ui) w[7] = 1, w[8] = 0, found[w[1]] = true;
    if (op == kLoad && found.count(w[1])) found[w[2]] = true;
    if (op == kRead && found.count(w[3])) w[0] = (w[0] & ~0xFFFFu) | kFetch;
  }
  return words;
}

TEST_F(WideTexels, FormatsOfStorageAndTexelBuffers) {
  for (const VkFormat f : kFormats) {
    VkFormatProperties p;
    vkGetPhysicalDeviceFormatProperties(physical, f, &p);
    constexpr VkFormatFeatureFlags kImage = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT |
                                            VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    EXPECT_EQ(kImage, p.optimalTilingFeatures);
    EXPECT_EQ(kImage, p.linearTilingFeatures);
    EXPECT_EQ(VkFormatFeatureFlags{VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT |
                                   VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT},
              p.bufferFeatures);
    VkImageFormatProperties i;
    EXPECT_EQ(VK_SUCCESS, vkGetPhysicalDeviceImageFormatProperties(physical, f, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                                   VK_IMAGE_USAGE_STORAGE_BIT, 0, &i));
    VkPhysicalDeviceProperties device_is;
    vkGetPhysicalDeviceProperties(physical, &device_is);
    EXPECT_EQ(device_is.limits.storageImageSampleCounts, i.sampleCounts);
    EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED,
              vkGetPhysicalDeviceImageFormatProperties(physical, f, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT,
                                                       0, &i));
  }
}

TEST_F(WideTexels, ClearsWriteBothWords) {
  constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  for (const VkFormat f : kFormats) {
    const Image i = image(f, 5, 3, {.usage = kUsage});
    to_general(i.handle, VK_IMAGE_ASPECT_COLOR_BIT);
    run([&](VkCommandBuffer c) {
      VkClearColorValue clear{};
      clear.uint32[0] = 0x89ABCDEF, clear.uint32[1] = 0x81234567;
      const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      vkCmdClearColorImage(c, i.handle, VK_IMAGE_LAYOUT_GENERAL, &clear, 1, &all);
    });
    const std::vector<uint8_t> bytes = read(i, 8);
    for (size_t at = 0; at < bytes.size(); at += 8) {
      uint64_t texel;
      std::memcpy(&texel, &bytes[at], sizeof texel);
      EXPECT_EQ(0x8123456789ABCDEFu, texel) << at / 8;
    }
  }
}

TEST_F(WideTexels, AtomicsLoadsAndStores) {
  constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const Image target = image(VK_FORMAT_R64_UINT, 4, 2, {.usage = kUsage, .view = true});
  to_general(target.handle, VK_IMAGE_ASPECT_COLOR_BIT);
  const std::array<uint64_t, 8> first = {7, ~uint64_t{0}, 0, 0, 0, ~uint64_t{0}, 0, 0};
  std::vector<uint8_t> bytes(sizeof first);
  std::memcpy(bytes.data(), first.data(), sizeof first);
  Vk::write(target, bytes);

  const Buffer out = of_64(std::vector<uint64_t>(48), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer signed_ones = of_64({0, uint64_t(INT64_MIN), 1}, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  const Buffer given = of_64({1, 2, 0xFEDCBA9876543210}, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  const VkBufferView views[] = {buffer_view(signed_ones, VK_FORMAT_R64_SINT), buffer_view(given, VK_FORMAT_R64_UINT)};
  constexpr VkDescriptorType kTypes[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                         VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  std::vector<VkDescriptorPoolSize> sizes;
  for (uint32_t n = 0; n < std::size(kTypes); ++n) {
    bindings.push_back({n, kTypes[n], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    sizes.push_back({kTypes[n], 1});
  }
  const VkDescriptorSetLayout sl = set_layout(bindings);
  const VkPipelineLayout l = layout({sl});
  const std::vector<uint32_t> code = with_uniform_texels(SPIRV(wide_texels_comp));
  const VkPipeline p = pipeline({code.data(), code.size() * 4}, l);
  const VkDescriptorSet s = set(descriptor_pool(1, sizes), sl);
  write_buffers(s, 0, kTypes[0], {{out.handle, 0, VK_WHOLE_SIZE}});
  const VkDescriptorImageInfo info{VK_NULL_HANDLE, target.view, VK_IMAGE_LAYOUT_GENERAL};
  std::array<VkWriteDescriptorSet, 3> w = {write(s, 1, 0, kTypes[1], 1), write(s, 2, 0, kTypes[2], 1), write(s, 3, 0, kTypes[3], 1)};
  w[0].pImageInfo = &info, w[1].pTexelBufferView = &views[0], w[2].pTexelBufferView = &views[1];
  vkUpdateDescriptorSets(device, uint32_t(w.size()), w.data(), 0, nullptr);
  run([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
    vkCmdDispatch(c, 1, 1, 1);
  });

  constexpr uint64_t kFirst = 0xFFFFFFF0;
  uint64_t sum = 7, parity = 0, bits = 0, olds = 0, wanted = 0;
  int64_t chain = 1;
  const auto* const o = reinterpret_cast<const uint64_t*>(out.map);
  for (uint64_t n = 0; n < 32; ++n) {
    wanted += sum, olds += o[n];
    sum += n + kFirst, parity ^= n + kFirst, bits |= uint64_t{1} << 2 * n, chain = chain * 3 + 1;
  }
  EXPECT_EQ(wanted, olds);
  const std::vector<uint8_t> result = read(target, 8);
  std::array<uint64_t, 8> t;
  ASSERT_EQ(sizeof t, result.size());
  std::memcpy(t.data(), result.data(), sizeof t);
  EXPECT_EQ(sum, t[0]);
  EXPECT_EQ(kFirst << 8, t[1]);
  EXPECT_EQ((kFirst + 31) << 8, t[2]);
  EXPECT_EQ(0x123456789ABCDEF0u, t[3]);
  EXPECT_EQ(parity, t[4]);
  EXPECT_EQ(~bits, t[5]);
  EXPECT_EQ(kFirst * 0x100000001, t[6]);
  EXPECT_EQ((kFirst + 1) * 0x100000001, t[7]);
  const auto* const b = reinterpret_cast<const int64_t*>(signed_ones.map);
  EXPECT_EQ(-int64_t(kFirst + 31), b[0]);
  EXPECT_EQ(-int64_t(kFirst), b[1]);
  EXPECT_EQ(chain, b[2]);
  const std::array<uint64_t, 14> seen = {bits, 0, 0x123456789ABCDEF0, 0, 0, 1, 0, 1, 0xFEDCBA9876543210, 0, 1, 0, 1, 3};
  for (size_t n = 0; n < seen.size(); ++n) EXPECT_EQ(seen[n], o[32 + n]) << n;
}

TEST_F(WideTexels, ElementsOfUpToFourComponents) {
  constexpr VkFormat kRows[4][2] = {{VK_FORMAT_R64_UINT, VK_FORMAT_R64_SINT},
                                    {VK_FORMAT_R64G64_UINT, VK_FORMAT_R64G64_SINT},
                                    {VK_FORMAT_R64G64B64_UINT, VK_FORMAT_R64G64B64_SINT},
                                    {VK_FORMAT_R64G64B64A64_UINT, VK_FORMAT_R64G64B64A64_SINT}};
  constexpr uint32_t kReads = 5, kElements = 3;  // as the shader has them; of the reads two are outside
  constexpr VkDescriptorType kOut = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kIn = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  const Buffer out = of_64(std::vector<uint64_t>(4 * kReads + 1), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const VkDescriptorSetLayout sl =
      set_layout({{0, kOut, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}, {1, kIn, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  const std::vector<uint32_t> code = with_uniform_texels(SPIRV(wide_elements_comp));
  const VkPipeline p = pipeline({code.data(), code.size() * 4}, l);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kOut, 1}, {kIn, 1}}), sl);
  write_buffers(s, 0, kOut, {{out.handle, 0, VK_WHOLE_SIZE}});
  std::vector<uint64_t> numbers(4 * kElements + 4);
  for (size_t n = 0; n < numbers.size(); ++n) numbers[n] = 0xF123456700000000 * (n + 1) + n + 1;
  for (uint32_t comps = 1; comps <= 4; ++comps) {
    SCOPED_TRACE(comps);
    // Half an element behind the last counts for nothing.
    const VkDeviceSize bytes = comps * (kElements * sizeof(uint64_t) + sizeof(uint32_t));
    const Buffer given = buffer(bytes, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    std::memcpy(given.map, numbers.data(), bytes);
    for (const VkFormat f : kRows[comps - 1]) {
      VkFormatProperties features;
      vkGetPhysicalDeviceFormatProperties(physical, f, &features);
      EXPECT_NE(0u, features.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) << f;
    }
    const VkBufferView views[] = {buffer_view(given, kRows[comps - 1][0]), buffer_view(given, kRows[comps - 1][1])};
    VkWriteDescriptorSet w = write(s, 1, 0, kIn, 1);
    w.pTexelBufferView = &views[0];  // what the shader reads is unsigned
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      vkCmdDispatch(c, 1, 1, 1);
    });
    const auto* const o = reinterpret_cast<const uint64_t*>(out.map);
    for (uint32_t r = 0; r < kReads; ++r)
      for (uint32_t c = 0; c < 4; ++c) {
        // Outside, the last component may be 0 or 1.
        const uint64_t wanted = c >= comps ? uint64_t{c == 3} : r < kElements ? numbers[comps * r + c] : c == 3 ? o[4 * r + c] & 1 : 0;
        EXPECT_EQ(wanted, o[4 * r + c]) << "element " << r << ", component " << c;
      }
    EXPECT_EQ(kElements, o[4 * kReads]);
  }
}

}  // namespace
}  // namespace vktest
