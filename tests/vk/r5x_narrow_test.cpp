// SPDX-License-Identifier: MIT
/// r5x: VK_KHR_shader_float16_int8, through every sort of memory, specialization and all stages.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "byte.comp.h"
#include "half.comp.h"
#include "narrow.frag.h"
#include "narrow.vert.h"
#include "tests/vk/compute_fixture.h"

namespace vktest {
namespace {

/// A device with the features, for tests of either sort.
template <class Fixture>
class WithNarrow : public Fixture {
 protected:
  WithNarrow() {
    this->instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    this->device_extensions.insert(this->device_extensions.end(),
                                   {VK_KHR_STORAGE_BUFFER_STORAGE_CLASS_EXTENSION_NAME, VK_KHR_8BIT_STORAGE_EXTENSION_NAME,
                                    VK_KHR_16BIT_STORAGE_EXTENSION_NAME, VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME});
    bytes_.storageBuffer8BitAccess = bytes_.uniformAndStorageBuffer8BitAccess = bytes_.storagePushConstant8 = VK_TRUE;
    halves_.storageBuffer16BitAccess = halves_.uniformAndStorageBuffer16BitAccess = halves_.storagePushConstant16 = VK_TRUE;
    arithmetic_.shaderFloat16 = arithmetic_.shaderInt8 = VK_TRUE;
    this->device_next = &arithmetic_;
  }

 private:
  VkPhysicalDevice16BitStorageFeatures halves_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
  VkPhysicalDevice8BitStorageFeatures bytes_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, &halves_};
  VkPhysicalDeviceShaderFloat16Int8Features arithmetic_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, &bytes_};
};

class Narrow : public WithNarrow<ComputeFixture> {
 protected:
  /// Runs the shader with a uniform buffer and two storage buffers, bindings 0 to 2.
  void dispatch(Spirv code, const VkSpecializationInfo& special, const std::vector<Buffer>& buffers, const std::vector<uint8_t>& push,
                uint32_t groups) {
    const VkDescriptorSetLayout sl = set_layout({{0, kUniform, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                 {1, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                 {2, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
    const auto push_bytes = static_cast<uint32_t>(push.size());
    const VkPipelineLayout l = layout({sl}, push_bytes);
    const VkPipeline p = pipeline(code, l, &special);
    const VkDescriptorSet s = set(descriptor_pool(1, {{kUniform, 1}, {kStorage, 2}}), sl);
    for (uint32_t b = 0; b < 3; ++b) write_buffers(s, b, b ? kStorage : kUniform, {{buffers[b].handle, 0, VK_WHOLE_SIZE}});
    run([&](VkCommandBuffer cmd) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      vkCmdPushConstants(cmd, l, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes, push.data());
      vkCmdDispatch(cmd, groups, 1, 1);
    });
  }
};

TEST_F(Narrow, BytesInEveryMemory) {
  const struct {
    int8_t special = -100;
    uint8_t factor = 77;
    int8_t count = -100;
  } constants;
  const VkSpecializationMapEntry entries[] = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}};
  constexpr uint32_t kGroups = 4, kCount = 16 * kGroups;
  std::vector<uint8_t> data(kCount);
  for (uint32_t i = 0; i < kCount; ++i) data[i] = static_cast<uint8_t>(i * 97 + 13);
  std::vector<uint32_t> packed(kCount / 4);
  std::memcpy(packed.data(), data.data(), kCount);
  const uint8_t masks[4] = {0xFF, 0x0F, 0xF0, 0x81}, shifts[3] = {0, 3, 7};
  const int8_t terms[2][3] = {{-128, 127, 1}, {-1, 100, -100}}, pushed = -3;
  std::vector<uint32_t> block(12);  // elements of arrays in 16 bytes
  std::memcpy(&block[0], masks, 4);
  std::memcpy(&block[4], terms[0], 3);
  std::memcpy(&block[8], terms[1], 3);
  const Buffer b = words(packed), c = words(std::vector<uint32_t>(kCount));
  dispatch(SPIRV(byte_comp), {3, entries, sizeof constants, &constants}, {words(block), b, c},
           {static_cast<uint8_t>(pushed), 0, 0, 0, shifts[0], shifts[1], shifts[2], 0}, kGroups);
  const auto* out = reinterpret_cast<const uint8_t*>(b.map);
  const auto* results = reinterpret_cast<const int32_t*>(c.map);
  for (uint32_t g = 0; g < kGroups; ++g) {
    uint8_t sum = 0;
    for (uint32_t i = 16 * g; i < 16 * (g + 1); ++i) sum = static_cast<uint8_t>(sum + data[i] * constants.factor);
    for (uint32_t i = 16 * g; i < 16 * (g + 1); ++i) {
      const auto y = static_cast<int8_t>(static_cast<int8_t>(data[i]) * pushed + terms[i & 1][i % 3]);
      EXPECT_EQ(results[i], y + constants.special * 256 + (constants.special + 3) * 0x100000 + 0x30000) << i;
      EXPECT_EQ(out[i], static_cast<uint8_t>(sum ^ (data[i] & masks[i & 3])) >> shifts[i % 3]) << i;
    }
  }
}

double value(uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 0x3FF;
  return (half & 0x8000 ? -1 : 1) * (exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24));
}
/// To the nearest even; of what is in range.
uint16_t code(double x) {
  int exponent = 0;
  static_cast<void>(std::frexp(x, &exponent));
  const int place = std::max(exponent, -13) - 11;  // of the last bit
  const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(std::fabs(x), -place)));
  return static_cast<uint16_t>((std::signbit(x) ? 0x8000 : 0) | (units + static_cast<uint32_t>(std::max(exponent, -13) + 13) * 1024));
}
double rounded(double x) { return value(code(x)); }

