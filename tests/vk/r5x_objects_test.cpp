// SPDX-License-Identifier: MIT
/// r5x: extensions about objects and their making. Inline uniform blocks, VK_KHR_maintenance4, private data, feedback and cache control of
/// pipelines, usage of stencil, alignment of texel buffers, calibrated timestamps, tools, fences that cannot be exported.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "full.vert.h"
#include "inline.comp.h"
#include "local_size.comp.h"
#include "stencil.comp.h"
#include "tests/vk/compute_fixture.h"
#include "texel_offsets.comp.h"
#include "vec2_in.frag.h"
#include "vec4_out.vert.h"

namespace vktest {
namespace {

class Objects : public ComputeFixture {
 protected:
  Objects() {
    api_version = VK_API_VERSION_1_1;
    instance_extensions.clear();
    device_extensions = {VK_KHR_DESCRIPTOR_UPDATE_TEMPLATE_EXTENSION_NAME,
                         VK_EXT_INLINE_UNIFORM_BLOCK_EXTENSION_NAME,
                         VK_KHR_MAINTENANCE_1_EXTENSION_NAME,
                         VK_KHR_MAINTENANCE_4_EXTENSION_NAME,
                         VK_EXT_PRIVATE_DATA_EXTENSION_NAME,
                         VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME,
                         VK_EXT_PIPELINE_CREATION_CACHE_CONTROL_EXTENSION_NAME,
                         VK_EXT_SEPARATE_STENCIL_USAGE_EXTENSION_NAME,
                         VK_EXT_TEXEL_BUFFER_ALIGNMENT_EXTENSION_NAME,
                         VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
                         VK_KHR_EXTERNAL_FENCE_EXTENSION_NAME,
                         VK_EXT_MEMORY_BUDGET_EXTENSION_NAME,
                         VK_EXT_TOOLING_INFO_EXTENSION_NAME};
    inline_.inlineUniformBlock = four_.maintenance4 = private_.privateData = control_.pipelineCreationCacheControl =
        alignment_.texelBufferAlignment = VK_TRUE;
    device_next = &inline_;
  }

  VkPhysicalDevicePrivateDataFeatures private_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES};
  VkPhysicalDeviceInlineUniformBlockFeatures inline_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES, &four_};

  template <class P>
  P properties(VkStructureType type) {
    P p{type};
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &p};
    vkGetPhysicalDeviceProperties2(physical, &all);
    return p;
  }
  void dispatch(VkPipeline p, VkPipelineLayout l, VkDescriptorSet s, uint32_t push = 0, uint32_t groups = 1, uint32_t rows = 1) {
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      if (push != ~0u) vkCmdPushConstants(c, l, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
      vkCmdDispatch(c, groups, rows, 1);
    });
  }

 private:
  VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT alignment_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT,
                                                             &private_};
  VkPhysicalDevicePipelineCreationCacheControlFeatures control_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
                                                                &alignment_};
  VkPhysicalDeviceMaintenance4Features four_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, &control_};
};

constexpr VkDescriptorType kInline = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;

