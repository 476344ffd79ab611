// SPDX-License-Identifier: MIT
/// r5x: VK_EXT_descriptor_indexing.
#include <cstdint>
#include <cstring>

#include "indexing.comp.h"
#include "tests/vk/compute_fixture.h"

namespace vktest {
namespace {

class Indexing : public ComputeFixture {
 protected:
  static constexpr uint32_t kInvocations = 32, kCount = 5, kRoom = 12, kVariable = 3;
  static constexpr uint32_t kLast = 65534;  ///< binding; numbers may be large
  static constexpr VkDescriptorType kTypes[] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,         VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,   VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                                                VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                                VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,          VK_DESCRIPTOR_TYPE_SAMPLER};
  VkPhysicalDeviceDescriptorIndexingFeatures features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};

  Indexing() {
    device_extensions.push_back(VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME);
    device_extensions.push_back(VK_KHR_MAINTENANCE3_EXTENSION_NAME);
    api_version = VK_API_VERSION_1_1;
    // All that there are.
    auto* first = &features.shaderInputAttachmentArrayDynamicIndexing;
    for (VkBool32* f = first; f <= &features.runtimeDescriptorArray; ++f) *f = VK_TRUE;
    device_next = &features;
  }
  void SetUp() override {
    ComputeFixture::SetUp();
    if (!device) return;
    for (uint32_t k = 0; k < kRoom; ++k) {
      buffers.push_back(words({100 + k, 0, 0x20000 * (k + 1), 300 + k}));
      texels.push_back(buffer_view(buffers.back(), VK_FORMAT_R32_UINT));
      ImageOptions o;
      o.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
      o.view = true;
      textures.push_back(usable(image(VK_FORMAT_R32_UINT, 4, 1, o)));
      const uint32_t pixels[4] = {k, k + 1000, k + 2000, k + 3000};
      Vk::write(textures.back(),
                std::vector<uint8_t>(reinterpret_cast<const uint8_t*>(pixels), reinterpret_cast<const uint8_t*>(pixels + 4)));
      o.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
      images.push_back(usable(image(VK_FORMAT_R32_UINT, kInvocations, 1, o)));
      Vk::write(images.back(), std::vector<uint8_t>(kInvocations * 4));
      VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
      si.addressModeU = k % 2 ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : VK_SAMPLER_ADDRESS_MODE_REPEAT;
      VkSampler s = VK_NULL_HANDLE;
      VK_OK(vkCreateSampler(device, &si, nullptr, &s));
      defer([this, s] { vkDestroySampler(device, s, nullptr); });
      samplers.push_back(s);
    }
    result = words(std::vector<uint32_t>(kInvocations * 8, 77));
  }
  Image usable(Image i) {
    run([&](VkCommandBuffer c) {
      VkImageMemoryBarrier b{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
      b.newLayout = VK_IMAGE_LAYOUT_GENERAL, b.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
      b.srcQueueFamilyIndex = b.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      b.image = i.handle, b.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &b);
    });
    return i;
  }
  static VkDescriptorSetLayoutBinding array(uint32_t binding, VkDescriptorType type, uint32_t count) {
    return {binding, type, count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  /// Every binding may be written after it is bound and need not be whole; the last has a variable count if `variable`.
  VkDescriptorSetLayout arrays(std::vector<VkDescriptorSetLayoutBinding> bindings, bool variable) {
    std::vector<VkDescriptorBindingFlags> flags(bindings.size(),
                                                VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
    if (variable) flags.back() |= VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    VkDescriptorSetLayoutBindingFlagsCreateInfo fi{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
    fi.bindingCount = static_cast<uint32_t>(flags.size()), fi.pBindingFlags = flags.data();
    VkDescriptorSetLayoutCreateInfo i{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    i.pNext = &fi;
    i.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    i.bindingCount = static_cast<uint32_t>(bindings.size()), i.pBindings = bindings.data();
    VkDescriptorSetLayout l = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateDescriptorSetLayout(device, &i, nullptr, &l));
    defer([this, l] { vkDestroyDescriptorSetLayout(device, l, nullptr); });
    return l;
  }
  VkDescriptorSetLayout main_layout() {
    std::vector<VkDescriptorSetLayoutBinding> bindings{array(0, kStorage, 1)};
    for (uint32_t i = 0; i < std::size(kTypes); ++i) bindings.push_back(array(i + 1, kTypes[i], kRoom));
    return arrays(bindings, false);
  }
  VkDescriptorSetLayout variable_layout(uint32_t most) { return arrays({array(0, kUniform, 2), array(kLast, kStorage, most)}, true); }
  VkResult sets_of(VkDescriptorPool from, VkDescriptorSetLayout l, std::vector<uint32_t> counts, VkDescriptorSet* out) {
    VkDescriptorSetVariableDescriptorCountAllocateInfo v{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO};
    v.descriptorSetCount = static_cast<uint32_t>(counts.size()), v.pDescriptorCounts = counts.data();
    const std::vector<VkDescriptorSetLayout> layouts(counts.size(), l);
    VkDescriptorSetAllocateInfo i{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    i.pNext = &v;
    i.descriptorPool = from, i.descriptorSetCount = v.descriptorSetCount, i.pSetLayouts = layouts.data();
    return vkAllocateDescriptorSets(device, &i, out);
  }
  /// Element `at` + k of every array is number `which` + k of its kind.
  void fill(VkDescriptorSet s, uint32_t at, uint32_t which, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k)
      for (uint32_t t = 0; t < std::size(kTypes); ++t) {
        const VkDescriptorBufferInfo b{buffers[which + k].handle, 0, VK_WHOLE_SIZE};
        const bool stored = kTypes[t] == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        const VkDescriptorImageInfo i{samplers[which + k], (stored ? images : textures)[which + k].view, VK_IMAGE_LAYOUT_GENERAL};
        VkWriteDescriptorSet w = write(s, t + 1, at + k, kTypes[t], 1);
        w.pBufferInfo = &b, w.pImageInfo = &i, w.pTexelBufferView = &texels[which + k];
        vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
      }
  }
  void expect(uint32_t which, const char* what) {
    SCOPED_TRACE(what);
    std::vector<std::vector<uint8_t>> stored;
    for (const Image& i : images) stored.push_back(read(i, 4));
    for (uint32_t i = 0; i < kInvocations; ++i) {
      const uint32_t k = which + i * 7 % kCount;
      const uint32_t* r = result.as<uint32_t>() + i * 8;
      EXPECT_EQ(r[0], 100 + k) << "uniform buffer " << i;
      EXPECT_EQ(r[1], 100 + k) << "storage buffer " << i;
      EXPECT_EQ(r[2] & 0xFFFF0000u, 0u) << "texel buffer " << i;
      EXPECT_EQ(r[3], 0x20000 * (k + 1)) << "storage texel buffer " << i;
      EXPECT_EQ(r[4], k + 3000) << "combined image sampler " << i;
      EXPECT_EQ(r[5], k % 2 ? k + 3000 : k + 1000) << "image and sampler " << i;
      EXPECT_EQ(r[6], 100 + kRoom - 1 - i % kVariable) << "variable count " << i;
      uint32_t pixel = 0;
      std::memcpy(&pixel, &stored[k][i * 4], 4);
      EXPECT_EQ(pixel, i + 1000) << "storage image " << i;
    }
  }

  std::vector<Buffer> buffers;
  std::vector<VkBufferView> texels;
  std::vector<Image> textures, images;
  std::vector<VkSampler> samplers;
  Buffer result;
};

TEST_F(Indexing, EachInvocationChoosesItsOwnAndSetsChangeAfterTheyAreBound) {
  const VkDescriptorSetLayout l[2] = {main_layout(), variable_layout(1000)};
  const VkPipelineLayout pl = layout({l[0], l[1]}, 12);
  const VkPipeline p = pipeline(SPIRV(indexing_comp), pl);
  std::vector<VkDescriptorPoolSize> sizes;
  for (const VkDescriptorType t : kTypes) sizes.push_back({t, kRoom + 4});
  const VkDescriptorPool from = descriptor_pool(2, sizes, VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT);
  VkDescriptorSet sets[2] = {set(from, l[0]), VK_NULL_HANDLE};
  VK_OK(sets_of(from, l[1], {kVariable}, &sets[1]));
  for (uint32_t k = 0; k < kVariable; ++k) write_buffers(sets[1], kLast, kStorage, {{buffers[kRoom - 1 - k].handle, 0, VK_WHOLE_SIZE}}, k);
  const uint32_t push[3] = {4, kCount, kVariable};  // elements 0 to 3 and 9 on are never written
  const VkCommandBuffer c = command_buffer();
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
  vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 2, sets, 0, nullptr);
  vkCmdPushConstants(c, pl, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, push);
  vkCmdDispatch(c, 1, 1, 1);
  VK_OK(vkEndCommandBuffer(c));
  write_buffers(sets[0], 0, kStorage, {{result.handle, 0, VK_WHOLE_SIZE}});
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1, si.pCommandBuffers = &c;
  for (const uint32_t which : {0u, 3u, 6u}) {
    fill(sets[0], push[0], which, kCount);
    VK_OK(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
    VK_OK(vkQueueWaitIdle(queue));
    expect(which, which ? "other descriptors" : "first descriptors");
  }
}

TEST_F(Indexing, VariableCounts) {
  const VkDescriptorSetLayout l = variable_layout(1000);
  // Room for what the sets have, not for what the layout could: 2 uniform buffers in each.
  const VkDescriptorPool from =
      descriptor_pool(3, {{kUniform, 6}, {kStorage, 10}},
                      VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT);
  VkDescriptorSet sets[3];
  VK_OK(sets_of(from, l, {4, 0, 6}, sets));
  VK_OK(vkFreeDescriptorSets(device, from, 3, sets));
  EXPECT_EQ(VK_ERROR_OUT_OF_POOL_MEMORY, sets_of(from, l, {4, 0, 7}, sets));
  VK_OK(sets_of(from, l, {10, 0, 0}, sets));

  VkDescriptorSetVariableDescriptorCountLayoutSupport most{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
  VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, &most, VK_FALSE};
  const VkDescriptorSetLayoutBinding bindings[2] = {array(7, kStorage, 500), array(1, kUniform, 36)};
  const VkDescriptorBindingFlags flags[2] = {VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT, 0};
  VkDescriptorSetLayoutBindingFlagsCreateInfo fi{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
  fi.bindingCount = 2, fi.pBindingFlags = flags;
  VkDescriptorSetLayoutCreateInfo i{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  i.pNext = &fi, i.bindingCount = 2, i.pBindings = bindings;
  vkGetDescriptorSetLayoutSupport(device, &i, &support);
  EXPECT_EQ(support.supported, VK_TRUE);
  EXPECT_EQ(most.maxVariableDescriptorCount, 65536u - 36);
}

}  // namespace
}  // namespace vktest
