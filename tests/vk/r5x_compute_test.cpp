// SPDX-License-Identifier: MIT
/// r5x: compute queue, descriptors in memory, dispatches, and the commands around them.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "copy_set.comp.h"
#include "groups.comp.h"
#include "outside.comp.h"
#include "samples.comp.h"
#include "small_push.comp.h"
#include "srgb_store.comp.h"
#include "tests/vk/compute_fixture.h"
#include "texels.comp.h"

namespace vktest {
namespace {

class Compute : public ComputeFixture {
 protected:
  /// copy_set.comp with its sets; block[1] is reached by a write that runs on from block[0].
  struct CopySet {
    Buffer out, uniforms, source, moved;
    VkDescriptorSet sets[2];
    VkPipelineLayout layout;
    VkPipeline pipeline;
  };
  CopySet copy_set(const VkSpecializationInfo* special = nullptr) {
    CopySet c;
    const VkDescriptorSetLayout l0 = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                 {1, kUniform, 2, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                 {3, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
    const VkDescriptorSetLayout l1 = set_layout({{0, kDynamic, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
    c.layout = layout({l0, l1}, 8);
    c.pipeline = pipeline(SPIRV(copy_set_comp), c.layout, special);
    const VkDescriptorPool p = descriptor_pool(2, {{kStorage, 2}, {kUniform, 2}, {kDynamic, 1}});
    c.sets[0] = set(p, l0), c.sets[1] = set(p, l1);
    c.out = words(std::vector<uint32_t>(20, 0xABABABAB));
    c.uniforms = words(counting(100, 16));
    c.source = words(counting(300, 5));
    c.moved = words(counting(500, 32));
    write_buffers(c.sets[0], 0, kStorage, {{c.out.handle, 0, VK_WHOLE_SIZE}});
    write_buffers(c.sets[0], 1, kUniform, {{c.uniforms.handle, 0, 16}, {c.uniforms.handle, 32, 16}});
    write_buffers(c.sets[0], 3, kStorage, {{c.source.handle, 0, VK_WHOLE_SIZE}});
    write_buffers(c.sets[1], 0, kDynamic, {{c.moved.handle, 16, 16}});
    return c;
  }
  void dispatch(const CopySet& c, VkCommandBuffer cmd, uint32_t offset) {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c.pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0, 2, c.sets, 1, &offset);
    const uint32_t push[2] = {11, 22};
    vkCmdPushConstants(cmd, c.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, push);
    vkCmdDispatch(cmd, 1, 1, 1);
  }
  static void expect_run(const uint32_t* at, uint32_t first, const char* what) {
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(at[i], first + i) << what << " " << i;
  }
};

TEST_F(Compute, OneQueueDoesEverything) {
  uint32_t n = 1;
  VkQueueFamilyProperties q;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, &q);
  ASSERT_EQ(n, 1u);
  EXPECT_EQ(q.queueFlags, VkQueueFlags{VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT});
  EXPECT_EQ(q.timestampValidBits, 64u);
}

TEST_F(Compute, ProgramsReadWhatTheSetHolds) {
  const CopySet c = copy_set();
  run([&](VkCommandBuffer cmd) { dispatch(c, cmd, 32); });
  const auto* out = reinterpret_cast<const uint32_t*>(c.out.map);
  expect_run(out, 100, "block[0]");
  expect_run(out + 4, 108, "block[1]");
  expect_run(out + 8, 300, "source");
  expect_run(out + 12, 500 + (16 + 32) / 4, "dynamic");
  EXPECT_EQ(out[16], 11u);
  EXPECT_EQ(out[17], 22u);
  EXPECT_EQ(out[18], 1u);
  EXPECT_EQ(out[19], 5u) << "length of the runtime array";
}

TEST_F(Compute, SpecializationConstants) {
  const uint32_t value = 77;
  const VkSpecializationMapEntry entry{7, 0, 4};
  const VkSpecializationInfo special{1, &entry, 4, &value};
  const CopySet c = copy_set(&special);
  run([&](VkCommandBuffer cmd) { dispatch(c, cmd, 0); });
  EXPECT_EQ(reinterpret_cast<const uint32_t*>(c.out.map)[18], 77u);
}

TEST_F(Compute, CopiesOfDescriptors) {
  const CopySet c = copy_set();
  VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET};
  copy.srcSet = copy.dstSet = c.sets[0];
  copy.srcBinding = copy.dstBinding = 1;
  copy.srcArrayElement = 1, copy.dstArrayElement = 0, copy.descriptorCount = 1;
  vkUpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  run([&](VkCommandBuffer cmd) { dispatch(c, cmd, 0); });
  expect_run(reinterpret_cast<const uint32_t*>(c.out.map), 108, "block[0]");
}

TEST_F(Compute, WritesRunOnIntoTheNextBinding) {
  const VkDescriptorSetLayout l0 = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {1, kUniform, 2, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {3, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  (void)l0;
  CopySet c = copy_set();
  // The element behind binding 1's first is its second.
  write_buffers(c.sets[0], 1, kUniform, {{c.moved.handle, 0, 16}, {c.moved.handle, 64, 16}});
  run([&](VkCommandBuffer cmd) { dispatch(c, cmd, 0); });
  expect_run(reinterpret_cast<const uint32_t*>(c.out.map), 500, "block[0]");
  expect_run(reinterpret_cast<const uint32_t*>(c.out.map) + 4, 516, "block[1]");
}

TEST_F(Compute, PoolsRunOutAndRecover) {
  const VkDescriptorSetLayout l = set_layout({{0, kStorage, 2, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkDescriptorPool p = descriptor_pool(8, {{kStorage, 4}});
  const VkDescriptorSet a = set(p, l);
  set(p, l);
  set(p, l, VK_ERROR_OUT_OF_POOL_MEMORY_KHR);
  VK_OK(vkFreeDescriptorSets(device, p, 1, &a));
  EXPECT_NE(set(p, l), VkDescriptorSet{VK_NULL_HANDLE});
  VK_OK(vkResetDescriptorPool(device, p, 0));
  set(p, l);
  set(p, l);
}

TEST_F(Compute, GroupsBarriersAndAtomics) {
  const VkDescriptorSetLayout l = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout pl = layout({l});
  const VkPipeline p = pipeline(SPIRV(groups_comp), pl);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}}), l);
  constexpr uint32_t kX = 5, kY = 3;
  const Buffer out = words(std::vector<uint32_t>(2 + kX * 8 * kY * 4, 0));
  const Buffer arguments = words({9, kX, kY, 1});
  write_buffers(s, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  for (const bool indirect : {false, true}) {
    std::memset(out.map, 0, out.size);
    run([&](VkCommandBuffer cmd) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &s, 0, nullptr);
      indirect ? vkCmdDispatchIndirect(cmd, arguments.handle, 4) : vkCmdDispatch(cmd, kX, kY, 1);
    });
    const auto* at = reinterpret_cast<const uint32_t*>(out.map);
    uint32_t sum = 0;
    for (uint32_t x = 0; x < kX; ++x)
      for (uint32_t i = 0; i < 32; ++i) sum += (x * 32 + i) * kY;
    EXPECT_EQ(at[0], sum);
    EXPECT_EQ(at[1], kX - 1 + 1000 * kX);
    for (uint32_t y = 0; y < kY * 4; ++y)
      for (uint32_t x = 0; x < kX * 8; ++x) ASSERT_EQ(at[2 + y * kX * 8 + x], x | y << 16) << x << " " << y;
  }
}

TEST_F(Compute, PushedDescriptors) {
  const VkDescriptorSetLayout l =
      set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const VkPipelineLayout pl = layout({l});
  const VkPipeline p = pipeline(SPIRV(groups_comp), pl);
  const Buffer first = words(std::vector<uint32_t>(34, 0)), second = words(std::vector<uint32_t>(34, 0));
  run([&](VkCommandBuffer cmd) {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    for (const Buffer* b : {&first, &second}) {
      const VkDescriptorBufferInfo info{b->handle, 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet w = write(VK_NULL_HANDLE, 0, 0, kStorage, 1);
      w.pBufferInfo = &info;
      vkCmdPushDescriptorSetKHR(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &w);
      vkCmdDispatch(cmd, 1, 1, 1);
    }
  });
  for (const Buffer* b : {&first, &second}) EXPECT_EQ(reinterpret_cast<const uint32_t*>(b->map)[0], 496u);
}

TEST_F(Compute, UpdateTemplates) {
  const VkDescriptorSetLayout l = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout pl = layout({l});
  const VkPipeline p = pipeline(SPIRV(groups_comp), pl);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}}), l);
  const Buffer out = words(std::vector<uint32_t>(34, 0));
  struct {
    uint64_t other;
    VkDescriptorBufferInfo info;
  } data{1, {out.handle, 0, VK_WHOLE_SIZE}};
  const VkDescriptorUpdateTemplateEntryKHR entry{0, 0, 1, kStorage, sizeof(uint64_t), 0};
  VkDescriptorUpdateTemplateCreateInfoKHR info{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO_KHR};
  info.descriptorUpdateEntryCount = 1;
  info.pDescriptorUpdateEntries = &entry;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET_KHR;
  info.descriptorSetLayout = l;
  VkDescriptorUpdateTemplateKHR t = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorUpdateTemplateKHR(device, &info, nullptr, &t));
  vkUpdateDescriptorSetWithTemplateKHR(device, s, t, &data);
  vkDestroyDescriptorUpdateTemplateKHR(device, t, nullptr);
  run([&](VkCommandBuffer cmd) {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &s, 0, nullptr);
    vkCmdDispatch(cmd, 1, 1, 1);
  });
  EXPECT_EQ(reinterpret_cast<const uint32_t*>(out.map)[0], 496u);
}

