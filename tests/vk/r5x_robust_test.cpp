// SPDX-License-Identifier: MIT
/// r5x: VK_EXT_robustness2: null descriptors, accesses beyond the ends of buffers and images; VK_EXT_pipeline_robustness.
#include "beyond.comp.h"
#include "nulls.comp.h"
#include "outside.comp.h"
#include "tests/vk/colored_fixture.h"
#include "tests/vk/compute_fixture.h"

namespace vktest {
namespace {

template <class Fixture>
class Robust : public Fixture {
 protected:
  Robust() {
    this->device_extensions = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME};
    this->api_version = VK_API_VERSION_1_1;
    robust_.robustBufferAccess2 = robust_.robustImageAccess2 = robust_.nullDescriptor = VK_TRUE;
    this->device_next = &robust_;
  }

 private:
  VkPhysicalDeviceRobustness2FeaturesEXT robust_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
};

class Nulls : public Robust<ComputeFixture> {
 protected:
  static constexpr uint32_t kFirst = 1, kBindings = 8;
  static constexpr VkDescriptorType kTypes[kBindings] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,       VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                         VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,       VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                                         VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                         VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,        VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
  struct Set {
    VkPipelineLayout layout;
    VkDescriptorSet set;
  };
  Set make_set(std::span<const VkDescriptorType> types, uint32_t push_bytes) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    std::vector<VkDescriptorPoolSize> sizes;
    for (uint32_t i = 0; i < types.size(); ++i) {
      bindings.push_back({i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
      sizes.push_back({types[i], 1});
    }
    const VkDescriptorSetLayout of = set_layout(bindings);
    return {layout({of}, push_bytes), set(descriptor_pool(1, sizes), of)};
  }
  VkSampler sampler() {
    VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateSampler(device, &si, nullptr, &s));
    defer([this, s] { vkDestroySampler(device, s, nullptr); });
    return s;
  }
  void dispatch(VkPipeline p, const Set& s, const void* constants = nullptr, uint32_t bytes = 0) {
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, s.layout, 0, 1, &s.set, 0, nullptr);
      if (bytes) vkCmdPushConstants(c, s.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes, constants);
      vkCmdDispatch(c, 1, 1, 1);
    });
  }
};

TEST_F(Nulls, Features) {
  VkPhysicalDeviceRobustness2FeaturesEXT f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
  VkPhysicalDeviceFeatures2 f2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f};
  vkGetPhysicalDeviceFeatures2(physical, &f2);
  EXPECT_TRUE(f.robustBufferAccess2 && f.robustImageAccess2 && f.nullDescriptor);
  VkPhysicalDeviceRobustness2PropertiesEXT p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 p2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &p};
  vkGetPhysicalDeviceProperties2(physical, &p2);
  EXPECT_EQ(p.robustStorageBufferAccessSizeAlignment, 1u);
  EXPECT_EQ(p.robustUniformBufferAccessSizeAlignment, 1u);
}

