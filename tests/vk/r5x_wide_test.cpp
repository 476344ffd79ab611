// SPDX-License-Identifier: MIT
/// r5x: shaders with numbers of 64 bits, through every sort of memory, specialization and varyings.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "double.comp.h"
#include "double.frag.h"
#include "double.vert.h"
#include "tests/vk/compute_fixture.h"
#include "wide.comp.h"
#include "wide.frag.h"
#include "wide.vert.h"

namespace vktest {
namespace {

class WideCompute : public ComputeFixture {
 protected:
  WideCompute() { api_version = VK_API_VERSION_1_1; }  // subgroups
  static std::vector<uint32_t> halves(const std::vector<uint64_t>& x) {
    std::vector<uint32_t> w;
    for (const uint64_t v : x) w.push_back(static_cast<uint32_t>(v)), w.push_back(static_cast<uint32_t>(v >> 32));
    return w;
  }
};

TEST_F(WideCompute, IntegersInEveryMemory) {
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(physical, &features);
  ASSERT_TRUE(features.shaderInt64);
  const VkDescriptorSetLayout sl = set_layout({{0, kUniform, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {1, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {2, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl}, 16);
  const struct {
    int64_t special;
    VkBool32 doubled;
  } constants{-0x123456789A, VK_TRUE};
  const VkSpecializationMapEntry entries[] = {{0, 0, 8}, {1, 8, 4}};
  const VkSpecializationInfo special{2, entries, sizeof constants, &constants};
  const VkPipeline p = pipeline(SPIRV(wide_comp), l, &special);
  constexpr uint32_t kGroups = 4, kCount = 16 * kGroups;
  std::vector<uint64_t> data(kCount);
  uint64_t x = 0x9E3779B97F4A7C15;
  for (uint64_t& d : data) x ^= x << 13, x ^= x >> 7, x ^= x << 17, d = x >> (x & 31);
  const uint64_t factor = 0xFEDCBA9876543211, term = 0xFFFFFFFFFFFFFFF0, pushed = 0x300000007;
  const Buffer u = words(halves({factor, 0, 0, 0, 1, 2, term, 0})), b = words(halves(data)), c = words(std::vector<uint32_t>(2 * kGroups));
  const VkDescriptorSet s = set(descriptor_pool(1, {{kUniform, 1}, {kStorage, 2}}), sl);
  write_buffers(s, 0, kUniform, {{u.handle, 0, VK_WHOLE_SIZE}});
  write_buffers(s, 1, kStorage, {{b.handle, 0, VK_WHOLE_SIZE}});
  write_buffers(s, 2, kStorage, {{c.handle, 0, VK_WHOLE_SIZE}});
  run([&](VkCommandBuffer cmd) {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
    const uint64_t push[2] = {0, pushed};
    vkCmdPushConstants(cmd, l, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, push);
    vkCmdDispatch(cmd, kGroups, 1, 1);
  });
  const auto* out = reinterpret_cast<const uint64_t*>(b.map);
  const auto* sums = reinterpret_cast<const uint64_t*>(c.map);
  const auto extra = static_cast<uint64_t>(constants.special) + static_cast<uint64_t>(constants.special) + 3;
  for (uint32_t g = 0; g < kGroups; ++g) {
    uint64_t sum = 0;
    for (uint32_t i = 16 * g; i < 16 * (g + 1); ++i) {
      sum += data[i] * factor + term;
      EXPECT_EQ(out[i], 2 * (data[i] / pushed ^ data[i] % pushed << 7) + extra) << i;
    }
    EXPECT_EQ(sums[g], sum) << g;
  }
}

TEST_F(WideCompute, FloatsInEveryMemory) {
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(physical, &features);
  ASSERT_TRUE(features.shaderFloat64);
  const VkDescriptorSetLayout sl = set_layout({{0, kUniform, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {1, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {2, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl}, 8);
  const double constant = 1e100;
  const VkSpecializationMapEntry entry{0, 0, 8};
  const VkSpecializationInfo special{1, &entry, sizeof constant, &constant};
  const VkPipeline p = pipeline(SPIRV(double_comp), l, &special);
  constexpr uint32_t kCount = 64;
  std::vector<uint64_t> data(kCount);
  for (uint32_t i = 0; i < kCount; ++i)
    data[i] = std::bit_cast<uint64_t>(std::ldexp(static_cast<double>(i * 7919 % 64) - 20.3, static_cast<int>(i) - 30));
  const auto number = [](double x) { return std::bit_cast<uint64_t>(x); };
  // Columns of three take 32 bytes.
  const double m[2][3] = {{1.5, 2.5, -3.25}, {0.125, 1e-30, 1e30}}, v = 3e-300, pushed = -7.7;
  const Buffer u = words(
      halves({number(m[0][0]), number(m[0][1]), number(m[0][2]), 0, number(m[1][0]), number(m[1][1]), number(m[1][2]), 0, 0, number(v)}));
  const Buffer b = words(halves(data)), c = words(std::vector<uint32_t>(4 * kCount));
  const VkDescriptorSet s = set(descriptor_pool(1, {{kUniform, 1}, {kStorage, 2}}), sl);
  write_buffers(s, 0, kUniform, {{u.handle, 0, VK_WHOLE_SIZE}});
  write_buffers(s, 1, kStorage, {{b.handle, 0, VK_WHOLE_SIZE}});
  write_buffers(s, 2, kStorage, {{c.handle, 0, VK_WHOLE_SIZE}});
  run([&](VkCommandBuffer cmd) {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
    vkCmdPushConstants(cmd, l, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, &pushed);
    vkCmdDispatch(cmd, kCount / 16, 1, 1);
  });
  const auto* out = reinterpret_cast<const uint64_t*>(b.map);
  const auto* sums = reinterpret_cast<const uint64_t*>(c.map);
  for (uint32_t g = 0; g < kCount / 16; ++g) {
    double sum = -0.0, most = -INFINITY;
    for (uint32_t i = 16 * g; i < 16 * (g + 1); ++i) sum += std::bit_cast<double>(data[i]);
    for (uint32_t i = 16 * g; i < 16 * (g + 1); ++i) {
      const auto x = std::bit_cast<double>(data[i]);
      most = most > x ? most : x;
      const double wx = std::fma(m[1][0], v, m[0][0] * x), wz = std::fma(m[1][2], v, m[0][2] * x);
      EXPECT_EQ(out[i], number(std::sqrt(std::fabs(wz)) * constant / pushed + wx)) << i;
      EXPECT_EQ(sums[2 * i], number(sum)) << i;
      EXPECT_EQ(sums[2 * i + 1], number(most)) << i;
    }
  }
}

class WideGraphics : public Render {
 public:
  /// One triangle over the picture; the push constants begin with `base`.
  template <class T, size_t v, size_t f>
  void draw(const uint32_t (&vertex)[v], const uint32_t (&fragment)[f], T base) {
    make_pass();
    const VkPipelineLayout l = layout();
    const VkPipeline p = pipeline(SPIRV(vertex), SPIRV(fragment), l);
    PushConstants constants;
    std::memcpy(constants.tint, &base, sizeof base);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      push(c, l, constants);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    picture();
  }
};

TEST_F(WideGraphics, FlatFloats) {
  const double base = 1.1;
  draw(double_vert, double_frag, base);
  const uint8_t blue = std::sqrt(base) * std::sqrt(base) == base ? 0 : 255;
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x)
      EXPECT_EQ(at(x, y), (std::array<uint8_t, 4>{255, static_cast<uint8_t>(x), blue, 255})) << x << " " << y;
}

TEST_F(WideGraphics, FlatVaryings) {
  const uint64_t base = 0x8765432112345678;
  draw(wide_vert, wide_frag, base);
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const auto green = static_cast<uint8_t>((x + (base << 32)) % 1000000007 % 251);
      EXPECT_EQ(at(x, y), (std::array<uint8_t, 4>{255, green, 255, 255})) << x << " " << y;
    }
}

}  // namespace
}  // namespace vktest
