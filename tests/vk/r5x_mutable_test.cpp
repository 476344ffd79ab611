// SPDX-License-Identifier: MIT
/// r5x: VK_EXT_mutable_descriptor_type.
#include <array>
#include <cstdint>

#include "mutable.comp.h"
#include "tests/vk/compute_fixture.h"

namespace vktest {
namespace {

class Mutable : public ComputeFixture {
 protected:
  static constexpr uint32_t kTypes = 5;
  static constexpr VkDescriptorType kEach[kTypes] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                     VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                     VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
  Mutable() {
    api_version = VK_API_VERSION_1_1;
    instance_extensions.clear();
    device_extensions = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME, VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME};
    mutable_.mutableDescriptorType = indexing_.shaderUniformTexelBufferArrayDynamicIndexing = VK_TRUE;
    device_next = &mutable_;
  }
  /// Binding 0 is a buffer, binding 1 kTypes descriptors of `types`.
  VkDescriptorSetLayoutCreateInfo info(const VkMutableDescriptorTypeCreateInfoEXT* types) {
    static const VkDescriptorSetLayoutBinding kBindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
        {1, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, kTypes, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
    return {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, types, 0, 2, kBindings};
  }

  VkMutableDescriptorTypeListEXT lists_[2] = {{0, nullptr}, {kTypes, kEach}};
  VkMutableDescriptorTypeCreateInfoEXT types_{VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, nullptr, 2, lists_};

 private:
  VkPhysicalDeviceDescriptorIndexingFeatures indexing_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
  VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
                                                            &indexing_};
};

TEST_F(Mutable, LayoutsOfTypesThatShareBytes) {
  VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
  const auto good = info(&types_);
  vkGetDescriptorSetLayoutSupport(device, &good, &support);
  EXPECT_TRUE(support.supported);
}

TEST_F(Mutable, EachDescriptorIsWhatWasWrittenLast) {
  const auto li = info(&types_);
  VkDescriptorSetLayout sl = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorSetLayout(device, &li, nullptr, &sl));
  defer([this, sl] { vkDestroyDescriptorSetLayout(device, sl, nullptr); });
  const VkPipelineLayout l = layout({sl}, kTypes * 4);
  const VkPipeline p = pipeline(SPIRV(mutable_comp), l);
  const Buffer out = words(std::vector<uint32_t>(kTypes)), storage = words({11}), block = words({22, 0, 0, 0}), texels = words({0, 55});
  const Image target =
      image(VK_FORMAT_R32_UINT, 2, 2, {.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, .view = true});
  const Image texture =
      image(VK_FORMAT_R32_UINT, 2, 2, {.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, .view = true});
  for (const Image* i : {&target, &texture}) {
    std::vector<uint8_t> bytes(16);
    bytes[12] = i == &target ? 33 : 44;
    to_general(i->handle, VK_IMAGE_ASPECT_COLOR_BIT);
    Vk::write(*i, bytes);
  }
  VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler = VK_NULL_HANDLE;
  VK_OK(vkCreateSampler(device, &si, nullptr, &sampler));
  VkBufferViewCreateInfo vi{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  vi.buffer = texels.handle, vi.format = VK_FORMAT_R32_UINT, vi.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  VK_OK(vkCreateBufferView(device, &vi, nullptr, &view));

  VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}, {VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 2 * kTypes}};
  VkMutableDescriptorTypeCreateInfoEXT in_pool = types_;
  VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, &in_pool};
  pi.maxSets = 2, pi.poolSizeCount = 2, pi.pPoolSizes = sizes;
  VkDescriptorPool both = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &pi, nullptr, &both));
  const VkDescriptorSet sets[2] = {set(both, sl), set(both, sl)};
  for (const VkDescriptorSet s : sets) write_buffers(s, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {{out.handle, 0, VK_WHOLE_SIZE}});

  const auto check = [&](VkDescriptorSet s, const std::array<int32_t, kTypes>& at, uint32_t stored) {
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      vkCmdPushConstants(c, l, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof at, at.data());
      vkCmdDispatch(c, 1, 1, 1);
    });
    const auto* o = reinterpret_cast<const uint32_t*>(out.map);
    const uint32_t expected[kTypes] = {stored, 22, 33, 44, 55};
    for (uint32_t i = 0; i < kTypes; ++i) EXPECT_EQ(o[i], expected[i]) << i;
    EXPECT_EQ(*reinterpret_cast<const uint32_t*>(storage.map), stored + 1000);
  };
  std::array<int32_t, kTypes> at{};
  for (uint32_t round = 0; round < kTypes; ++round) {
    for (uint32_t t = 0; t < kTypes; ++t) {
      at[t] = static_cast<int32_t>((t + round) % kTypes);
      VkWriteDescriptorSet w = write(sets[0], 1, static_cast<uint32_t>(at[t]), kEach[t], 1);
      const VkDescriptorBufferInfo b{t ? block.handle : storage.handle, 0, VK_WHOLE_SIZE};
      const VkDescriptorImageInfo i{sampler, t == 2 ? target.view : texture.view, VK_IMAGE_LAYOUT_GENERAL};
      w.pBufferInfo = &b, w.pImageInfo = &i, w.pTexelBufferView = &view;
      vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
    }
    check(sets[0], at, 11 + 1000 * round);
  }
  // Copies take the type with them.
  VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET};
  copy.srcSet = sets[0], copy.srcBinding = 1, copy.dstSet = sets[1], copy.dstBinding = 1, copy.descriptorCount = kTypes;
  vkUpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  check(sets[1], at, 11 + 1000 * kTypes);
  vkDestroyDescriptorPool(device, both, nullptr);
  vkDestroyBufferView(device, view, nullptr);
  vkDestroySampler(device, sampler, nullptr);
}

}  // namespace
}  // namespace vktest
