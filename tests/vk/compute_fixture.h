// SPDX-License-Identifier: MIT
/// Compute pipelines and descriptor sets, for tests of r5x.
#pragma once
#include <numeric>

#include "tests/vk/render_fixture.h"

namespace vktest {

class ComputeFixture : public Vk {
 protected:
  ComputeFixture() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    device_extensions = {VK_KHR_MAINTENANCE1_EXTENSION_NAME, VK_KHR_DESCRIPTOR_UPDATE_TEMPLATE_EXTENSION_NAME,
                         VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
  }

  VkDescriptorSetLayout set_layout(std::vector<VkDescriptorSetLayoutBinding> bindings, VkDescriptorSetLayoutCreateFlags flags = 0) {
    VkDescriptorSetLayoutCreateInfo i{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    i.flags = flags;
    i.bindingCount = static_cast<uint32_t>(bindings.size());
    i.pBindings = bindings.data();
    VkDescriptorSetLayout l = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateDescriptorSetLayout(device, &i, nullptr, &l));
    defer([this, l] { vkDestroyDescriptorSetLayout(device, l, nullptr); });
    return l;
  }
  VkPipelineLayout layout(std::vector<VkDescriptorSetLayout> sets, uint32_t push_bytes = 0) {
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
    VkPipelineLayoutCreateInfo i{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    i.setLayoutCount = static_cast<uint32_t>(sets.size());
    i.pSetLayouts = sets.data();
    i.pushConstantRangeCount = push_bytes ? 1 : 0;
    i.pPushConstantRanges = &range;
    VkPipelineLayout l = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreatePipelineLayout(device, &i, nullptr, &l));
    defer([this, l] { vkDestroyPipelineLayout(device, l, nullptr); });
    return l;
  }
  VkPipeline pipeline(Spirv code, VkPipelineLayout l, const VkSpecializationInfo* special = nullptr,
                      VkPipelineCache cache = VK_NULL_HANDLE) {
    VkComputePipelineCreateInfo i{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    i.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    i.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    i.stage.module = shader(code.words, code.bytes);
    i.stage.pName = "main";
    i.stage.pSpecializationInfo = special;
    i.layout = l;
    VkPipeline p = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateComputePipelines(device, cache, 1, &i, nullptr, &p));
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  }
  VkDescriptorPool descriptor_pool(uint32_t sets, std::vector<VkDescriptorPoolSize> sizes,
                                   VkDescriptorPoolCreateFlags flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT) {
    VkDescriptorPoolCreateInfo i{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    i.flags = flags;
    i.maxSets = sets;
    i.poolSizeCount = static_cast<uint32_t>(sizes.size());
    i.pPoolSizes = sizes.data();
    VkDescriptorPool p = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateDescriptorPool(device, &i, nullptr, &p));
    defer([this, p] { vkDestroyDescriptorPool(device, p, nullptr); });
    return p;
  }
  VkDescriptorSet set(VkDescriptorPool from, VkDescriptorSetLayout l, VkResult expected = VK_SUCCESS) {
    VkDescriptorSetAllocateInfo i{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    i.descriptorPool = from;
    i.descriptorSetCount = 1;
    i.pSetLayouts = &l;
    VkDescriptorSet s = VK_NULL_HANDLE;
    EXPECT_EQ(expected, vkAllocateDescriptorSets(device, &i, &s));
    return s;
  }
  static VkWriteDescriptorSet write(VkDescriptorSet s, uint32_t binding, uint32_t element, VkDescriptorType type, uint32_t count) {
    VkWriteDescriptorSet w{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    w.dstSet = s, w.dstBinding = binding, w.dstArrayElement = element, w.descriptorType = type, w.descriptorCount = count;
    return w;
  }
  VkBufferView buffer_view(const Buffer& of, VkFormat format, VkDeviceSize range = VK_WHOLE_SIZE) {
    VkBufferViewCreateInfo i{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
    i.buffer = of.handle, i.format = format, i.range = range;
    VkBufferView v = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateBufferView(device, &i, nullptr, &v));
    defer([this, v] { vkDestroyBufferView(device, v, nullptr); });
    return v;
  }
  void write_buffers(VkDescriptorSet s, uint32_t binding, VkDescriptorType type, std::vector<VkDescriptorBufferInfo> infos,
                     uint32_t element = 0) {
    VkWriteDescriptorSet w = write(s, binding, element, type, static_cast<uint32_t>(infos.size()));
    w.pBufferInfo = infos.data();
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  }
  Buffer words(std::vector<uint32_t> values) {
    constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                          VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
    Buffer b = buffer(values.size() * 4, kUsage);
    std::memcpy(b.map, values.data(), values.size() * 4);
    return b;
  }
  static std::vector<uint32_t> counting(uint32_t first, size_t n) {
    std::vector<uint32_t> v(n);
    std::iota(v.begin(), v.end(), first);
    return v;
  }
  static constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                    kDynamic = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
};

}  // namespace vktest
