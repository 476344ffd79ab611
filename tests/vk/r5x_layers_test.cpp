// SPDX-License-Identifier: MIT
/// r5x: layers that vertex programs choose (VK_EXT_shader_viewport_index_layer).
#include <cstdint>

#include "color.frag.h"
#include "layers.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

class Layers : public Render {
 protected:
  Layers() {
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

TEST_F(Layers, OfVertexPrograms) {
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

}  // namespace
}  // namespace vktest