TEST_F(Compute, TexelBuffersAndStorageImages) {
  constexpr VkDescriptorType kTexels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kWords = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                             kImage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kCombined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler = VK_NULL_HANDLE;
  VK_OK(vkCreateSampler(device, &si, nullptr, &sampler));
  defer([this, sampler] { vkDestroySampler(device, sampler, nullptr); });
  const VkDescriptorSetLayout l = set_layout({{0, kTexels, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                              {1, kWords, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                              {2, kImage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                              {3, kCombined, 1, VK_SHADER_STAGE_COMPUTE_BIT, &sampler}});
  const VkPipelineLayout pl = layout({l});
  const VkPipeline p = pipeline(SPIRV(texels_comp), pl);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kTexels, 1}, {kWords, 1}, {kImage, 1}, {kCombined, 1}}), l);
  const Buffer floats = words({0x01020304, 0x11121314, 0x21222324, 0x31323334, 0x41424344, 0x51525354, 0x61626364, 0x71727374});
  const Buffer sums = words(std::vector<uint32_t>(9, 1000));
  const VkBufferView views[2] = {buffer_view(floats, VK_FORMAT_R8G8B8A8_UNORM), buffer_view(sums, VK_FORMAT_R32_UINT)};
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  o.view = true;
  const Image picture = image(VK_FORMAT_R8G8B8A8_UNORM, 8, 2, o);
  // A texture of three layers, filled by a copy of each.
  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  ii.imageType = VK_IMAGE_TYPE_2D, ii.format = VK_FORMAT_R8G8B8A8_UNORM, ii.extent = {4, 2, 1}, ii.mipLevels = 1, ii.arrayLayers = 3;
  ii.samples = VK_SAMPLE_COUNT_1_BIT, ii.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImage layers = VK_NULL_HANDLE;
  VK_OK(vkCreateImage(device, &ii, nullptr, &layers));
  VkMemoryRequirements need;
  vkGetImageMemoryRequirements(device, layers, &need);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  ai.allocationSize = need.size;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(vkAllocateMemory(device, &ai, nullptr, &memory));
  VK_OK(vkBindImageMemory(device, layers, memory, 0));
  VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  vi.image = layers, vi.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY, vi.format = ii.format;
  vi.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 3};
  VkImageView layers_view = VK_NULL_HANDLE;
  VK_OK(vkCreateImageView(device, &vi, nullptr, &layers_view));
  defer([this, layers, memory, layers_view] {
    vkDestroyImageView(device, layers_view, nullptr);
    vkDestroyImage(device, layers, nullptr);
    vkFreeMemory(device, memory, nullptr);
  });
  const Buffer texels = words(counting(0x01000000, 24));
  const VkDescriptorImageInfo images[2] = {{VK_NULL_HANDLE, picture.view, VK_IMAGE_LAYOUT_GENERAL},
                                           {VK_NULL_HANDLE, layers_view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
  VkWriteDescriptorSet w[4] = {write(s, 0, 0, kTexels, 1), write(s, 1, 0, kWords, 1), write(s, 2, 0, kImage, 1),
                               write(s, 3, 0, kCombined, 1)};
  w[0].pTexelBufferView = &views[0], w[1].pTexelBufferView = &views[1], w[2].pImageInfo = &images[0], w[3].pImageInfo = &images[1];
  vkUpdateDescriptorSets(device, 4, w, 0, nullptr);
  run([&](VkCommandBuffer cmd) {
    VkBufferImageCopy r{};
    r.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 3};
    r.imageExtent = {4, 2, 1};
    VkImageMemoryBarrier b{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    b.image = layers, b.subresourceRange = vi.subresourceRange, b.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    b.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, b.srcQueueFamilyIndex = b.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &b);
    vkCmdCopyBufferToImage(cmd, texels.handle, layers, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &r);
    b.oldLayout = b.newLayout, b.newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    b.srcAccessMask = b.dstAccessMask, b.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1, &b);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &s, 0, nullptr);
    vkCmdDispatch(cmd, 1, 1, 1);
  });
  const auto* sum = reinterpret_cast<const uint32_t*>(sums.map);
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(sum[i], 1000 + 4 + 16 * i) << i;
  EXPECT_EQ(sum[8], 1008u);
  const std::vector<uint8_t> pixels = read(picture, 4);
  for (uint32_t i = 0; i < 8; ++i)
    for (uint32_t k = 0; k < 4; ++k) {
      EXPECT_EQ(pixels[i * 4 + k], 16 * i + 1 + k) << i << " " << k;
      EXPECT_EQ(pixels[32 + i * 4 + k], k == 0 ? 8 + i : k == 3 ? 1 : 0) << i << " " << k;
    }
}