TEST_F(Objects, InlineUniformBlocks) {
  const auto limits =
      properties<VkPhysicalDeviceInlineUniformBlockProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES);
  EXPECT_GE(limits.maxInlineUniformBlockSize, 256u);
  EXPECT_GE(limits.maxDescriptorSetInlineUniformBlocks, 4u);
  const std::vector<VkDescriptorSetLayoutBinding> bindings = {{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                              {1, kInline, 32, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                              {2, kUniform, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                              {5, kInline, 256, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
  VkDescriptorSetLayoutCreateInfo li{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  li.bindingCount = 4, li.pBindings = bindings.data();
  VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
  vkGetDescriptorSetLayoutSupport(device, &li, &support);
  EXPECT_TRUE(support.supported);
  const VkDescriptorSetLayout sl = set_layout(bindings);
  const VkPipelineLayout l = layout({sl}, 4);
  const VkPipeline p = pipeline(SPIRV(inline_comp), l);
  // Exactly what two sets need.
  const VkDescriptorPoolInlineUniformBlockCreateInfo blocks{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, nullptr, 4};
  const VkDescriptorPoolSize sizes[] = {{kStorage, 2}, {kInline, 2 * 288}, {kUniform, 2}};
  const VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, &blocks, 0, 2, 3, sizes};
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &pi, nullptr, &descriptors));
  defer([=, this] { vkDestroyDescriptorPool(device, descriptors, nullptr); });
  const VkDescriptorSet a = set(descriptors, sl), b = set(descriptors, sl);
  Buffer out = words(std::vector<uint32_t>(4)), plain = words({10, 20, 30, 40});
  for (const VkDescriptorSet s : {a, b}) {
    write_buffers(s, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
    write_buffers(s, 2, kUniform, {{plain.handle, 0, VK_WHOLE_SIZE}});
  }
  const auto write_bytes = [&](VkDescriptorSet s, uint32_t binding, uint32_t offset, const std::vector<uint32_t>& data) {
    const VkWriteDescriptorSetInlineUniformBlock block{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, nullptr,
                                                       static_cast<uint32_t>(data.size() * 4), data.data()};
    VkWriteDescriptorSet w = write(s, binding, offset, kInline, block.dataSize);
    w.pNext = &block;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  };
  write_bytes(a, 1, 0, counting(100, 8));
  write_bytes(a, 5, 0, counting(200, 64));
  const auto results = [&](VkDescriptorSet s, uint32_t at) {
    dispatch(p, l, s, at);
    return std::vector<uint32_t>(out.as<uint32_t>(), out.as<uint32_t>() + 4);
  };
  EXPECT_EQ(results(a, 3), (std::vector<uint32_t>{207, 20, 202, 200 + 4 + 12 + 1}));
  // A part; and all of the other set by a template and by copies of parts.
  write_bytes(a, 1, 28, {1000});
  EXPECT_EQ(results(a, 14)[0], 1100u);
  std::vector<uint32_t> data = counting(300, 8);
  const VkDescriptorUpdateTemplateEntry entry{1, 0, 32, kInline, 0, 0};
  VkDescriptorUpdateTemplateCreateInfo ti{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  ti.descriptorUpdateEntryCount = 1, ti.pDescriptorUpdateEntries = &entry, ti.descriptorSetLayout = sl;
  VkDescriptorUpdateTemplate t = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorUpdateTemplate(device, &ti, nullptr, &t));
  defer([=, this] { vkDestroyDescriptorUpdateTemplate(device, t, nullptr); });
  vkUpdateDescriptorSetWithTemplate(device, b, t, data.data());
  const auto copy = [&](uint32_t from, uint32_t to, uint32_t bytes) {
    const VkCopyDescriptorSet c{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, a, 5, from, b, 5, to, bytes};
    vkUpdateDescriptorSets(device, 0, nullptr, 1, &c);
  };
  copy(0, 0, 256);
  copy(4, 8, 4);  // head.z = what head.y was
  EXPECT_EQ(results(b, 14), (std::vector<uint32_t>{607, 20, 201, 200 + 60 + 1}));
  EXPECT_EQ(results(a, 0)[2], 202u);  // the other set is as it was
  // Beyond the block: zeros, as beyond any uniform buffer.
  EXPECT_EQ(results(b, 15)[3], 0u);
  // No set is left.
  set(descriptors, sl, VK_ERROR_OUT_OF_POOL_MEMORY);
}

void expect_same(const VkMemoryRequirements& a, const VkMemoryRequirements& b) {
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.alignment, b.alignment);
  EXPECT_EQ(a.memoryTypeBits, b.memoryTypeBits);
}

TEST_F(Objects, RequirementsOfWhatDoesNotExistYet) {
  VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  bi.size = 1001, bi.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  VkMemoryRequirements2 before{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  VkMemoryRequirements after;
  const VkDeviceBufferMemoryRequirements bq{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, nullptr, &bi};
  vkGetDeviceBufferMemoryRequirementsKHR(device, &bq, &before);
  VkBuffer b = VK_NULL_HANDLE;
  VK_OK(vkCreateBuffer(device, &bi, nullptr, &b));
  vkGetBufferMemoryRequirements(device, b, &after);
  vkDestroyBuffer(device, b, nullptr);
  expect_same(before.memoryRequirements, after);
  EXPECT_GE(after.size, 1001u);
  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  ii.imageType = VK_IMAGE_TYPE_2D, ii.format = VK_FORMAT_R16G16B16A16_SFLOAT, ii.extent = {37, 21, 1}, ii.mipLevels = 4, ii.arrayLayers = 3;
  ii.samples = VK_SAMPLE_COUNT_1_BIT, ii.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  VkMemoryDedicatedRequirements dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS, nullptr, VK_TRUE, VK_TRUE};
  before.pNext = &dedicated;
  const VkDeviceImageMemoryRequirements iq{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, nullptr, &ii, VK_IMAGE_ASPECT_NONE};
  vkGetDeviceImageMemoryRequirementsKHR(device, &iq, &before);
  VkImage i = VK_NULL_HANDLE;
  VK_OK(vkCreateImage(device, &ii, nullptr, &i));
  vkGetImageMemoryRequirements(device, i, &after);
  vkDestroyImage(device, i, nullptr);
  expect_same(before.memoryRequirements, after);
  EXPECT_FALSE(dedicated.requiresDedicatedAllocation || dedicated.prefersDedicatedAllocation);
  uint32_t count = 7;
  vkGetDeviceImageSparseMemoryRequirementsKHR(device, &iq, &count, nullptr);
  EXPECT_EQ(count, 0u);
  EXPECT_GE(properties<VkPhysicalDeviceMaintenance4Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES).maxBufferSize,
            uint64_t{1} << 30);
}

/// The module with its workgroup's size said by OpExecutionModeId LocalSizeId instead of by a decorated constant.
std::vector<uint32_t> with_size_id(const uint32_t* words, size_t bytes) {
  constexpr uint32_t kMode = 16, kModeId = 331, kLocalSize = 17, kLocalSizeId = 38, kDecorate = 71, kBuiltin = 11, kWorkgroupSize = 25,
                     kSpecConstantComposite = 51, kVersion12 = 0x00010200;
  std::vector<uint32_t> w(words, words + bytes / 4);
  w[1] = std::max(w[1], kVersion12);
  size_t mode = 0;
  uint32_t size = 0;
  for (size_t at = 5; at < w.size();) {
    const uint32_t op = w[at] & 0xFFFF;
    const auto end = at + (w[at] >> 16);
    if (op == kDecorate && w[at + 2] == kBuiltin && w[at + 3] == kWorkgroupSize) {
      size = w[at + 1];
      w.erase(w.begin() + static_cast<ptrdiff_t>(at), w.begin() + static_cast<ptrdiff_t>(end));
      continue;
    }
    if (op == kMode && w[at + 2] == kLocalSize) mode = at;
    if (op == kSpecConstantComposite && w[at + 2] == size && mode) {
      w[mode] = kModeId | 6 << 16;
      w[mode + 2] = kLocalSizeId;
      for (size_t k = 0; k < 3; ++k) w[mode + 3 + k] = w[at + 3 + k];
    }
    at = end;
  }
  return w;
}

TEST_F(Objects, WorkgroupsWhoseSizeIsAnId) {
  const std::vector<uint32_t> code = with_size_id(local_size_comp, sizeof local_size_comp);
  ASSERT_EQ(1, std::count(code.begin(), code.end(), 331u | 6u << 16));  // OpExecutionModeId
  const VkDescriptorSetLayout sl = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  const uint32_t values[2] = {6, 5};
  const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
  const VkSpecializationInfo special{2, entries, sizeof values, values};
  const VkPipeline p = pipeline({code.data(), code.size() * 4}, l, &special);
  Buffer out = words({0});
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}}), sl);
  write_buffers(s, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  dispatch(p, l, s, ~0u, 3);
  EXPECT_EQ(*out.as<uint32_t>(), 90u);
}

