// SPDX-License-Identifier: MIT
/// r5x: formats, and extensions about layouts and formats (scalar blocks, format flags of 64 bits, depth in one dimension, mutable formats
/// of swapchains, layouts of depth and stencil) and VK_EXT_debug_report.
#include <algorithm>
#include <string>

#include "color.frag.h"
#include "fetch.comp.h"
#include "full.vert.h"
#include "point.frag.h"
#include "position_color.vert.h"
#include "saturated.frag.h"
#include "scalar.comp.h"
#include "tests/vk/compute_fixture.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

class Formats : public Vk {
 protected:
  Formats() {
    api_version = VK_API_VERSION_1_1;
    instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, VK_EXT_DEBUG_REPORT_EXTENSION_NAME};
    device_extensions = {VK_EXT_SCALAR_BLOCK_LAYOUT_EXTENSION_NAME,    VK_KHR_UNIFORM_BUFFER_STANDARD_LAYOUT_EXTENSION_NAME,
                         VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                         VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME,      VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME};
    scalar_.scalarBlockLayout = standard_.uniformBufferStandardLayout = VK_TRUE;
    device_next = &scalar_;
  }

 private:
  VkPhysicalDeviceUniformBufferStandardLayoutFeatures standard_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES};
  VkPhysicalDeviceScalarBlockLayoutFeatures scalar_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES, &standard_};
};