TEST_F(Compute, StoresToSrgbFormatsEncode) {
  constexpr VkDescriptorType kImage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kTexels = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  constexpr uint32_t kCodes = 256;
  const VkDescriptorSetLayout sl = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {1, kImage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {2, kTexels, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  const VkPipeline p = pipeline(SPIRV(srgb_store_comp), l);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}, {kImage, 1}, {kTexels, 1}}), sl);
  const Buffer in = buffer(kCodes * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               out = buffer(kCodes * 4, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  for (uint32_t n = 0; n < kCodes; ++n) {
    const double c = n / 255.0;
    reinterpret_cast<float*>(in.map)[n] = float(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  write_buffers(s, 0, kStorage, {{in.handle, 0, VK_WHOLE_SIZE}});
  for (const VkFormat f : {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_B8G8R8A8_SRGB}) {
    SCOPED_TRACE(f);
    VkFormatProperties features;
    vkGetPhysicalDeviceFormatProperties(physical, f, &features);
    EXPECT_NE(0u, features.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
    EXPECT_NE(0u, features.bufferFeatures & VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT);
    const Image i = image(f, kCodes, 1, {.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, .view = true});
    to_general(i.handle, VK_IMAGE_ASPECT_COLOR_BIT);
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, i.view, VK_IMAGE_LAYOUT_GENERAL};
    const VkBufferView view = buffer_view(out, f);
    VkWriteDescriptorSet w[] = {write(s, 1, 0, kImage, 1), write(s, 2, 0, kTexels, 1)};
    w[0].pImageInfo = &info, w[1].pTexelBufferView = &view;
    vkUpdateDescriptorSets(device, 2, w, 0, nullptr);
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      vkCmdDispatch(c, 4, 1, 1);
    });
    const std::vector<uint8_t> pixels = read(i, 4);
    const auto* texels = reinterpret_cast<const uint8_t*>(out.map);
    const uint32_t red = f == VK_FORMAT_R8G8B8A8_SRGB ? 0 : 2;
    for (uint32_t n = 0; n < kCodes; ++n) {
      const std::pair<uint32_t, uint32_t> wanted[] = {{red, n}, {1, 255 - n}, {2 - red, n ^ 1}, {3, n}};
      for (const auto& [c, code] : wanted) {
        EXPECT_EQ(code, pixels[4 * n + c]) << n << ", component " << c;
        EXPECT_EQ(code, texels[4 * n + c]) << n << ", component " << c;
      }
    }
  }
}

TEST_F(Compute, TimestampsGoUp) {
  VkQueryPoolCreateInfo i{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  i.queryType = VK_QUERY_TYPE_TIMESTAMP;
  i.queryCount = 2;
  VkQueryPool q = VK_NULL_HANDLE;
  VK_OK(vkCreateQueryPool(device, &i, nullptr, &q));
  const Buffer copied = words(std::vector<uint32_t>(8, 0)), large = buffer(1 << 20);
  run([&](VkCommandBuffer cmd) {
    vkCmdResetQueryPool(cmd, q, 0, 2);
    vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, q, 0);
    vkCmdFillBuffer(cmd, large.handle, 0, VK_WHOLE_SIZE, 0x12345678);
    vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, q, 1);
    vkCmdCopyQueryPoolResults(cmd, q, 0, 2, copied.handle, 0, 16,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  });
  uint64_t at[2];
  VK_OK(vkGetQueryPoolResults(device, q, 0, 2, sizeof at, at, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  EXPECT_GT(at[0], 0u);
  EXPECT_GT(at[1], at[0]);
  const auto* c = reinterpret_cast<const uint64_t*>(copied.map);
  EXPECT_EQ(c[0], at[0]);
  EXPECT_EQ(c[1], 1u);
  EXPECT_EQ(c[2], at[1]);
  EXPECT_EQ(c[3], 1u);
  EXPECT_EQ(reinterpret_cast<const uint32_t*>(large.map)[12345], 0x12345678u);
  vkDestroyQueryPool(device, q, nullptr);
}

/// VK_KHR_8bit_storage and VK_KHR_16bit_storage: storagePushConstant8, storagePushConstant16.
class SmallPush : public ComputeFixture {
 protected:
  SmallPush() {
    device_extensions.insert(device_extensions.end(), {VK_KHR_STORAGE_BUFFER_STORAGE_CLASS_EXTENSION_NAME,
                                                       VK_KHR_8BIT_STORAGE_EXTENSION_NAME, VK_KHR_16BIT_STORAGE_EXTENSION_NAME});
    bytes_.storagePushConstant8 = halves_.storagePushConstant16 = VK_TRUE;
    device_next = &bytes_;
  }

 private:
  VkPhysicalDevice16BitStorageFeatures halves_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
  VkPhysicalDevice8BitStorageFeatures bytes_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, &halves_};
};

TEST_F(SmallPush, BytesAndHalvesArrive) {
  const VkDescriptorSetLayout sl = set_layout({{0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl}, 16);
  const VkPipeline p = pipeline(SPIRV(small_push_comp), l);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kStorage, 1}}), sl);
  const Buffer out = words(std::vector<uint32_t>(11, 0));
  write_buffers(s, 0, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  const struct {
    int8_t a = -128;
    uint8_t b = 255;
    int8_t c[2] = {-1, 127};
    int16_t d = -32768;
    uint8_t gap[2] = {0x55, 0x55};
    uint8_t e[3] = {128, 0, 200};
    uint8_t f[3] = {1, 254, 77};
    uint8_t rest[2] = {};
  } push;
  static_assert(sizeof push == 16);
  run([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
    vkCmdPushConstants(c, l, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, &push);
    vkCmdDispatch(c, 1, 1, 1);
  });
  const auto* got = reinterpret_cast<const int32_t*>(out.map);
  EXPECT_EQ(std::vector<int32_t>(got, got + 11), (std::vector<int32_t>{-128, 255, -1, 127, -32768, 128, 0, 200, 1, 254, 77}));
}