TEST_F(Objects, PrivateData) {
  VkPrivateDataSlotCreateInfo i{VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
  VkPrivateDataSlot slots[2];
  for (VkPrivateDataSlot& s : slots) VK_OK(vkCreatePrivateDataSlotEXT(device, &i, nullptr, &s));
  const auto get = [&](VkObjectType type, auto handle, VkPrivateDataSlot s) {
    uint64_t v = 12345;
    vkGetPrivateDataEXT(device, type, (uint64_t)handle, s, &v);
    return v;
  };
  const auto put = [&](VkObjectType type, auto handle, VkPrivateDataSlot s, uint64_t v) {
    EXPECT_EQ(VK_SUCCESS, vkSetPrivateDataEXT(device, type, (uint64_t)handle, s, v));
  };
  const Buffer b = buffer(16), other = buffer(16);
  EXPECT_EQ(get(VK_OBJECT_TYPE_BUFFER, b.handle, slots[0]), 0u);
  put(VK_OBJECT_TYPE_BUFFER, b.handle, slots[0], ~uint64_t{0});
  put(VK_OBJECT_TYPE_BUFFER, b.handle, slots[1], 2);
  put(VK_OBJECT_TYPE_BUFFER, other.handle, slots[0], 3);
  put(VK_OBJECT_TYPE_DEVICE, device, slots[0], 4);
  put(VK_OBJECT_TYPE_QUEUE, queue, slots[0], 5);
  EXPECT_EQ(get(VK_OBJECT_TYPE_BUFFER, b.handle, slots[0]), ~uint64_t{0});
  EXPECT_EQ(get(VK_OBJECT_TYPE_BUFFER, b.handle, slots[1]), 2u);
  EXPECT_EQ(get(VK_OBJECT_TYPE_BUFFER, other.handle, slots[0]), 3u);
  EXPECT_EQ(get(VK_OBJECT_TYPE_BUFFER, other.handle, slots[1]), 0u);
  EXPECT_EQ(get(VK_OBJECT_TYPE_DEVICE, device, slots[0]), 4u);
  EXPECT_EQ(get(VK_OBJECT_TYPE_QUEUE, queue, slots[0]), 5u);
  // Neither a new object nor a new slot begins with what another one had.
  for (int n = 0; n < 64; ++n) {
    VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence f = VK_NULL_HANDLE;
    VK_OK(vkCreateFence(device, &fi, nullptr, &f));
    EXPECT_EQ(get(VK_OBJECT_TYPE_FENCE, f, slots[0]), 0u);
    put(VK_OBJECT_TYPE_FENCE, f, slots[0], 77);
    vkDestroyFence(device, f, nullptr);
  }
  vkDestroyPrivateDataSlotEXT(device, slots[0], nullptr);
  VK_OK(vkCreatePrivateDataSlotEXT(device, &i, nullptr, &slots[0]));
  EXPECT_EQ(get(VK_OBJECT_TYPE_BUFFER, b.handle, slots[0]), 0u);
  EXPECT_EQ(get(VK_OBJECT_TYPE_BUFFER, b.handle, slots[1]), 2u);
  for (VkPrivateDataSlot s : slots) vkDestroyPrivateDataSlotEXT(device, s, nullptr);
}

TEST_F(Objects, FeedbackAndControlOfCaches) {
  const VkDescriptorSetLayout sl = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  VkPipelineCacheCreateInfo ci{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  ci.flags = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(vkCreatePipelineCache(device, &ci, nullptr, &cache));
  defer([=, this] { vkDestroyPipelineCache(device, cache, nullptr); });
  VkPipelineCreationFeedback feedback[2], stages[2];
  VkPipelineCreationFeedbackCreateInfo fi[2];
  VkComputePipelineCreateInfo infos[2];
  const uint32_t sizes[2] = {3, 4};
  const VkSpecializationMapEntry entry{0, 0, 4};
  VkSpecializationInfo special[2];
  const VkShaderModule module = shader(local_size_comp, sizeof local_size_comp);
  for (int i = 0; i < 2; ++i) {
    fi[i] = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr, &feedback[i], 1, &stages[i]};
    special[i] = {1, &entry, 4, &sizes[i]};
    infos[i] = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, &fi[i]};
    infos[i].stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    infos[i].stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, infos[i].stage.module = module, infos[i].stage.pName = "main";
    infos[i].stage.pSpecializationInfo = &special[i];
    infos[i].layout = l;
  }
  VkPipeline made[2];
  const auto create = [&](VkPipelineCreateFlags first, VkPipelineCreateFlags second) {
    infos[0].flags = first, infos[1].flags = second;
    std::memset(feedback, 0xFF, sizeof feedback);
    std::memset(stages, 0xFF, sizeof stages);
    made[0] = made[1] = reinterpret_cast<VkPipeline>(uintptr_t{1});
    return vkCreateComputePipelines(device, cache, 2, infos, nullptr, made);
  };
  const auto destroy_all = [&] {
    for (VkPipeline p : made) vkDestroyPipeline(device, p, nullptr);
  };
  constexpr VkPipelineCreateFlags kFail = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
                                  kEarly = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
  constexpr VkPipelineCreationFeedbackFlags kValid = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
                                            kHit = VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  // Nothing is there: neither is made, or the second is because it may compile.
  EXPECT_EQ(VK_PIPELINE_COMPILE_REQUIRED, create(kFail | kEarly, 0));
  EXPECT_TRUE(!made[0] && !made[1]);
  EXPECT_EQ(VK_PIPELINE_COMPILE_REQUIRED, create(kFail, 0));
  EXPECT_TRUE(!made[0] && made[1]);
  EXPECT_EQ(feedback[1].flags, kValid);
  EXPECT_GT(feedback[1].duration, 0u);
  EXPECT_FALSE(stages[1].flags & kValid);  // stages are not timed
  destroy_all();
  // Now the second one is in the cache.
  VK_OK(create(0, kFail));
  EXPECT_EQ(feedback[0].flags, kValid);
  EXPECT_EQ(feedback[1].flags, kValid | kHit);
  destroy_all();
  VK_OK(create(kFail, kFail));
  EXPECT_EQ(feedback[0].flags, kValid | kHit);
  // They work.
  Buffer out = words({0});
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}}), sl);
  write_buffers(s, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  dispatch(made[0], l, s, ~0u);
  EXPECT_EQ(*out.as<uint32_t>(), 3u);
  destroy_all();
}

