// SPDX-License-Identifier: MIT
/// r5x: VK_KHR_shader_float_controls and VK_KHR_spirv_1_4: what is reported, and modules that use it.
#include <bit>
#include <cmath>
#include <cstring>

#include "float_modes.comp.h"
#include "spirv14.comp.h"
#include "tests/vk/compute_fixture.h"

namespace vktest {
namespace {

class Spirv14 : public ComputeFixture {
 protected:
  Spirv14() {
    api_version = VK_API_VERSION_1_1;
    device_extensions.push_back(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    device_extensions.push_back(VK_KHR_SPIRV_1_4_EXTENSION_NAME);
  }
  /// One invocation that reads binding 0, of this type, and writes binding 1.
  void dispatch(Spirv code, const Buffer& given, VkDescriptorType type, const Buffer& made) {
    const VkDescriptorSetLayout sl =
        set_layout({{0, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}, {1, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
    const VkPipelineLayout l = layout({sl});
    const VkPipeline p = pipeline(code, l);
    const VkDescriptorSet s = set(descriptor_pool(1, {{kUniform, 1}, {kStorage, 2}}), sl);
    write_buffers(s, 0, type, {{given.handle, 0, VK_WHOLE_SIZE}});
    write_buffers(s, 1, kStorage, {{made.handle, 0, VK_WHOLE_SIZE}});
    run([&](VkCommandBuffer cmd) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      vkCmdDispatch(cmd, 1, 1, 1);
    });
  }
};

TEST_F(Spirv14, CompositesAreCopiedBetweenLayoutsAndChosen) {
  // std140: each element of x, and y, takes 16 bytes.
  const auto part = [](uint32_t first) {
    return std::vector<uint32_t>{first, 0, 0, 0, first + 1, 0, 0, 0, first + 2, 0, 0, 0, first + 3, first + 4, 0, 0};
  };
  for (const uint32_t choice : {0u, 1u}) {
    std::vector<uint32_t> values = part(10);
    for (const uint32_t w : part(20)) values.push_back(w);
    values.insert(values.end(), {choice, 6, 0, 0});
    const Buffer given = words(values), made = words(std::vector<uint32_t>(14));
    dispatch(SPIRV(spirv14_comp), given, kUniform, made);
    const auto* out = reinterpret_cast<const uint32_t*>(made.map);
    // std430: x takes 12 bytes, y begins at 16.
    for (uint32_t i = 0; i < 5; ++i) {
      const uint32_t at = i < 3 ? i : i + 1;
      EXPECT_EQ(out[at], 10 + i);
      EXPECT_EQ(out[6 + at], (choice ? 10u : 20u) + i);
    }
    EXPECT_EQ(out[12], 15u + 600u);
  }
}

TEST_F(Spirv14, FloatControlsAreReportedAsTheyAre) {
  VkPhysicalDeviceFloatControlsProperties f;
  std::memset(&f, 0xFF, sizeof f);
  f.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, f.pNext = nullptr;
  VkPhysicalDeviceProperties2 p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &f};
  vkGetPhysicalDeviceProperties2(physical, &p);
  EXPECT_EQ(f.denormBehaviorIndependence, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL);
  EXPECT_EQ(f.roundingModeIndependence, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL);
  EXPECT_EQ(f.shaderSignedZeroInfNanPreserveFloat16, VK_FALSE);
  EXPECT_EQ(f.shaderSignedZeroInfNanPreserveFloat32, VK_TRUE);
  EXPECT_EQ(f.shaderSignedZeroInfNanPreserveFloat64, VK_FALSE);
  EXPECT_EQ(f.shaderDenormPreserveFloat16, VK_TRUE);
  EXPECT_EQ(f.shaderDenormPreserveFloat32, VK_FALSE);
  EXPECT_EQ(f.shaderDenormPreserveFloat64, VK_TRUE);
  EXPECT_EQ(f.shaderDenormFlushToZeroFloat16, VK_FALSE);
  EXPECT_EQ(f.shaderDenormFlushToZeroFloat32, VK_FALSE);
  EXPECT_EQ(f.shaderDenormFlushToZeroFloat64, VK_FALSE);
  EXPECT_EQ(f.shaderRoundingModeRTEFloat16, VK_TRUE);
  EXPECT_EQ(f.shaderRoundingModeRTEFloat32, VK_TRUE);
  EXPECT_EQ(f.shaderRoundingModeRTEFloat64, VK_TRUE);
  EXPECT_EQ(f.shaderRoundingModeRTZFloat16, VK_FALSE);
  EXPECT_EQ(f.shaderRoundingModeRTZFloat32, VK_FALSE);
  EXPECT_EQ(f.shaderRoundingModeRTZFloat64, VK_FALSE);
}

TEST_F(Spirv14, ReportedModesAreObeyed) {
  // 3 denormal steps, halved: a tie, which goes to the even one. 1 and 3/4 of its last place: up, where toward zero it would be 1.
  const uint64_t small = 3, half_of = std::bit_cast<uint64_t>(0.5);
  const float part = std::ldexp(0.75f, -23);
  const Buffer given = words({static_cast<uint32_t>(small), 0, 0, static_cast<uint32_t>(half_of >> 32), std::bit_cast<uint32_t>(1.0f),
                              std::bit_cast<uint32_t>(part)});
  const Buffer made = words(std::vector<uint32_t>(4));
  dispatch(SPIRV(float_modes_comp), given, kStorage, made);
  const auto* out = reinterpret_cast<const uint32_t*>(made.map);
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(out[1], 0u);
  EXPECT_EQ(out[2], 0x3F800001u);
  EXPECT_EQ(out[3], std::bit_cast<uint32_t>(1.0f - part));
}

}  // namespace
}  // namespace vktest
