// SPDX-License-Identifier: MIT
/// r5x: extensions of what shaders can do: ballots and votes of their own, group operations of other widths, dot products of integers,
/// clocks, aliased workgroup memory, atomics of 64 bits and of floats, addresses.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "addresses.comp.h"
#include "aliased.comp.h"
#include "atomics.comp.h"
#include "ballot.comp.h"
#include "clock.comp.h"
#include "dots.comp.h"
#include "float_extremes.comp.h"
#include "group_types.comp.h"
#include "signed_zeros.comp.h"
#include "tests/vk/compute_fixture.h"

namespace vktest {
namespace {

class ShaderExtensions : public ComputeFixture {
 protected:
  ShaderExtensions() {
    api_version = VK_API_VERSION_1_1;
    device_extensions = {VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME,
                         VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME,
                         VK_KHR_SHADER_SUBGROUP_EXTENDED_TYPES_EXTENSION_NAME,
                         VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME,
                         VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME,
                         VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
                         VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME,
                         VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME,
                         VK_KHR_SPIRV_1_4_EXTENSION_NAME,
                         VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
                         VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME,
                         VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME,
                         VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME};
    types_.shaderSubgroupExtendedTypes = halves_.shaderFloat16 = halves_.shaderInt8 = VK_TRUE;
    clock_.shaderSubgroupClock = clock_.shaderDeviceClock = dots_.shaderIntegerDotProduct = VK_TRUE;
    layout_.workgroupMemoryExplicitLayout = layout_.workgroupMemoryExplicitLayout8BitAccess =
        layout_.workgroupMemoryExplicitLayout16BitAccess = VK_TRUE;
    floats_.shaderBufferFloat32Atomics = floats_.shaderBufferFloat32AtomicAdd = floats_.shaderSharedFloat32Atomics =
        floats_.shaderSharedFloat32AtomicAdd = floats_.shaderImageFloat32Atomics = floats_.shaderImageFloat32AtomicAdd = VK_TRUE;
    extremes_.shaderBufferFloat32AtomicMinMax = extremes_.shaderSharedFloat32AtomicMinMax = extremes_.shaderImageFloat32AtomicMinMax =
        VK_TRUE;
    wide_.shaderBufferInt64Atomics = wide_.shaderSharedInt64Atomics = addresses_.bufferDeviceAddress = VK_TRUE;
    device_next = &types_;
  }
  VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT extremes_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT};
  VkPhysicalDeviceBufferDeviceAddressFeatures addresses_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, &extremes_};
  VkPhysicalDeviceShaderAtomicInt64Features wide_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, &addresses_};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT floats_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, &wide_};
  VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR layout_{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, &floats_};
  VkPhysicalDeviceShaderIntegerDotProductFeatures dots_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES, &layout_};
  VkPhysicalDeviceShaderClockFeaturesKHR clock_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR, &dots_};
  VkPhysicalDeviceShaderFloat16Int8Features halves_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, &clock_};
  VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures types_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
                                                             &halves_};

  Buffer zeros(uint32_t count) { return buffer(uint64_t{count} * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT); }
  /// Binding 0 is the buffer, binding 1 perhaps a storage image.
  void dispatch(Spirv code, const Buffer& out, const void* push = nullptr, uint32_t push_bytes = 0, VkImageView view = VK_NULL_HANDLE) {
    std::vector<VkDescriptorSetLayoutBinding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
    std::vector<VkDescriptorPoolSize> sizes = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    if (view) {
      bindings.push_back({1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
      sizes.push_back({VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1});
    }
    const VkDescriptorSetLayout sl = set_layout(bindings);
    const VkPipelineLayout l = layout({sl}, push_bytes);
    const VkPipeline p = pipeline(code, l);
    const VkDescriptorSet s = set(descriptor_pool(1, sizes), sl);
    write_buffers(s, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {{out.handle, 0, VK_WHOLE_SIZE}});
    if (view) {
      const VkDescriptorImageInfo info{VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
      VkWriteDescriptorSet w = write(s, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1);
      w.pImageInfo = &info;
      vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
    }
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      if (push) vkCmdPushConstants(c, l, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes, push);
      vkCmdDispatch(c, 1, 1, 1);
    });
  }
  Buffer addressed(VkDeviceSize bytes) {
    return buffer(bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  }
};

TEST_F(ShaderExtensions, BallotsAndVotes) {
  const Buffer out = zeros(128);
  dispatch(SPIRV(ballot_comp), out);
  const auto* o = reinterpret_cast<const uint32_t*>(out.map);
  for (uint32_t n = 0; n < 32; ++n) {
    const uint32_t first = n / 16 * 16;
    EXPECT_EQ(0xAAAAu, o[4 * n]);
    EXPECT_EQ((first + 5) * 3 + 1000 * first, o[4 * n + 1]) << n;
    EXPECT_EQ(5u, o[4 * n + 2]) << n;
    EXPECT_EQ((1u << n % 16) - 1, o[4 * n + 3]) << n;
  }
}

TEST_F(ShaderExtensions, GroupOperationsOfOtherWidths) {
  const Buffer out = zeros(12 * 32);
  dispatch(SPIRV(group_types_comp), out);
  const auto* o = reinterpret_cast<const int32_t*>(out.map);
  const auto b = [](int n) { return int8_t(n * 37 - 100); };
  const auto ub = [](int n) { return uint8_t(n * 37 + 5); };
  const auto s = [](int n) { return int16_t(n * 4099 - 30000); };
  for (int n = 0; n < 32; ++n) {
    const int first = n / 16 * 16;
    int8_t sum = 0, least = INT8_MAX, before = INT8_MAX;
    int16_t most_before = INT16_MIN, scan = 0, cluster = INT16_MIN;
    uint8_t uleast = UINT8_MAX, product = 1, bits = 0;
    float halves = 0;
    int64_t wide = 0;
    for (int k = first; k < first + 16; ++k) {
      sum = int8_t(sum + b(k)), least = std::min(least, b(k)), product = uint8_t(product * ub(k)), bits = uint8_t(bits | ub(k));
      halves += float(k) * 0.25f + 0.5f;
      wide += k;
      if (k < n) before = std::min(before, b(k)), most_before = std::max(most_before, s(k)), uleast = std::min(uleast, ub(k));
      if (k <= n) scan = int16_t(scan + s(k));
      if (k / 4 == n / 4) cluster = std::max(cluster, s(k));
    }
    const int expected[] = {
        sum,       least,   before, most_before, uleast, scan, product, int(halves * 16), int((float(n ^ 1) * 0.25f + 0.5f) * 16),
        int(wide), cluster, bits};
    for (int i = 0; i < 12; ++i) EXPECT_EQ(expected[i], o[12 * n + i]) << n << " " << i;
  }
}

TEST_F(ShaderExtensions, DotProductsOfIntegers) {
  const Buffer out = zeros(96 + 16 * 32);
  auto* in = reinterpret_cast<uint32_t*>(out.map);
  constexpr uint32_t kSome[] = {0, 0x7F7F7F7F, 0x80808080, 0xFFFFFFFF, 0x80FF017F, 0x12345678};
  constexpr uint32_t kSums[] = {0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFF, 0xFFFF8001};
  for (uint32_t n = 0; n < 32; ++n) in[n] = kSome[n % 6], in[32 + n] = kSome[(n / 6 + n * n) % 6], in[64 + n] = kSums[n * 7 % 6 ^ (n & 1)];
  dispatch(SPIRV(dots_comp), out);
  const uint32_t* o = in + 96;
  for (uint32_t n = 0; n < 32; ++n, o += 16) {
    const uint32_t a = in[n], b = in[32 + n], c = in[64 + n];
    const auto s8 = [](uint32_t x, int i) { return int64_t(int8_t(x >> 8 * i)); };
    const auto u8 = [](uint32_t x, int i) { return int64_t(uint8_t(x >> 8 * i)); };
    int64_t ss = 0, uu = 0, su = 0;
    for (int i = 0; i < 4; ++i) ss += s8(a, i) * s8(b, i), uu += u8(a, i) * u8(b, i), su += s8(a, i) * u8(b, i);
    const auto saturated = [](int64_t x, int64_t least, int64_t most) { return uint32_t(std::clamp(x, least, most)); };
    EXPECT_EQ(uint32_t(ss), o[0]) << n;
    EXPECT_EQ(uint32_t(uu), o[1]) << n;
    EXPECT_EQ(uint32_t(su), o[2]) << n;
    EXPECT_EQ(saturated(ss + int32_t(c), INT32_MIN, INT32_MAX), o[3]) << n;
    EXPECT_EQ(saturated(uu + c, 0, UINT32_MAX), o[4]) << n;
    EXPECT_EQ(saturated(su + int32_t(c), INT32_MIN, INT32_MAX), o[5]) << n;
    EXPECT_EQ(uint32_t(ss), o[6]) << n;
    if (ss >= INT16_MIN && ss <= INT16_MAX) {
      EXPECT_EQ(saturated(ss + int16_t(c), INT16_MIN, INT16_MAX), o[7]) << n;
    }
    const int64_t s16 = int64_t(int16_t(a)) * int16_t(b) + int64_t(int16_t(a >> 16)) * int16_t(b >> 16);
    const __int128 wide = __int128(int64_t(uint64_t{c} << 32 | 0xFFFFFFFFu)) + s16;
    const int64_t held = wide > INT64_MAX ? INT64_MAX : wide < INT64_MIN ? INT64_MIN : int64_t(wide);
    EXPECT_EQ(uint32_t(held), o[8]) << n;
    EXPECT_EQ(uint32_t(held >> 32), o[9]) << n;
    const uint64_t u16 = uint64_t{a & 0xFFFF} * (b & 0xFFFF) + uint64_t{a >> 16} * (b >> 16), sum = uint64_t{c} << 32 | 0xFFFFFFFFu;
    const uint64_t uheld = sum + u16 < sum ? ~uint64_t{0} : sum + u16;
    EXPECT_EQ(uint32_t(uheld), o[10]) << n;
    EXPECT_EQ(uint32_t(uheld >> 32), o[11]) << n;
    EXPECT_EQ(a * c + b * a + c * 3, o[12]) << n;
    const uint64_t product = uint64_t(int64_t(int32_t(a)) * int64_t{b} + int32_t(c));
    EXPECT_EQ(uint32_t(product), o[13]) << n;
    EXPECT_EQ(uint32_t(product >> 32), o[14]) << n;
  }
}

TEST_F(ShaderExtensions, ZerosKeepTheirSigns) {
  const Buffer io = zeros(40);
  auto* f = reinterpret_cast<float*>(io.map);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  f[0] = -0.0f, f[1] = 3.0f, f[2] = kInfinity, f[3] = std::numeric_limits<float>::quiet_NaN();
  dispatch(SPIRV(signed_zeros_comp), io);
  const auto expect = [&](uint32_t n, float value) {
    EXPECT_EQ(std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(f[8 + n])) << n << ": " << f[8 + n];
  };
  for (const uint32_t n : {0u, 1u, 2u, 3u, 5u, 6u, 7u, 8u, 9u, 10u, 24u, 28u}) expect(n, -0.0f);
  for (const uint32_t n : {4u, 12u, 13u, 18u, 22u, 23u, 27u}) expect(n, 0.0f);
  for (const uint32_t n : {19u, 20u, 21u, 25u}) expect(n, 1.0f);
  for (const uint32_t n : {14u, 26u}) expect(n, -kInfinity);
  for (const uint32_t n : {15u, 16u, 17u}) EXPECT_TRUE(std::isnan(f[8 + n])) << n;
}

TEST_F(ShaderExtensions, ClocksAdvance) {
  const Buffer out = zeros(256);
  dispatch(SPIRV(clock_comp), out);
  const auto* o = reinterpret_cast<const uint32_t*>(out.map);
  const auto time = [&](uint32_t at) { return uint64_t{o[at + 1]} << 32 | o[at]; };
  for (uint32_t n = 0; n < 16; ++n) {
    EXPECT_NE(0u, time(8 * n));
    EXPECT_LT(time(8 * n), time(8 * n + 2));
    EXPECT_LE(time(8 * n), time(8 * n + 4));
    EXPECT_LE(time(8 * n + 4), time(8 * n + 2));
  }
}

TEST_F(ShaderExtensions, BlocksOfWorkgroupMemoryAlias) {
  const Buffer out = zeros(48);
  dispatch(SPIRV(aliased_comp), out);
  const auto* o = reinterpret_cast<const uint32_t*>(out.map);
  uint32_t w[16];
  for (uint32_t n = 0; n < 16; ++n) w[n] = n * 0x01030507u;
  const auto* bytes = reinterpret_cast<const uint8_t*>(w);
  for (uint32_t n = 0; n < 16; ++n) {
    EXPECT_EQ(bytes[63 - n], o[n]) << n;
    uint16_t h;
    std::memcpy(&h, bytes + 8 + 2 * n, 2);
    EXPECT_EQ(h, o[16 + n]) << n;
  }
  w[12] = std::bit_cast<uint32_t>(1.0f), w[13] = std::bit_cast<uint32_t>(2.0f), w[0] = 0x12000000;
  for (uint32_t n = 0; n < 16; ++n) EXPECT_EQ(w[n], o[32 + n]) << n;
}

TEST_F(ShaderExtensions, AtomicsOf64BitsAndFloats) {
  struct Out {
    uint64_t l[8];
    float f[4];
    uint64_t old[32];
    float fold[32];
    uint32_t texel[4];
  };
  const Buffer out = zeros(sizeof(Out) / 4 + 4);
  Out& o = *reinterpret_cast<Out*>(out.map);
  o = {};
  o.l[1] = ~uint64_t{0}, o.l[5] = 1, o.f[0] = 1.25f, o.f[3] = 3.5f;
  constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const Image texels = image(VK_FORMAT_R32_SFLOAT, 2, 1, {.usage = kUsage, .view = true});
  to_general(texels.handle, VK_IMAGE_ASPECT_COLOR_BIT);
  run([&](VkCommandBuffer c) {
    const VkClearColorValue clear{{0.75f, 0, 0, 0}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(c, texels.handle, VK_IMAGE_LAYOUT_GENERAL, &clear, 1, &all);
  });
  dispatch(SPIRV(atomics_comp), out, nullptr, 0, texels.view);
  const Buffer copy = buffer(8);
  run([&](VkCommandBuffer c) {
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, region.imageExtent = {2, 1, 1};
    vkCmdCopyImageToBuffer(c, texels.handle, VK_IMAGE_LAYOUT_GENERAL, copy.handle, 1, &region);
  });
  EXPECT_EQ(1.5f, reinterpret_cast<const float*>(copy.map)[0]);
  EXPECT_EQ(64.75f, reinterpret_cast<const float*>(copy.map)[1]);
  uint64_t sum = 0, five = 1, bits = 0, parity = 0;
  for (uint64_t n = 0; n < 32; ++n) {
    sum += n + 0xFFFFFFF0u, five = five * 3 + 1, bits |= uint64_t{1} << 2 * n, parity ^= n + 0xFFFFFFF0u;
  }
  EXPECT_EQ(sum, o.l[0]);
  EXPECT_EQ(uint64_t{0xFFFFFFF0} << 8, o.l[1]);
  EXPECT_EQ((uint64_t{0xFFFFFFF0} + 31) << 8, o.l[2]);
  EXPECT_EQ(bits, o.l[3]);
  EXPECT_EQ(parity, o.l[4]);
  EXPECT_EQ(five, o.l[5]);
  EXPECT_EQ((uint64_t{1} << 40) + (uint64_t{32} << 32), o.l[6]);
  EXPECT_EQ(o.l[6] + 5, o.l[7]);
  uint64_t olds = 0, wanted = 0, before = 0;
  for (uint64_t n = 0; n < 32; ++n) olds += o.old[n], wanted += before, before += n + 0xFFFFFFF0u;
  EXPECT_EQ(wanted, olds);
  EXPECT_EQ(17.25f, o.f[0]);
  EXPECT_EQ(8.5f, o.f[1]);
  EXPECT_EQ(3.5f, o.f[2]);
  EXPECT_EQ(9.5f, o.f[3]);
}

TEST_F(ShaderExtensions, LeastAndLargestOfFloats) {
  VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT has{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT};
  VkPhysicalDeviceFeatures2 f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &has};
  vkGetPhysicalDeviceFeatures2(physical, &f);
  EXPECT_TRUE(has.shaderBufferFloat32AtomicMinMax && has.shaderSharedFloat32AtomicMinMax && has.shaderImageFloat32AtomicMinMax);
  EXPECT_FALSE(has.shaderBufferFloat16Atomics || has.shaderBufferFloat64AtomicMinMax || has.sparseImageFloat32AtomicMinMax);
  const Buffer out = zeros(40);
  auto* const o = reinterpret_cast<float*>(out.map);
  o[0] = 2.5f, o[1] = 100;
  constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const Image texels = image(VK_FORMAT_R32_SFLOAT, 2, 1, {.usage = kUsage, .view = true});
  to_general(texels.handle, VK_IMAGE_ASPECT_COLOR_BIT);
  Vk::write(texels, std::vector<uint8_t>(8));
  dispatch(SPIRV(float_extremes_comp), out, nullptr, 0, texels.view);
  const std::vector<uint8_t> bytes = read(texels, 4);
  const auto* const t = reinterpret_cast<const float*>(bytes.data());
  const float least = -9, largest = 31 * 0.75f - 9;
  EXPECT_EQ(o[0], least);
  EXPECT_EQ(o[1], 100);
  EXPECT_EQ(o[2], least);
  EXPECT_EQ(o[3], largest);
  EXPECT_EQ(t[0], least);
  EXPECT_EQ(t[1], largest);
  // Each saw what those before it had left.
  float seen = 2.5f;
  for (uint32_t n = 0; n < 32; ++n) seen = std::min(seen, o[4 + n]);
  EXPECT_TRUE(seen == least || o[4] == 2.5f);
}

TEST_F(ShaderExtensions, AddressesAreFollowed) {
  struct Node {
    uint64_t next;
    uint32_t value, pad;
    float v[8];
  };
  constexpr uint32_t kNodes = 17;
  const auto address = [&](const Buffer& b) {
    const VkBufferDeviceAddressInfo i{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, b.handle};
    return vkGetBufferDeviceAddressKHR(device, &i);
  };
  std::vector<Buffer> nodes;
  for (uint32_t i = 0; i < kNodes; ++i) nodes.push_back(addressed(sizeof(Node)));
  for (uint32_t i = 0; i < kNodes; ++i) {
    Node& n = *reinterpret_cast<Node*>(nodes[i].map);
    n = {address(nodes[(i + 1) % kNodes]), i * i + 1, 0, {}};
    n.v[2] = float(i), n.v[6] = float(100 * i);
  }
  const Buffer to = addressed(80), out = zeros(64);
  std::memset(to.map, 0, 80);
  struct {
    uint64_t first, to;
  } const push{address(nodes[0]), address(to)};
  dispatch(SPIRV(addresses_comp), out, &push, sizeof push);
  const auto* o = reinterpret_cast<const uint32_t*>(out.map);
  const auto* w = reinterpret_cast<const uint32_t*>(to.map);
  uint32_t sum = 0, reals = 0;
  for (uint32_t n = 0; n < 16; ++n) {
    sum += n * n + 1, reals += n % 2 ? 100 * n : n;
    EXPECT_EQ(sum, o[n]) << n;
    EXPECT_EQ(reals, o[16 + n]) << n;
    EXPECT_EQ(2 * sum, w[n]) << n;
    EXPECT_EQ(0u, o[32 + n]);
    EXPECT_EQ(7u, o[48 + n]);
  }
  EXPECT_EQ(120u, w[16]);
}

}  // namespace
}  // namespace vktest