TEST_F(Objects, StencilHasAUsageOfItsOwn) {
  constexpr uint32_t kSize = 16;
  constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  VkImageStencilUsageCreateInfo stencil{VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO};
  stencil.stencilUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkPhysicalDeviceImageFormatInfo2 qi{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                      &stencil,
                                      kFormat,
                                      VK_IMAGE_TYPE_2D,
                                      VK_IMAGE_TILING_OPTIMAL,
                                      VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                      0};
  VkImageFormatProperties2 q{VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
  EXPECT_EQ(VK_SUCCESS, vkGetPhysicalDeviceImageFormatProperties2(physical, &qi, &q));
  stencil.stencilUsage |= VK_IMAGE_USAGE_STORAGE_BIT;  // which the format cannot be
  EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED, vkGetPhysicalDeviceImageFormatProperties2(physical, &qi, &q));
  stencil.stencilUsage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_STORAGE_BIT};

  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, &stencil};
  ii.imageType = VK_IMAGE_TYPE_2D, ii.format = kFormat, ii.extent = {kSize, kSize, 1}, ii.mipLevels = ii.arrayLayers = 1;
  ii.samples = VK_SAMPLE_COUNT_1_BIT, ii.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  Image i;
  VK_OK(vkCreateImage(device, &ii, nullptr, &i.handle));
  VkMemoryRequirements r;
  vkGetImageMemoryRequirements(device, i.handle, &r);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  ai.allocationSize = r.size;
  VK_OK(vkAllocateMemory(device, &ai, nullptr, &i.memory));
  VK_OK(vkBindImageMemory(device, i.handle, i.memory, 0));
  VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  vi.image = i.handle, vi.viewType = VK_IMAGE_VIEW_TYPE_2D, vi.format = kFormat,
  vi.subresourceRange = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
  VK_OK(vkCreateImageView(device, &vi, nullptr, &i.view));
  defer([=, this] {
    vkDestroyImageView(device, i.view, nullptr);
    vkDestroyImage(device, i.handle, nullptr);
    vkFreeMemory(device, i.memory, nullptr);
  });
  to_general(i.handle, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
  const Buffer bytes = buffer(kSize * kSize);
  for (uint32_t k = 0; k < kSize * kSize; ++k) bytes.map[k] = static_cast<uint8_t>(k * 7);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1}, copy.imageExtent = {kSize, kSize, 1};
  run([&](VkCommandBuffer c) {
    vkCmdCopyBufferToImage(c, bytes.handle, i.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
    barrier(c);
  });
  VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler = VK_NULL_HANDLE;
  VK_OK(vkCreateSampler(device, &si, nullptr, &sampler));
  defer([=, this] { vkDestroySampler(device, sampler, nullptr); });
  constexpr VkDescriptorType kCombined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const VkDescriptorSetLayout sl =
      set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}, {1, kCombined, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  const VkPipeline p = pipeline(SPIRV(stencil_comp), l);
  Buffer out = words(std::vector<uint32_t>(kSize * kSize));
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}, {kCombined, 1}}), sl);
  write_buffers(s, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  const VkDescriptorImageInfo image{sampler, i.view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet w = write(s, 1, 0, kCombined, 1);
  w.pImageInfo = &image;
  vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  dispatch(p, l, s, ~0u, 1, kSize);
  for (uint32_t k = 0; k < kSize * kSize; ++k) ASSERT_EQ(out.as<uint32_t>()[k], k * 7 % 256) << k;
}

TEST_F(Objects, TexelBuffersBeginAtAnyTexel) {
  const auto a =
      properties<VkPhysicalDeviceTexelBufferAlignmentProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES);
  ASSERT_TRUE(a.storageTexelBufferOffsetSingleTexelAlignment && a.uniformTexelBufferOffsetSingleTexelAlignment);
  EXPECT_LE(a.storageTexelBufferOffsetAlignmentBytes, 16u);
  EXPECT_LE(a.uniformTexelBufferOffsetAlignmentBytes, 16u);
  constexpr VkDescriptorType kFrom = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kTo = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  const VkDescriptorSetLayout sl = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {1, kFrom, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {2, kTo, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  const VkPipeline p = pipeline(SPIRV(texel_offsets_comp), l);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}, {kFrom, 1}, {kTo, 1}}), sl);
  Buffer out = words(std::vector<uint32_t>(16));
  write_buffers(s, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  const struct {
    VkFormat format;
    uint32_t bytes;
  } cases[] = {{VK_FORMAT_R8_UNORM, 1},       {VK_FORMAT_R8G8_UNORM, 2},          {VK_FORMAT_R16_UNORM, 2},
               {VK_FORMAT_R8G8B8A8_UNORM, 4}, {VK_FORMAT_R32_SFLOAT, 4},          {VK_FORMAT_R16G16B16A16_UNORM, 8},
               {VK_FORMAT_R32G32_SFLOAT, 8},  {VK_FORMAT_R32G32B32A32_SFLOAT, 16}};
  for (const auto& k : cases) {
    SCOPED_TRACE(k.format);
    constexpr uint32_t kTexels = 4, kAt = 3;  // the view begins at texel 3
    Buffer from = words(std::vector<uint32_t>(64)), to = words(std::vector<uint32_t>(64, 0xEEEEEEEE));
    if (k.format == VK_FORMAT_R32_SFLOAT || k.format == VK_FORMAT_R32G32_SFLOAT || k.format == VK_FORMAT_R32G32B32A32_SFLOAT)
      for (uint32_t i = 0; i < 64; ++i) from.as<float>()[i] = static_cast<float>(i) + 0.5f;
    else
      for (uint32_t i = 0; i < 256; ++i) from.map[i] = static_cast<uint8_t>(i * 37 + 11);
    VkBufferView views[2];
    for (int n = 0; n < 2; ++n) {
      VkBufferViewCreateInfo vi{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
      vi.buffer = n ? to.handle : from.handle, vi.format = k.format, vi.offset = kAt * k.bytes, vi.range = kTexels * k.bytes;
      VK_OK(vkCreateBufferView(device, &vi, nullptr, &views[n]));
      defer([this, v = views[n]] { vkDestroyBufferView(device, v, nullptr); });
      VkWriteDescriptorSet w = write(s, 1 + static_cast<uint32_t>(n), 0, n ? kTo : kFrom, 1);
      w.pTexelBufferView = &views[n];
      vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
    }
    dispatch(p, l, s, ~0u);
    for (uint32_t i = 0; i < 256; ++i) {
      const bool inside = i >= kAt * k.bytes && i < (kAt + kTexels) * k.bytes;
      ASSERT_EQ(to.map[i], inside ? from.map[i] : 0xEE) << i;
    }
    if (k.bytes == 1) {
      for (uint32_t i = 0; i < kTexels; ++i) EXPECT_NEAR(out.as<float>()[4 * i], static_cast<float>(from.map[kAt + i]) / 255.0f, 1e-6f);
    }
  }
}

TEST_F(Objects, TimestampsAreOfTheHostsClock) {
  uint32_t count = 0;
  VK_OK(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, nullptr));
  std::vector<VkTimeDomainEXT> domains(count);
  VK_OK(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, domains.data()));
  ASSERT_TRUE(std::count(domains.begin(), domains.end(), VK_TIME_DOMAIN_DEVICE_EXT));
  ASSERT_TRUE(std::count(domains.begin(), domains.end(), VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT));
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_TIMESTAMP, qi.queryCount = 1;
  VkQueryPool queries = VK_NULL_HANDLE;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &queries));
  defer([=, this] { vkDestroyQueryPool(device, queries, nullptr); });
  const auto now = [&](std::vector<VkTimeDomainEXT> of) {
    std::vector<VkCalibratedTimestampInfoEXT> infos;
    for (VkTimeDomainEXT d : of) infos.push_back({VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, d});
    std::vector<uint64_t> t(of.size() + 1);
    EXPECT_EQ(VK_SUCCESS, vkGetCalibratedTimestampsEXT(device, static_cast<uint32_t>(infos.size()), infos.data(), t.data(), &t.back()));
    return t;
  };
  const uint64_t before = now({VK_TIME_DOMAIN_DEVICE_EXT})[0];
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, queries, 0, 1);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
  });
  const std::vector<uint64_t> after = now({VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT});
  uint64_t written = 0;
  VK_OK(vkGetQueryPoolResults(device, queries, 0, 1, 8, &written, 8, VK_QUERY_RESULT_64_BIT));
  EXPECT_LE(before, written);
  EXPECT_LE(written, after[0]);
  EXPECT_LE(after[1] - after[0], after[2]);  // the deviation
}