TEST_F(Narrow, HalvesInEveryMemory) {
  const struct {
    uint16_t special = code(-0.1);
    int16_t whole = -3;
  } constants;
  const VkSpecializationMapEntry entries[] = {{0, 0, 2}, {1, 2, 2}};
  constexpr uint32_t kGroups = 4, kCount = 16 * kGroups;
  std::vector<uint16_t> data(kCount);
  for (uint32_t i = 0; i < kCount; ++i) data[i] = code((i % 7 - 3.2) * std::ldexp(1.0 + i / 64.0, static_cast<int>(i % 20) - 14));
  std::vector<uint32_t> packed(kCount / 2);
  std::memcpy(packed.data(), data.data(), sizeof data[0] * kCount);
  const uint16_t factors[4] = {code(0.3), code(-1.7), code(0.001), code(3)};
  const uint16_t column[3] = {code(1.1), code(7), code(-0.7)}, pushed = code(-0.3), steps[3] = {code(0.1), code(100), code(1e-6)};
  std::vector<uint32_t> block(12);  // columns in 16 bytes
  std::memcpy(&block[0], factors, sizeof factors);
  std::memcpy(&block[4], column, sizeof column);
  const auto low = [](uint16_t x) { return static_cast<uint8_t>(x); };
  const auto high = [](uint16_t x) { return static_cast<uint8_t>(x >> 8); };
  std::vector<uint8_t> push(16);  // the vector at 8
  push[0] = low(pushed), push[1] = high(pushed);
  for (uint32_t k = 0; k < 3; ++k) push[8 + 2 * k] = low(steps[k]), push[9 + 2 * k] = high(steps[k]);
  const Buffer b = words(packed), c = words(std::vector<uint32_t>(kCount));
  dispatch(SPIRV(half_comp), {2, entries, sizeof constants, &constants}, {words(block), b, c}, push, kGroups);
  const auto* out = reinterpret_cast<const uint16_t*>(b.map);
  const auto* results = reinterpret_cast<const uint32_t*>(c.map);
  for (uint32_t g = 0; g < kGroups; ++g) {
    std::array<double, 16> sum;
    for (uint32_t l = 0; l < 16; ++l) sum[l] = rounded(value(data[16 * g + l]) * value(factors[l & 3]));
    for (uint32_t n = 8; n > 0; n >>= 1)
      for (uint32_t l = 0; l < n; ++l) sum[l] = rounded(sum[l] + sum[l + n]);
    for (uint32_t i = 16 * g; i < 16 * (g + 1); ++i) {
      const double x = value(data[i]);
      EXPECT_EQ(results[i] & 0xFFFF, code(rounded(value(column[2]) * x) + value(constants.special))) << i;
      EXPECT_EQ(results[i] >> 16, code(rounded(rounded(value(column[0]) * x) / value(pushed)) + constants.whole)) << i;
      EXPECT_EQ(out[i], code(sum[0] - value(steps[i % 3]))) << i;
    }
  }
}

class NarrowGraphics : public WithNarrow<Render> {};

TEST_F(NarrowGraphics, InBothStages) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(narrow_vert), SPIRV(narrow_frag), l);
  PushConstants constants;
  constants.tint[0] = 0.1f;
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    push(c, l, constants);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  picture();
  const double factor = rounded(rounded(0.1f) / 3);
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const double product = rounded((x + 0.5) * factor);
      const uint16_t c = code(rounded(product * product) + 1);
      const auto byte = static_cast<uint8_t>(y * 37 + 200);
      EXPECT_EQ(at(x, y), (std::array<uint8_t, 4>{static_cast<uint8_t>(c), static_cast<uint8_t>(c >> 8), byte, 255})) << x << " " << y;
    }
}

}  // namespace
}  // namespace vktest
