// SPDX-License-Identifier: MIT
/// r5x: rendering without a render pass, resolves of depth, layers that vertex programs choose, copies with arguments in structures.
#include <cstdint>

#include "color.frag.h"
#include "full.vert.h"
#include "layers.vert.h"
#include "point.frag.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

class Rendering : public Render {
 protected:
  Rendering() {
    api_version = VK_API_VERSION_1_1;
    device_extensions = {VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME, VK_KHR_DEPTH_STENCIL_RESOLVE_EXTENSION_NAME,
                         VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME, VK_KHR_COPY_COMMANDS_2_EXTENSION_NAME,
                         VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME};
    feature_.dynamicRendering = VK_TRUE;
    device_next = &feature_;
  }
  Image target(VkFormat format, VkSampleCountFlagBits n = VK_SAMPLE_COUNT_1_BIT, bool layers = false) {
    const bool is_depth = format == VK_FORMAT_D32_SFLOAT;
    ImageOptions o;
    o.usage |= is_depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    o.aspects = is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
    o.samples = n;
    o.view = !layers, o.cube = layers;
    Image i = image(format, kSize, kSize, o);
    if (!layers) return i;
    VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    vi.image = i.handle, vi.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY, vi.format = format;
    vi.subresourceRange = {o.aspects, 0, 1, 0, 6};
    EXPECT_EQ(VK_SUCCESS, vkCreateImageView(device, &vi, nullptr, &i.view));
    defer([this, v = i.view] { vkDestroyImageView(device, v, nullptr); });
    return i;
  }
  static VkRenderingAttachmentInfo attachment(const Image& i, VkAttachmentLoadOp load, VkClearValue clear = {}) {
    VkRenderingAttachmentInfo a{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    a.imageView = i.view, a.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    a.loadOp = load, a.storeOp = VK_ATTACHMENT_STORE_OP_STORE, a.clearValue = clear;
    return a;
  }
  static VkRenderingInfo info(const VkRenderingAttachmentInfo* color_info, const VkRenderingAttachmentInfo* depth_info = nullptr) {
    VkRenderingInfo r{VK_STRUCTURE_TYPE_RENDERING_INFO};
    r.renderArea = {{0, 0}, {kSize, kSize}}, r.layerCount = 1;
    r.colorAttachmentCount = color_info ? 1 : 0, r.pColorAttachments = color_info, r.pDepthAttachment = depth_info;
    return r;
  }
  VkPipeline dynamic_pipeline(Spirv vertex, Spirv fragment, VkPipelineLayout l, VkSampleCountFlagBits n = VK_SAMPLE_COUNT_1_BIT,
                              VkFormat depth_format = VK_FORMAT_UNDEFINED) {
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkPipelineRenderingCreateInfo r{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    r.colorAttachmentCount = 1, r.pColorAttachmentFormats = &format, r.depthAttachmentFormat = depth_format;
    samples = n;
    PipelineOptions o;
    o.next = &r;
    if (depth_format) {
      VkPipelineDepthStencilStateCreateInfo ds{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
      ds.depthTestEnable = ds.depthWriteEnable = VK_TRUE, ds.depthCompareOp = VK_COMPARE_OP_LESS;
      o.depth_stencil = ds;
    }
    return pipeline(vertex, fragment, l, o);
  }
  void whole_viewport(VkCommandBuffer c) {
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    vkCmdSetViewport(c, 0, 1, &viewport);
    vkCmdSetScissor(c, 0, 1, &scissor);
  }
  /// Everything before is complete and visible.
  static void barrier(VkCommandBuffer c) {
    VkMemoryBarrier m{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    m.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, m.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &m, 0, nullptr, 0, nullptr);
  }
  static constexpr VkClearValue kBlue{{{0, 0, 1, 1}}};

 private:
  VkPhysicalDeviceDynamicRenderingFeatures feature_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
};

TEST_F(Rendering, LayersOfVertexPrograms) {
  const Image i = target(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, true);
  const VkPipelineLayout l = layout();
  const VkPipeline p = dynamic_pipeline(SPIRV(layers_vert), SPIRV(color_frag), l);
  const Buffer out = buffer(6 * kSize * kSize * 4);
  run([&](VkCommandBuffer c) {
    const VkRenderingAttachmentInfo a = attachment(i, VK_ATTACHMENT_LOAD_OP_CLEAR, kBlue);
    VkRenderingInfo r = info(&a);
    r.layerCount = 6;
    vkCmdBeginRenderingKHR(c, &r);
    whole_viewport(c);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdDraw(c, 3, 4, 0, 0);
    vkCmdEndRenderingKHR(c);
    barrier(c);
    VkBufferImageCopy2 region{VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 6}, region.imageExtent = {kSize, kSize, 1};
    VkCopyImageToBufferInfo2 copy{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2};
    copy.srcImage = i.handle, copy.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL, copy.dstBuffer = out.handle;
    copy.regionCount = 1, copy.pRegions = &region;
    vkCmdCopyImageToBuffer2KHR(c, &copy);
  });
  for (uint32_t layer = 0; layer < 6; ++layer)
    for (uint32_t k = 0; k < kSize * kSize; ++k) {
      const uint32_t pixel = reinterpret_cast<const uint32_t*>(out.map)[layer * kSize * kSize + k];
      ASSERT_EQ(pixel, layer < 4 ? 0xFF000000u + layer + 1 : 0xFFFF0000u) << layer << " " << k;
    }
}

/// Clears of the render area only, resolves of colour and of sample 0 of depth, interrupted rendering.
TEST_F(Rendering, ResolvesInTheRenderArea) {
  const VkSampleCountFlagBits four = VK_SAMPLE_COUNT_4_BIT;
  const Image drawn_to = target(VK_FORMAT_R8G8B8A8_UNORM, four), depth_image = target(VK_FORMAT_D32_SFLOAT, four);
  const Image flat = target(VK_FORMAT_R8G8B8A8_UNORM), flat_depth = target(VK_FORMAT_D32_SFLOAT);
  write(flat_depth, std::vector<uint8_t>(kSize * kSize * 4, 0), 0, VK_IMAGE_ASPECT_DEPTH_BIT);
  write(flat, std::vector<uint8_t>(kSize * kSize * 4, 0x11));
  const VkPipelineLayout l = layout();
  const VkPipeline p = dynamic_pipeline(SPIRV(full_vert), SPIRV(point_frag), l, four, VK_FORMAT_D32_SFLOAT);
  const VkRect2D area{{3, 2}, {10, 9}};
  VkClearValue far_away{};
  far_away.depthStencil = {0.75f, 0};
  run([&](VkCommandBuffer c) {
    VkRenderingAttachmentInfo a = attachment(drawn_to, VK_ATTACHMENT_LOAD_OP_CLEAR, kBlue),
                              d = attachment(depth_image, VK_ATTACHMENT_LOAD_OP_CLEAR, far_away);
    a.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT, a.resolveImageView = flat.view, a.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    d.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, d.resolveImageView = flat_depth.view, d.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    VkRenderingInfo r = info(&a, &d);
    r.renderArea = area;
    r.flags = VK_RENDERING_SUSPENDING_BIT;
    vkCmdBeginRenderingKHR(c, &r);
    vkCmdEndRenderingKHR(c);
    r.flags = VK_RENDERING_RESUMING_BIT;
    vkCmdBeginRenderingKHR(c, &r);
    whole_viewport(c);
    // The left half: its pixels' samples all lie there.
    const VkRect2D left{{3, 2}, {5, 9}};
    vkCmdSetScissor(c, 0, 1, &left);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    push(c, l);  // z 0.5
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRenderingKHR(c);
  });
  const std::vector<uint8_t> colors = read(flat, 4), depths = read(flat_depth, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const bool in = x >= 3 && x < 13 && y >= 2 && y < 11, drawn = in && x < 8;
      uint32_t pixel;
      float z;
      std::memcpy(&pixel, &colors[(y * kSize + x) * 4], 4);
      std::memcpy(&z, &depths[(y * kSize + x) * 4], 4);
      EXPECT_EQ(z, drawn ? 0.5f : in ? 0.75f : 0.0f) << x << " " << y;
      if (drawn) {
        EXPECT_EQ(pixel >> 16, 0xFF00u) << x << " " << y;
      } else {
        EXPECT_EQ(pixel, in ? 0xFFFF0000u : 0x11111111u) << x << " " << y;
      }
    }
}

TEST_F(Rendering, SecondaryCommandBuffersKnowFormats) {
  const Image i = target(VK_FORMAT_R8G8B8A8_UNORM);
  const VkPipelineLayout l = layout();
  const VkPipeline p = dynamic_pipeline(SPIRV(layers_vert), SPIRV(color_frag), l);
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkCommandBufferInheritanceRenderingInfo formats{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO};
  formats.colorAttachmentCount = 1, formats.pColorAttachmentFormats = &format, formats.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &formats};
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  bi.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, bi.pInheritanceInfo = &inherited;
  const VkCommandBuffer second = command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VK_OK(vkBeginCommandBuffer(second, &bi));
  whole_viewport(second);
  vkCmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
  vkCmdDraw(second, 3, 1, 0, 0);
  VK_OK(vkEndCommandBuffer(second));
  run([&](VkCommandBuffer c) {
    const VkRenderingAttachmentInfo a = attachment(i, VK_ATTACHMENT_LOAD_OP_CLEAR, kBlue);
    VkRenderingInfo r = info(&a);
    r.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    vkCmdBeginRenderingKHR(c, &r);
    vkCmdExecuteCommands(c, 1, &second);
    vkCmdEndRenderingKHR(c);
  });
  const std::vector<uint8_t> out = read(i, 4);
  for (uint32_t k = 0; k < kSize * kSize; ++k) ASSERT_EQ(out[4 * k], 1) << k;
}

TEST_F(Rendering, CopiesWithStructures) {
  constexpr uint32_t kBytes = kSize * kSize * 4;
  const Buffer a = buffer(kBytes), b = buffer(kBytes);
  for (uint32_t i = 0; i < kBytes; ++i) a.map[i] = static_cast<uint8_t>(i * 7);
  const Image first = target(VK_FORMAT_R8G8B8A8_UNORM), second = target(VK_FORMAT_R8G8B8A8_UNORM), third = target(VK_FORMAT_R8G8B8A8_UNORM);
  const VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;
  const VkImageSubresourceLayers layers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  const VkExtent3D extent{kSize, kSize, 1};
  run([&](VkCommandBuffer c) {
    const VkBufferCopy2 bytes{VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 0, 0, kBytes};
    const VkCopyBufferInfo2 buffers{VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, a.handle, b.handle, 1, &bytes};
    vkCmdCopyBuffer2KHR(c, &buffers);
    barrier(c);
    VkBufferImageCopy2 region{VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2};
    region.imageSubresource = layers, region.imageExtent = extent;
    const VkCopyBufferToImageInfo2 up{VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2, nullptr, b.handle, first.handle, general, 1, &region};
    vkCmdCopyBufferToImage2KHR(c, &up);
    barrier(c);
    const VkImageCopy2 image_region{VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layers, {}, layers, {}, extent};
    const VkCopyImageInfo2 images{
        VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2, nullptr, first.handle, general, second.handle, general, 1, &image_region};
    vkCmdCopyImage2KHR(c, &images);
    barrier(c);
    // Mirrored.
    VkImageBlit2 blit_region{VK_STRUCTURE_TYPE_IMAGE_BLIT_2};
    blit_region.srcSubresource = blit_region.dstSubresource = layers;
    blit_region.srcOffsets[1] = {kSize, kSize, 1};
    blit_region.dstOffsets[0] = {kSize, 0, 0}, blit_region.dstOffsets[1] = {0, kSize, 1};
    const VkBlitImageInfo2 blit{
        VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2, nullptr, second.handle, general, third.handle, general, 1, &blit_region, VK_FILTER_NEAREST};
    vkCmdBlitImage2KHR(c, &blit);
  });
  const std::vector<uint8_t> out = read(third, 4);
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x)
      ASSERT_EQ(0, std::memcmp(&out[(y * kSize + x) * 4], a.map + (y * kSize + kSize - 1 - x) * 4, 4)) << x << " " << y;
  const Image many = target(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  run([&](VkCommandBuffer c) {
    const VkRenderingAttachmentInfo cleared = attachment(many, VK_ATTACHMENT_LOAD_OP_CLEAR, kBlue);
    const VkRenderingInfo r = info(&cleared);
    vkCmdBeginRenderingKHR(c, &r);
    vkCmdEndRenderingKHR(c);
    barrier(c);
    const VkImageResolve2 region{VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, layers, {}, layers, {}, extent};
    const VkResolveImageInfo2 resolve{
        VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2, nullptr, many.handle, general, third.handle, general, 1, &region};
    vkCmdResolveImage2KHR(c, &resolve);
  });
  const std::vector<uint8_t> resolved_pixels = read(third, 4);
  for (uint32_t k = 0; k < kSize * kSize; ++k) ASSERT_EQ(resolved_pixels[4 * k + 2], 255) << k;
}

}  // namespace
}  // namespace vktest