TEST_F(Objects, FencesAreExportedByTheExtensionForDescriptorsOnly) {
  VkExportFenceCreateInfo e{VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO};
  const VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, &e};
  VkFence f = VK_NULL_HANDLE;
  VK_OK(vkCreateFence(device, &fi, nullptr, &f));
  vkDestroyFence(device, f, nullptr);
  e.handleTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateFence(device, &fi, nullptr, &f)) << "it is not enabled";
}

TEST_F(Objects, MemoryIsCounted) {
  const auto budget = [&] {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT b{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    std::fill(std::begin(b.heapBudget), std::end(b.heapBudget), ~VkDeviceSize{0});
    VkPhysicalDeviceMemoryProperties2 m{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &b};
    vkGetPhysicalDeviceMemoryProperties2(physical, &m);
    EXPECT_GT(b.heapBudget[0], 0u);
    EXPECT_LE(b.heapBudget[0], m.memoryProperties.memoryHeaps[0].size);
    EXPECT_EQ(b.heapBudget[1], 0u);
    return b;
  };
  constexpr VkDeviceSize kBytes = 8 << 20;
  const auto before = budget();
  EXPECT_GT(before.heapUsage[0], 0u) << "the device's own";
  const VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, kBytes, 0};
  VkDeviceMemory m = VK_NULL_HANDLE;
  VK_OK(vkAllocateMemory(device, &ai, nullptr, &m));
  EXPECT_EQ(budget().heapUsage[0], before.heapUsage[0] + kBytes);
  vkFreeMemory(device, m, nullptr);
  EXPECT_EQ(budget().heapUsage[0], before.heapUsage[0]);
}