TEST_F(Nulls, DescriptorsOfEveryKind) {
  const Set s = make_set(kTypes, 0);
  const Buffer out = words(std::vector<uint32_t>(8 * 4 + 4 * 4 + 1, 0x12345678));
  write_buffers(s.set, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  const VkDescriptorImageInfo no_image{VK_NULL_HANDLE, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED},
      no_view{sampler(), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
  const VkDescriptorBufferInfo no_buffer{VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
  const VkBufferView no_texels = VK_NULL_HANDLE;
  for (uint32_t i = kFirst; i < kBindings; ++i) {
    VkWriteDescriptorSet w = write(s.set, i, 0, kTypes[i], 1);
    w.pBufferInfo = &no_buffer, w.pTexelBufferView = &no_texels;
    w.pImageInfo = kTypes[i] == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? &no_view : &no_image;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  }
  dispatch(pipeline(SPIRV(nulls_comp), s.layout), s);
  const auto* v = out.map;
  for (uint32_t i = 0; i < 48; ++i) {
    uint32_t word;
    std::memcpy(&word, v + 4 * i, 4);
    EXPECT_EQ(word, 0u) << i;
  }
  EXPECT_EQ(v[4 * 48], 1);
}

/// What lies behind the end is zero, component by component; components that a format lacks are 0, 0, 1; nothing is written there.
TEST_F(Nulls, AccessesBeyondTheEnd) {
  constexpr VkDescriptorType kAll[] = {kStorage,
                                       kStorage,
                                       kUniform,
                                       VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                       VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                       VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                       VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                       VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};
  const Set s = make_set(kAll, 4);
  const float two = 2;
  uint32_t bits;
  std::memcpy(&bits, &two, 4);
  const Buffer out = words(std::vector<uint32_t>(32, 0)), storage = words(std::vector<uint32_t>(64, bits)),
               uniform = words(std::vector<uint32_t>(64, bits)), rgba = words(std::vector<uint32_t>(64, 0xFFFFFFFF)),
               r = words(std::vector<uint32_t>(64, bits)), stored = words(std::vector<uint32_t>(64, bits));
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  o.view = true;
  const Image rgba_image = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, o);
  o.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  const Image r_image = image(VK_FORMAT_R32_SFLOAT, 4, 4, o);
  this->Vk::write(rgba_image, std::vector<uint8_t>(64, 255));
  std::vector<uint8_t> twos(64);
  for (size_t i = 0; i < 16; ++i) std::memcpy(&twos[4 * i], &two, 4);
  this->Vk::write(r_image, twos);
  write_buffers(s.set, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  write_buffers(s.set, 1, kStorage, {{storage.handle, 0, 4 * 16 + 8}});  // in the middle of element 4
  write_buffers(s.set, 2, kUniform, {{uniform.handle, 0, 4 * 16 + 4}});
  const VkBufferView views[3] = {buffer_view(rgba, VK_FORMAT_R8G8B8A8_UNORM, 16), buffer_view(r, VK_FORMAT_R32_SFLOAT, 16),
                                 buffer_view(stored, VK_FORMAT_R32_SFLOAT, 16)};
  const uint32_t at[3] = {3, 4, 7};
  for (int i = 0; i < 3; ++i) {
    VkWriteDescriptorSet w = write(s.set, at[i], 0, kAll[at[i]], 1);
    w.pTexelBufferView = &views[i];
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  }
  const VkDescriptorImageInfo sampled{sampler(), rgba_image.view, VK_IMAGE_LAYOUT_GENERAL},
      image_info{VK_NULL_HANDLE, r_image.view, VK_IMAGE_LAYOUT_GENERAL};
  for (const uint32_t b : {5u, 6u}) {
    VkWriteDescriptorSet w = write(s.set, b, 0, kAll[b], 1);
    w.pImageInfo = b == 5 ? &sampled : &image_info;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  }
  const VkPipeline p = pipeline(SPIRV(beyond_comp), s.layout);
  const auto value = [&](uint32_t n) {
    std::array<float, 4> v;
    std::memcpy(v.data(), out.map + 16 * n, 16);
    return v;
  };
  using V = std::array<float, 4>;
  constexpr V kZero{0, 0, 0, 0}, kOne{0, 0, 0, 1};
  for (const int32_t n : {4, 5, 1000, -1}) {
    std::memset(out.map, 0x77, 128);
    dispatch(p, s, &n, 4);
    EXPECT_EQ(value(0), (n == 4 ? V{2, 2, 0, 0} : kZero)) << n;
    EXPECT_EQ(value(1), (n == 4 ? V{2, 0, 0, 0} : kZero)) << n;
    EXPECT_EQ(value(2), kZero) << n;
    EXPECT_EQ(value(3), kOne) << n;
    EXPECT_EQ(value(4), kZero) << n;
    EXPECT_EQ(value(5), kOne) << n;
    EXPECT_EQ(value(6), kOne) << n;
    EXPECT_EQ(value(7), kZero) << n;
  }
  const float* const f = reinterpret_cast<const float*>(storage.map);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(f[i], i == 16 || i == 17 ? 9 : 2) << i;
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(reinterpret_cast<const float*>(stored.map)[i], 2) << i;
  EXPECT_EQ(read(r_image, 4), twos);
}

using RobustDraws = Robust<Colored>;

/// The attributes of a vertex behind the end are zeros, what its format lacks included; so are those of no buffer.
TEST_F(RobustDraws, VertexBuffers) {
  make_pass();
  PipelineOptions o = colored();
  o.bindings.push_back({1, 16, VK_VERTEX_INPUT_RATE_VERTEX});
  o.attributes[1] = {1, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
  const VkPipelineLayout l = layout();
  const VkPipeline rgba = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), l, o);
  o.attributes[1].format = VK_FORMAT_R32G32_SFLOAT;
  const VkPipeline rg = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), l, o);
  const Buffer colors = buffer(3 * 16 - 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  for (uint32_t i = 0; i < 11; ++i) reinterpret_cast<float*>(colors.map)[i] = 1;
  for (const bool none : {false, true})
    for (const bool two : {false, true}) {
      render(
          [&](VkCommandBuffer c) {
            bind(c, two ? rg : rgba, full(kRed));
            const VkBuffer b = none ? VK_NULL_HANDLE : colors.handle;
            const VkDeviceSize at = none ? 0 : 32;  // the first vertex has 12 bytes
            vkCmdBindVertexBuffers(c, 1, 1, &b, &at);
            vkCmdDraw(c, 3, 1, 0, 0);
          },
          kGreen);
      const Pixel p = at(15, 15);  // of the vertices without one, nearly
      if (none) {
        EXPECT_EQ(p, (two ? Pixel{0, 0, 0, 255} : kNone));
        EXPECT_EQ(count(p), kSize * kSize);
      } else if (!two) {
        EXPECT_EQ(count(kNone), kSize * kSize);
      } else {
        EXPECT_EQ(p[3], 255);
        EXPECT_GT(at(0, 0)[0], 230);
      }
    }
}

/// Indices behind the end of their buffer are 0.
TEST_F(RobustDraws, IndexBuffers) {
  make_pass();
  const VkPipeline p = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), layout(), colored());
  const Buffer indices = buffer(8, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), arguments = buffer(20, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const uint16_t numbers[] = {3, 3, 2, 1};
  std::memcpy(indices.map, numbers, sizeof numbers);
  const VkDrawIndexedIndirectCommand indirect{3, 1, 2, 0, 0};
  std::memcpy(arguments.map, &indirect, sizeof indirect);
  for (const bool indirectly : {false, true}) {
    render([&](VkCommandBuffer c) {
      bind(c, p, full(kRed));
      vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
      if (indirectly)
        vkCmdDrawIndexedIndirect(c, arguments.handle, 0, 1, 20);
      else
        vkCmdDrawIndexed(c, 3, 1, 2, 0, 0);  // 2, 1 and what is behind
    });
    EXPECT_EQ(count(kRedPixel), kSize * kSize) << indirectly;
  }
}