/// shaderStorageImageMultisample.
TEST_F(Compute, SamplesOfStorageImages) {
  constexpr uint32_t kWide = 8;
  for (const VkSampleCountFlagBits n : {VK_SAMPLE_COUNT_2_BIT, VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_8_BIT}) {
    ImageOptions o;
    o.usage = VK_IMAGE_USAGE_STORAGE_BIT, o.samples = n, o.view = true;
    const Image image = this->image(VK_FORMAT_R32_UINT, kWide, kWide, o);
    const Buffer out = words(std::vector<uint32_t>(kWide * kWide * n, 0));
    const VkDescriptorSetLayout sl = set_layout({{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                 {1, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
    const VkPipelineLayout l = layout({sl});
    const VkSpecializationMapEntry entry{0, 0, 4};
    const auto count = static_cast<uint32_t>(n);
    const VkSpecializationInfo special{1, &entry, 4, &count};
    const VkPipeline p = pipeline(SPIRV(samples_comp), l, &special);
    const VkDescriptorSet s = set(descriptor_pool(1, {{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}, {kStorage, 1}}), sl);
    write_buffers(s, 1, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, image.view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet w = write(s, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1);
    w.pImageInfo = &info;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
      vkCmdDispatch(c, kWide / 4, kWide / 4, 1);
    });
    const auto* got = reinterpret_cast<const uint32_t*>(out.map);
    for (uint32_t i = 0; i < kWide * kWide * n; ++i) ASSERT_EQ(got[i], i / n * 16 + i % n + 2000) << n << " samples, " << i;
  }
}

/// robustImageAccess: loads outside of an image are zero, stores there change nothing.
TEST_F(Compute, TexelsOutsideOfAnImage) {
  constexpr uint32_t kSide = 4, kPlaces = 12;
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_STORAGE_BIT, o.view = true;
  const Image image = this->image(VK_FORMAT_R32_UINT, kSide, kSide, o);
  const Buffer out = words(std::vector<uint32_t>(kPlaces * kPlaces, 0xEEEE));
  const VkDescriptorSetLayout sl = set_layout({{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                               {1, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout l = layout({sl});
  const VkPipeline p = pipeline(SPIRV(outside_comp), l);
  const VkDescriptorSet s = set(descriptor_pool(1, {{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}, {kStorage, 1}}), sl);
  write_buffers(s, 1, kStorage, {{out.handle, 0, VK_WHOLE_SIZE}});
  const VkDescriptorImageInfo info{VK_NULL_HANDLE, image.view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet w = write(s, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1);
  w.pImageInfo = &info;
  vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  run([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &s, 0, nullptr);
    vkCmdDispatch(c, 1, 1, 1);
  });
  const auto* got = reinterpret_cast<const uint32_t*>(out.map);
  const std::vector<uint8_t> bytes = read(image, 4);
  for (uint32_t n = 0; n < kPlaces * kPlaces; ++n) {
    const uint32_t x = n % kPlaces - 4, y = n / kPlaces - 4;
    const bool inside = x < kSide && y < kSide;
    ASSERT_EQ(got[n], inside ? n + 1 : 0) << n;
    uint32_t texel = 0;
    if (inside) std::memcpy(&texel, &bytes[4 * (y * kSide + x)], sizeof texel);
    ASSERT_EQ(texel, inside ? n + 1 : 0) << n;
  }
}

TEST_F(Compute, EventsAreSetByTheQueue) {
  VkEventCreateInfo i{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent e = VK_NULL_HANDLE;
  VK_OK(vkCreateEvent(device, &i, nullptr, &e));
  EXPECT_EQ(vkGetEventStatus(device, e), VK_EVENT_RESET);
  run([&](VkCommandBuffer cmd) { vkCmdSetEvent(cmd, e, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT); });
  EXPECT_EQ(vkGetEventStatus(device, e), VK_EVENT_SET);
  run([&](VkCommandBuffer cmd) {
    vkCmdWaitEvents(cmd, 1, &e, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
    vkCmdResetEvent(cmd, e, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  });
  EXPECT_EQ(vkGetEventStatus(device, e), VK_EVENT_RESET);
  vkDestroyEvent(device, e, nullptr);
}

}  // namespace
}  // namespace vktest