TEST_F(Objects, ToolsAreTheDriversOwn) {
  uint32_t count = 99;
  VK_OK(vkGetPhysicalDeviceToolPropertiesEXT(physical, &count, nullptr));
  std::vector<VkPhysicalDeviceToolProperties> tools(count, {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES});
  VK_OK(vkGetPhysicalDeviceToolPropertiesEXT(physical, &count, tools.data()));
  const bool recorded = std::getenv("PUMICE_TRACE") != nullptr;
  const auto is = [](const char* name) { return [=](const VkPhysicalDeviceToolProperties& t) { return std::string(t.name) == name; }; };
  EXPECT_EQ(recorded, std::any_of(tools.begin(), tools.end(), is("Pumice recording")));
}

class Interfaces : public Render {
 protected:
  Interfaces() {
    api_version = VK_API_VERSION_1_1;
    device_extensions = {VK_KHR_MAINTENANCE_4_EXTENSION_NAME, VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME};
    four_.maintenance4 = VK_TRUE;
    device_next = &four_;
  }

 private:
  VkPhysicalDeviceMaintenance4Features four_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
};

TEST_F(Interfaces, InputsMayBeShorterThanOutputs) {
  make_pass();
  VkPipelineLayout l = layout();
  VkPipelineCreationFeedback feedback{}, stages[2]{};
  const VkPipelineCreationFeedbackCreateInfo fi{VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr, &feedback, 2, stages};
  VkPipeline p = VK_NULL_HANDLE;
  with_pipeline_info(SPIRV(vec4_out_vert), SPIRV(vec2_in_frag), l, {}, [&](VkGraphicsPipelineCreateInfo i) {
    i.pNext = &fi;
    VK_OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
  });
  defer([=, this] { vkDestroyPipeline(device, p, nullptr); });
  EXPECT_EQ(feedback.flags, VkPipelineCreationFeedbackFlags{VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT});
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  EXPECT_EQ(count({51, 102, 255, 255}), kSize * kSize);
}

}  // namespace
}  // namespace vktest