TEST_F(Formats, ScalarBlocks) {
  const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                     VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
  VkDescriptorSetLayoutBinding bindings[3];
  for (uint32_t i = 0; i < 3; ++i) bindings[i] = {i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo li{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  li.bindingCount = 3, li.pBindings = bindings;
  VkDescriptorSetLayout l = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorSetLayout(device, &li, nullptr, &l));
  VkPipelineLayoutCreateInfo pli{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  pli.setLayoutCount = 1, pli.pSetLayouts = &l;
  VkPipelineLayout pl = VK_NULL_HANDLE;
  VK_OK(vkCreatePipelineLayout(device, &pli, nullptr, &pl));
  VkComputePipelineCreateInfo ci{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  ci.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  ci.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, ci.stage.module = shader(scalar_comp, sizeof scalar_comp), ci.stage.pName = "main";
  ci.layout = pl;
  VkPipeline p = VK_NULL_HANDLE;
  VK_OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &ci, nullptr, &p));
  const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
  VkDescriptorPoolCreateInfo di{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  di.maxSets = 1, di.poolSizeCount = 2, di.pPoolSizes = sizes;
  VkDescriptorPool dp = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &di, nullptr, &dp));
  defer([this, l, pl, p, dp] {
    vkDestroyDescriptorPool(device, dp, nullptr);
    vkDestroyPipeline(device, p, nullptr);
    vkDestroyPipelineLayout(device, pl, nullptr);
    vkDestroyDescriptorSetLayout(device, l, nullptr);
  });
  VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  ai.descriptorPool = dp, ai.descriptorSetCount = 1, ai.pSetLayouts = &l;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VK_OK(vkAllocateDescriptorSets(device, &ai, &set));
  const Buffer in = buffer(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), out = buffer(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               factors = buffer(256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  for (uint32_t i = 0; i < 64; ++i) {
    const float a = static_cast<float>(i + 1), f = static_cast<float>(100 * (i + 1));
    std::memcpy(in.map + 4 * i, &a, 4), std::memcpy(factors.map + 4 * i, &f, 4);
  }
  const Buffer* buffers[3] = {&in, &out, &factors};
  for (uint32_t i = 0; i < 3; ++i) {
    const VkDescriptorBufferInfo info{buffers[i]->handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet w{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    w.dstSet = set, w.dstBinding = i, w.descriptorCount = 1, w.descriptorType = types[i], w.pBufferInfo = &info;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  }
  run([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(c, 1, 1, 1);
  });
  // part[0] is words 0..5, part[1] 6..11, list[i] 12 + 3 i; factor[i] word i, last 4..6. Word i of the first holds i + 1.
  const auto* f = reinterpret_cast<const float*>(out.map);
  for (uint32_t c = 0; c < 3; ++c) {
    const auto k = static_cast<float>(c);
    EXPECT_EQ(f[c], (13 + k) * 200 + (16 + k) * 300 + (19 + k) * 400 + 100 * (5 + k)) << c;
  }
  for (uint32_t c = 0; c < 6; ++c) EXPECT_EQ(f[3 + c], static_cast<float>(7 + c)) << c;
}

TEST_F(Formats, FlagsOf64Bits) {
  for (const VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_UINT, VK_FORMAT_BC1_RGB_UNORM_BLOCK}) {
    VkFormatProperties3 three{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 two{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &three};
    vkGetPhysicalDeviceFormatProperties2(physical, format, &two);
    EXPECT_NE(two.formatProperties.optimalTilingFeatures, 0u);
    EXPECT_EQ(static_cast<uint32_t>(three.optimalTilingFeatures) & two.formatProperties.optimalTilingFeatures,
              two.formatProperties.optimalTilingFeatures);
    EXPECT_EQ(static_cast<uint32_t>(three.bufferFeatures) & two.formatProperties.bufferFeatures, two.formatProperties.bufferFeatures);
    const bool storage = two.formatProperties.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
    EXPECT_EQ((three.optimalTilingFeatures & VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT) != 0, storage) << format;
    EXPECT_EQ((three.optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT) != 0, format == VK_FORMAT_D32_SFLOAT);
  }
}

/// Only views of such an image, in another format, are storage images.
TEST_F(Formats, CompressedImagesHaveOneSample) {
  VkImageFormatProperties p;
  VK_OK(vkGetPhysicalDeviceImageFormatProperties(
      physical, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
      VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
      VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT, &p));
  EXPECT_EQ(VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT}, p.sampleCounts);
}

/// CTS: shadow lookups of one dimension.
TEST_F(Formats, DepthOfOneDimension) {
  VkImageFormatProperties p;
  const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  for (const VkFormat format : {VK_FORMAT_D16_UNORM, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D24_UNORM_S8_UINT}) {
    EXPECT_EQ(VK_SUCCESS,
              vkGetPhysicalDeviceImageFormatProperties(physical, format, VK_IMAGE_TYPE_1D, VK_IMAGE_TILING_OPTIMAL, usage, 0, &p));
    EXPECT_GE(p.maxExtent.width, 4096u);
    EXPECT_EQ(p.maxExtent.height, 1u);
    EXPECT_GE(p.maxArrayLayers, 256u);
    EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED,
              vkGetPhysicalDeviceImageFormatProperties(physical, format, VK_IMAGE_TYPE_3D, VK_IMAGE_TILING_OPTIMAL, usage, 0, &p));
  }
}

/// A swapchain of linear bytes that is drawn to as sRGB.
TEST_F(Formats, SwapchainsOfTwoFormats) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  const VkHeadlessSurfaceCreateInfoEXT hi{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
  VK_OK(vkCreateHeadlessSurfaceEXT(instance, &hi, nullptr, &surface));
  const VkFormat both[2] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB};
  const VkImageFormatListCreateInfo list{VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, nullptr, 2, both};
  VkSwapchainCreateInfoKHR si{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, &list};
  si.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
  si.surface = surface, si.minImageCount = 2, si.imageFormat = both[0], si.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
  si.imageExtent = {8, 8}, si.imageArrayLayers = 1;
  si.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  si.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR, si.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  si.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  VkSwapchainKHR chain = VK_NULL_HANDLE;
  VK_OK(vkCreateSwapchainKHR(device, &si, nullptr, &chain));
  uint32_t n = 8, index = 0;
  VkImage images[8];
  VK_OK(vkGetSwapchainImagesKHR(device, chain, &n, images));
  VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  VK_OK(vkCreateFence(device, &fi, nullptr, &fence));
  VK_OK(vkAcquireNextImageKHR(device, chain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
  VK_OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  vi.image = images[index], vi.viewType = VK_IMAGE_VIEW_TYPE_2D, vi.format = both[1];
  vi.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkImageView view = VK_NULL_HANDLE;
  VK_OK(vkCreateImageView(device, &vi, nullptr, &view));
  const VkAttachmentDescription a{0,
                                  both[1],
                                  VK_SAMPLE_COUNT_1_BIT,
                                  VK_ATTACHMENT_LOAD_OP_CLEAR,
                                  VK_ATTACHMENT_STORE_OP_STORE,
                                  VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                  VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                  VK_IMAGE_LAYOUT_UNDEFINED,
                                  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
  const VkAttachmentReference ref{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription sub{};
  sub.colorAttachmentCount = 1, sub.pColorAttachments = &ref;
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  ri.attachmentCount = 1, ri.pAttachments = &a, ri.subpassCount = 1, ri.pSubpasses = &sub;
  const auto dependencies = between_passes(0);
  ri.dependencyCount = 2, ri.pDependencies = dependencies.data();
  VkRenderPass pass = VK_NULL_HANDLE;
  VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
  VkFramebufferCreateInfo fbi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  fbi.renderPass = pass, fbi.attachmentCount = 1, fbi.pAttachments = &view, fbi.width = fbi.height = 8, fbi.layers = 1;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  VK_OK(vkCreateFramebuffer(device, &fbi, nullptr, &framebuffer));
  const Buffer out = buffer(8 * 8 * 4);
  run([&](VkCommandBuffer c) {
    const VkClearValue half{{{0.5f, 0, 1, 1}}};
    VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    bi.renderPass = pass, bi.framebuffer = framebuffer, bi.renderArea = {{0, 0}, {8, 8}}, bi.clearValueCount = 1, bi.pClearValues = &half;
    vkCmdBeginRenderPass(c, &bi, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
    VkMemoryBarrier m{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    m.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, m.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &m, 0, nullptr, 0,
                         nullptr);
    const VkBufferImageCopy r{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {}, {8, 8, 1}};
    vkCmdCopyImageToBuffer(c, images[index], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, out.handle, 1, &r);
  });
  for (uint32_t k = 0; k < 64; ++k) ASSERT_EQ(reinterpret_cast<const uint32_t*>(out.map)[k], 0xFFBC00FFu) << k;
  vkDestroyFramebuffer(device, framebuffer, nullptr);
  vkDestroyRenderPass(device, pass, nullptr);
  vkDestroyImageView(device, view, nullptr);
  vkDestroyFence(device, fence, nullptr);
  vkDestroySwapchainKHR(device, chain, nullptr);
  vkDestroySurfaceKHR(instance, surface, nullptr);
}

class SeparateLayouts : public Render {
 protected:
  SeparateLayouts() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    device_extensions = {VK_KHR_MULTIVIEW_EXTENSION_NAME, VK_KHR_MAINTENANCE2_EXTENSION_NAME, VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME,
                         VK_KHR_SEPARATE_DEPTH_STENCIL_LAYOUTS_EXTENSION_NAME};
    separate_.separateDepthStencilLayouts = VK_TRUE;
    device_next = &separate_;
  }
  /// What the test does with an aspect in a layout.
  static VkAccessFlags access(VkImageLayout layout) {
    switch (layout) {
      case VK_IMAGE_LAYOUT_UNDEFINED: return 0;
      case VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL: return VK_ACCESS_TRANSFER_WRITE_BIT;
      case VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL: return VK_ACCESS_TRANSFER_READ_BIT;
      case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL:
        return VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
      default: return VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    }
  }

 private:
  VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures separate_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES};
};

/// Depth is drawn to while the stencil is only read, each aspect in a layout of its own from the barriers to the copies.
TEST_F(SeparateLayouts, DepthIsWrittenWhileStencilIsRead) {
  constexpr VkFormat kFormat = VK_FORMAT_D24_UNORM_S8_UINT;
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  o.aspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, o.view = true;
  const Image both = image(kFormat, kSize, kSize, o);
  VkAttachmentDescriptionStencilLayout own{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT};
  own.stencilInitialLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL, own.stencilFinalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  VkAttachmentDescription2 a{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, &own};
  a.format = kFormat, a.samples = VK_SAMPLE_COUNT_1_BIT;
  a.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, a.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  a.initialLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, a.finalLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
  VkAttachmentReferenceStencilLayout read{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT};
  read.stencilLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  VkAttachmentReference2 ref{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, &read};
  ref.layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, ref.aspectMask = o.aspects;
  VkSubpassDescription2 sub{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  sub.pDepthStencilAttachment = &ref;
  VkRenderPassCreateInfo2 ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  ri.attachmentCount = 1, ri.pAttachments = &a, ri.subpassCount = 1, ri.pSubpasses = &sub;
  VkSubpassDependency2 after{VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2};
  after.srcSubpass = 0, after.dstSubpass = VK_SUBPASS_EXTERNAL;
  after.srcStageMask = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  after.dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  after.srcAccessMask = access(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL), after.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  ri.dependencyCount = 1, ri.pDependencies = &after;
  VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  VK_OK(vkCreateRenderPass2KHR(device, &ri, nullptr, &pass));
  fi.renderPass = pass, fi.attachmentCount = 1, fi.pAttachments = &both.view, fi.width = fi.height = kSize, fi.layers = 1;
  VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
  defer([this] {
    vkDestroyFramebuffer(device, framebuffer, nullptr);
    vkDestroyRenderPass(device, pass, nullptr);
  });
  PipelineOptions po;
  po.blend.clear();
  VkPipelineDepthStencilStateCreateInfo ds{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  ds.depthTestEnable = ds.depthWriteEnable = ds.stencilTestEnable = VK_TRUE, ds.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  ds.front.compareOp = VK_COMPARE_OP_EQUAL, ds.front.compareMask = 0xFF, ds.front.reference = 7;
  ds.back = ds.front;
  po.depth_stencil = ds;
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(point_frag), l, po);
  // The upper half's stencil is 7.
  Buffer stencil = buffer(kSize * kSize), depth_out = buffer(kSize * kSize * 4), stencil_out = buffer(kSize * kSize);
  std::memset(stencil.map, 1, kSize * kSize);
  std::memset(stencil.map, 7, kSize * kSize / 2);
  const auto barrier = [&](VkCommandBuffer c, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to) {
    VkImageMemoryBarrier b{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    b.srcAccessMask = access(from), b.dstAccessMask = access(to);
    b.oldLayout = from, b.newLayout = to, b.srcQueueFamilyIndex = b.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    b.image = both.handle, b.subresourceRange = {aspect, 0, 1, 0, 1};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &b);
  };
  run([&](VkCommandBuffer c) {
    barrier(c, VK_IMAGE_ASPECT_STENCIL_BIT, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkBufferImageCopy r{0, 0, 0, {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1}, {}, {kSize, kSize, 1}};
    vkCmdCopyBufferToImage(c, stencil.handle, both.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &r);
    barrier(c, VK_IMAGE_ASPECT_STENCIL_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL);
    barrier(c, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    VkClearValue clear{};
    clear.depthStencil = {1, 99};
    VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    bi.renderPass = pass, bi.framebuffer = framebuffer, bi.renderArea = {{0, 0}, {kSize, kSize}};
    bi.clearValueCount = 1, bi.pClearValues = &clear;
    vkCmdBeginRenderPass(c, &bi, VK_SUBPASS_CONTENTS_INLINE);
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    vkCmdSetViewport(c, 0, 1, &viewport);
    vkCmdSetScissor(c, 0, 1, &bi.renderArea);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    push(c, l);  // z is 0.5
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRenderPass(c);
    barrier(c, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(c, both.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, stencil_out.handle, 1, &r);
    r.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    vkCmdCopyImageToBuffer(c, both.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, depth_out.handle, 1, &r);
  });
  for (uint32_t k = 0; k < kSize * kSize; ++k) {
    const bool upper = k < kSize * kSize / 2;
    EXPECT_EQ(stencil_out.map[k], upper ? 7 : 1) << k;
    EXPECT_NEAR(depth_out.as<uint32_t>()[k] & 0xFFFFFF, upper ? 0x7FFFFF : 0xFFFFFF, 1) << k;
  }
}

class Integers : public Render {};

/// Vulkan leaves it open, the CTS does not (renderpass.*.multisample.*sint*).
TEST_F(Integers, OutOfRangeBecomeTheNearest) {
  make_pass({VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R8G8B8A8_UINT});
  PipelineOptions o;
  o.blend.resize(2, o.blend[0]);
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(saturated_frag), l, o);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    push(c, l);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  const std::vector<uint8_t> is_signed = read(color[0], 4), is_unsigned = read(color[1], 4);
  EXPECT_EQ((std::vector<uint8_t>{127, 0x80, 5, 0x80}), std::vector<uint8_t>(is_signed.begin(), is_signed.begin() + 4));
  EXPECT_EQ((std::vector<uint8_t>{255, 255, 255, 7}), std::vector<uint8_t>(is_unsigned.begin(), is_unsigned.begin() + 4));
}

/// Targets of three components of 32 bits: cleared, then blended with on the right half.
class ThreeComponents : public Render {};

TEST_F(ThreeComponents, AreClearedAndBlended) {
  make_pass({VK_FORMAT_R32G32B32_SFLOAT});
  pixel_bytes = 12;
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  o.bindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 0, VK_VERTEX_INPUT_RATE_INSTANCE}};
  o.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  o.blend = {{VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO,
              VK_BLEND_OP_ADD, 0xF}};
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
  const Buffer corners = buffer(32, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), paint = buffer(16, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const float at_corners[] = {0, -1, 0, 1, 1, -1, 1, 1}, drawn[] = {4, -8, 1, 0.25f}, clear[] = {-1, 0.5f, 100};
  std::memcpy(corners.map, at_corners, sizeof at_corners);
  std::memcpy(paint.map, drawn, sizeof drawn);
  render(
      [&](VkCommandBuffer c) {
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        const VkBuffer b[2] = {corners.handle, paint.handle};
        const VkDeviceSize offsets[2] = {0, 0};
        vkCmdBindVertexBuffers(c, 0, 2, b, offsets);
        push(c, l);
        vkCmdDraw(c, 4, 1, 0, 0);
      },
      {clear[0], clear[1], clear[2], 1});
  for (uint32_t i = 0; i < kSize * kSize * 3; ++i) {
    const bool blended = i / 3 % kSize >= kSize / 2;
    ASSERT_EQ(reinterpret_cast<const float*>(pixels.data())[i], clear[i % 3] + (blended ? drawn[i % 3] * 0.25f : 0)) << i;
  }
}

/// Formats of texel buffers beyond those that Vulkan requires.
class TexelBuffers : public ComputeFixture {};

TEST_F(TexelBuffers, OfTexelsOfAnySize) {
  struct Case {
    VkFormat format;
    std::vector<uint8_t> texel;
    std::array<float, 4> value;
  };
  const Case cases[] = {{VK_FORMAT_R8G8B8_UNORM, {255, 0, 51}, {1, 0, 0.2f, 1}},
                        {VK_FORMAT_B8G8R8_SNORM, {127, 0, 0x81}, {-1, 0, 1, 1}},
                        {VK_FORMAT_R16G16B16_SFLOAT, {0x00, 0x3C, 0x00, 0xC0, 0x00, 0x38}, {1, -2, 0.5f, 1}},
                        {VK_FORMAT_R5G6B5_UNORM_PACK16, {0x1F, 0xF8}, {1, 0, 1, 1}},
                        {VK_FORMAT_A1R5G5B5_UNORM_PACK16, {0xE0, 0x03}, {0, 1, 0, 0}},
                        {VK_FORMAT_B4G4R4A4_UNORM_PACK16, {0xF3, 0x0F}, {1, 1, 0, 0.2f}},
                        {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {0x03, 0x0A, 0x1C, 0xC0}, {3, 5, 7, 1}},
                        {VK_FORMAT_R8G8B8A8_SRGB, {255, 0, 128, 51}, {1, 0, 0.2158605f, 0.2f}}};
  constexpr VkDescriptorType kTexels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  const VkDescriptorSetLayout l =
      set_layout({{0, kTexels, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}, {1, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPipelineLayout pl = layout({l});
  const VkPipeline p = pipeline(SPIRV(fetch_comp), pl);
  const VkDescriptorSet s = set(descriptor_pool(1, {{kTexels, 1}, {kStorage, 1}}), l);
  const Buffer to = words(std::vector<uint32_t>(8)), from = buffer(256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  write_buffers(s, 1, kStorage, {{to.handle, 0, VK_WHOLE_SIZE}});
  for (const Case& c : cases) {
    VkFormatProperties have;
    vkGetPhysicalDeviceFormatProperties(physical, c.format, &have);
    ASSERT_TRUE(have.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) << c.format;
    std::memset(from.map, 0, 256);
    std::memcpy(from.map + 5 * c.texel.size(), c.texel.data(), c.texel.size());
    VkBufferViewCreateInfo i{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
    i.buffer = from.handle, i.format = c.format, i.range = 7 * c.texel.size();
    VkBufferView view = VK_NULL_HANDLE;
    VK_OK(vkCreateBufferView(device, &i, nullptr, &view));
    defer([this, view] { vkDestroyBufferView(device, view, nullptr); });
    VkWriteDescriptorSet w = write(s, 0, 0, kTexels, 1);
    w.pTexelBufferView = &view;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
    run([&](VkCommandBuffer cmd) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &s, 0, nullptr);
      vkCmdDispatch(cmd, 1, 1, 1);
    });
    for (uint32_t k = 0; k < 4; ++k) EXPECT_NEAR(reinterpret_cast<const float*>(to.map)[k], c.value[k], 1e-6) << c.format << " " << k;
    EXPECT_EQ(reinterpret_cast<const uint32_t*>(to.map)[4], 7u) << c.format;
  }
}

TEST_F(Formats, DebugReport) {
  std::vector<std::string> said;
  VkDebugReportCallbackCreateInfoEXT ci{VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT};
  ci.flags = VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT;
  ci.pUserData = &said;
  ci.pfnCallback = [](VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT, uint64_t, size_t, int32_t, const char* who,
                      const char* message, void* user) -> VkBool32 {
    static_cast<std::vector<std::string>*>(user)->push_back(std::to_string(flags) + " " + who + " " + message);
    return VK_FALSE;
  };
  VkDebugReportCallbackEXT callback = VK_NULL_HANDLE;
  VK_OK(vkCreateDebugReportCallbackEXT(instance, &ci, nullptr, &callback));
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, qi.queryCount = 1;
  VkQueryPool q = VK_NULL_HANDLE;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateQueryPool(device, &qi, nullptr, &q));
  const auto heard = [&](const char* text) {
    return std::count_if(said.begin(), said.end(), [&](const std::string& s) { return s.find(text) != std::string::npos; });
  };
  EXPECT_EQ(heard("8 pumice VK_ERROR_FEATURE_NOT_PRESENT: vkCreateQueryPool"), 1);
  vkDestroyDebugReportCallbackEXT(instance, callback, nullptr);
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateQueryPool(device, &qi, nullptr, &q));
  EXPECT_EQ(heard("vkCreateQueryPool"), 1);
}

}  // namespace
}  // namespace vktest