class PipelineRobustness : public ComputeFixture {
 protected:
  PipelineRobustness() {
    api_version = VK_API_VERSION_1_1;
    instance_extensions.clear();
    device_extensions = {VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME};
    pipelines_.pipelineRobustness = VK_TRUE;
    device_next = &pipelines_;
  }

 private:
  VkPhysicalDevicePipelineRobustnessFeaturesEXT pipelines_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT};
};

/// Whatever a pipeline says, it reads zeros outside.
TEST_F(PipelineRobustness, EveryPipelineIsRobust) {
  VkPhysicalDevicePipelineRobustnessPropertiesEXT defaults{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &defaults};
  vkGetPhysicalDeviceProperties2(physical, &all);
  EXPECT_EQ(defaults.defaultRobustnessStorageBuffers, VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT);
  EXPECT_EQ(defaults.defaultRobustnessImages, VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT);
  constexpr uint32_t kSide = 4, kPlaces = 12, kWords = 100;  // invocations from 100 on are outside of the buffer
  const Image target = image(VK_FORMAT_R32_UINT, kSide, kSide, {.usage = VK_IMAGE_USAGE_STORAGE_BIT, .view = true});
  to_general(target.handle, VK_IMAGE_ASPECT_COLOR_BIT);
  const VkDescriptorSetLayout sl = set_layout({{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  const VkDescriptorSet s = set(descriptor_pool(1, {{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}}), sl);
  const Buffer out = buffer(4 * kPlaces * kPlaces, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  write_buffers(s, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {{out.handle, 0, 4 * kWords}});
  const VkDescriptorImageInfo info{VK_NULL_HANDLE, target.view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet w = write(s, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1);
  w.pImageInfo = &info;
  vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  for (const bool robust : {false, true}) {
    VkPipelineRobustnessCreateInfoEXT r{VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT};
    r.storageBuffers = r.uniformBuffers = r.vertexInputs = robust ? VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT
                                                                  : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    r.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT;
    VkComputePipelineCreateInfo i{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, &r};
    const Spirv code = SPIRV(outside_comp);
    i.stage = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, &r, 0, VK_SHADER_STAGE_COMPUTE_BIT, shader(code.words, code.bytes), "main"};
    i.layout = l;
    VkPipeline p = VK_NULL_HANDLE;
    VK_OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
    std::memset(out.map, 0xEE, out.size);
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      vkCmdDispatch(c, 1, 1, 1);
    });
    vkDestroyPipeline(device, p, nullptr);
    const auto* got = reinterpret_cast<const uint32_t*>(out.map);
    for (uint32_t n = 0; n < kPlaces * kPlaces; ++n) {
      const bool inside = n % kPlaces - 4 < kSide && n / kPlaces - 4 < kSide;
      ASSERT_EQ(got[n], n >= kWords ? 0xEEEEEEEE : inside ? n + 1 : 0) << n;
    }
  }
}

}  // namespace
}  // namespace vktest
