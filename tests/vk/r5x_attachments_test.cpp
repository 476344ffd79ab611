// SPDX-License-Identifier: MIT
/// r5x: extensions about images and attachments: VK_EXT_4444_formats, VK_EXT_image_2d_view_of_3d,
/// VK_EXT_rasterization_order_attachment_access, VK_EXT_attachment_feedback_loop_layout, VK_EXT_queue_family_foreign.
#include <algorithm>

#include "accumulate.frag.h"
#include "accumulate_any.frag.h"
#include "feedback.frag.h"
#include "full.vert.h"
#include "slice.comp.h"
#include "tests/vk/colored_fixture.h"
#include "texture.frag.h"

namespace vktest {
namespace {

class Attachments : public Colored {
 protected:
  /// A render pass of one attachment, color[0].
  void use_pass(const VkRenderPassCreateInfo& ri) {
    VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = pass, fi.attachmentCount = 1, fi.pAttachments = &color[0].view, fi.width = fi.height = kSize, fi.layers = 1;
    VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
    defer([this, r = pass, f = framebuffer] {
      vkDestroyFramebuffer(device, f, nullptr);
      vkDestroyRenderPass(device, r, nullptr);
    });
    clear_count = 1;
  }
  Attachments() {
    device_extensions = {VK_EXT_4444_FORMATS_EXTENSION_NAME,
                         VK_EXT_IMAGE_2D_VIEW_OF_3D_EXTENSION_NAME,
                         VK_EXT_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME,
                         VK_ARM_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME,
                         VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME,
                         VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME,
                         VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME};
    indexing_.shaderInputAttachmentArrayDynamicIndexing = VK_TRUE;
    formats_.formatA4R4G4B4 = formats_.formatA4B4G4R4 = views_.image2DViewOf3D = views_.sampler2DViewOf3D = VK_TRUE;
    order_.rasterizationOrderColorAttachmentAccess = order_.rasterizationOrderDepthAttachmentAccess =
        order_.rasterizationOrderStencilAttachmentAccess = loops_.attachmentFeedbackLoopLayout = VK_TRUE;
    device_next = &formats_;
  }

  VkImageView slice(VkImage image, VkFormat format, uint32_t n, uint32_t level = 0) {
    VkImageViewCreateInfo i{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    i.image = image, i.viewType = VK_IMAGE_VIEW_TYPE_2D, i.format = format;
    i.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, n, 1};
    VkImageView v = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateImageView(device, &i, nullptr, &v));
    defer([this, v] { vkDestroyImageView(device, v, nullptr); });
    return v;
  }

 private:
  VkPhysicalDeviceDescriptorIndexingFeatures indexing_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
  VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT loops_{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT, &indexing_};
  VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT order_{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT, &loops_};
  VkPhysicalDeviceImage2DViewOf3DFeaturesEXT views_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT, &order_};
  VkPhysicalDevice4444FormatsFeaturesEXT formats_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_4444_FORMATS_FEATURES_EXT, &views_};
};

/// Sampled, drawn to, cleared, blitted.
TEST_F(Attachments, FormatsWithAlphaOnTop) {
  struct Case {
    VkFormat format;
    uint16_t texel;  ///< of r 1, g 2, b 3, a 4 fifteenths
  };
  for (const Case k : {Case{VK_FORMAT_A4R4G4B4_UNORM_PACK16, 0x4123}, Case{VK_FORMAT_A4B4G4R4_UNORM_PACK16, 0x4321}}) {
    VkFormatProperties p;
    vkGetPhysicalDeviceFormatProperties(physical, k.format, &p);
    constexpr VkFormatFeatureFlags kNeeded =
        VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    EXPECT_EQ(p.optimalTilingFeatures & kNeeded, kNeeded);
    EXPECT_TRUE(p.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    ImageOptions o;
    o.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    o.view = true;
    const Image t = image(k.format, 4, 4, o);
    std::vector<uint8_t> bytes(32);
    for (size_t i = 0; i < 16; ++i) std::memcpy(&bytes[2 * i], &k.texel, 2);
    write(t, bytes);
    make_pass();
    const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    const VkDescriptorImageInfo i{sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), t.view, VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr, &i);
    const VkPipeline shown = pipeline(SPIRV(full_vert), SPIRV(texture_frag), l);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, shown);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
      push(c, l);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    EXPECT_EQ(count({17, 34, 51, 68}), kSize * kSize);
    // Drawn to.
    make_pass({k.format});
    pixel_bytes = 2;
    const std::array<float, 4> of{1 / 15.0f, 2 / 15.0f, 3 / 15.0f, 4 / 15.0f};
    const VkPipeline drawn = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), layout(), colored());
    render([&](VkCommandBuffer c) { draw(c, drawn, rectangle(of, -1, 0, 0, 0)); }, {4 / 15.0f, 3 / 15.0f, 2 / 15.0f, 1 / 15.0f});
    uint16_t left, right;
    std::memcpy(&left, &pixels[0], 2), std::memcpy(&right, &pixels[2 * kSize - 2], 2);
    EXPECT_EQ(left, k.texel);
    EXPECT_EQ(right, k.format == VK_FORMAT_A4R4G4B4_UNORM_PACK16 ? 0x1432 : 0x1234);
    // Blitted to and from.
    const Image wide = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, {}), back = image(k.format, 4, 4, {});
    run([&](VkCommandBuffer c) {
      VkImageBlit b{};
      b.srcSubresource = b.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      b.srcOffsets[1] = b.dstOffsets[1] = {4, 4, 1};
      vkCmdBlitImage(c, t.handle, VK_IMAGE_LAYOUT_GENERAL, wide.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &b, VK_FILTER_NEAREST);
      barrier(c);
      vkCmdBlitImage(c, wide.handle, VK_IMAGE_LAYOUT_GENERAL, back.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &b, VK_FILTER_NEAREST);
    });
    EXPECT_EQ(read(wide, 4)[1], 34);
    EXPECT_EQ(read(back, 2), bytes);
    pixel_bytes = 4;
  }
}

TEST_F(Attachments, SlicesOfVolumes) {
  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  ii.flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
  ii.imageType = VK_IMAGE_TYPE_3D, ii.format = VK_FORMAT_R32_SFLOAT, ii.extent = {8, 8, 6}, ii.mipLevels = 2, ii.arrayLayers = 1;
  ii.samples = VK_SAMPLE_COUNT_1_BIT;
  ii.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImage volume = VK_NULL_HANDLE;
  VK_OK(vkCreateImage(device, &ii, nullptr, &volume));
  VkMemoryRequirements r;
  vkGetImageMemoryRequirements(device, volume, &r);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, r.size, 0};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(vkAllocateMemory(device, &ai, nullptr, &memory));
  VK_OK(vkBindImageMemory(device, volume, memory, 0));
  defer([this, volume, memory] { vkDestroyImage(device, volume, nullptr), vkFreeMemory(device, memory, nullptr); });
  to_general(volume, VK_IMAGE_ASPECT_COLOR_BIT);
  // Texel (x, y, z) of level 1 is x + 10 y + 100 z.
  const Buffer texels = buffer(4 * 4 * 3 * 4), out = buffer(64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  for (uint32_t i = 0; i < 48; ++i) {
    const auto v = static_cast<float>(i % 4 + i / 4 % 4 * 10 + i / 16 * 100);
    std::memcpy(texels.map + 4 * i, &v, 4);
  }
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, 1}, copy.imageExtent = {4, 4, 3};
  run([&](VkCommandBuffer c) { vkCmdCopyBufferToImage(c, texels.handle, volume, VK_IMAGE_LAYOUT_GENERAL, 1, &copy); });
  std::vector<Slot> slots(3);
  slots[0] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
              0,
              0,
              {sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), slice(volume, ii.format, 2, 1), VK_IMAGE_LAYOUT_GENERAL}};
  slots[1] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, 0, {VK_NULL_HANDLE, slice(volume, ii.format, 1, 1), VK_IMAGE_LAYOUT_GENERAL}};
  slots[2] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
  slots[2].buffer = {out.handle, 0, VK_WHOLE_SIZE};
  const VkPipelineLayout l = layout(slots);
  const VkDescriptorSet set = set_of(slots);
  VkComputePipelineCreateInfo pi{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  pi.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  pi.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, pi.stage.module = shader(slice_comp, sizeof slice_comp), pi.stage.pName = "main";
  pi.layout = l;
  VkPipeline p = VK_NULL_HANDLE;
  VK_OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &p));
  defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
  run([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(c, 1, 1, 1);
    barrier(c);
    vkCmdCopyImageToBuffer(c, volume, VK_IMAGE_LAYOUT_GENERAL, texels.handle, 1, &copy);
  });
  for (uint32_t i = 0; i < 16; ++i) {
    const float place = static_cast<float>(i % 4 + i / 4 * 10);
    EXPECT_EQ(reinterpret_cast<const float*>(out.map)[i], 4200 + place) << i;
    const auto* const after = reinterpret_cast<const float*>(texels.map);
    EXPECT_EQ(after[i], place);
    EXPECT_EQ(after[16 + i], 100 + place + 0.5f);
    EXPECT_EQ(after[32 + i], 200 + place);
  }
}

/// Triangles of one draw that read what those before them wrote.
TEST_F(Attachments, InOrderOfRasterization) {
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  o.view = true;
  color = {image(VK_FORMAT_R8G8B8A8_UNORM, kSize, kSize, o)};
  VkAttachmentDescription a{};
  a.format = VK_FORMAT_R8G8B8A8_UNORM, a.samples = VK_SAMPLE_COUNT_1_BIT, a.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  a.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {0, VK_IMAGE_LAYOUT_GENERAL}};
  VkSubpassDescription sub{};
  sub.flags = VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT;
  sub.colorAttachmentCount = 1, sub.inputAttachmentCount = 2, sub.pColorAttachments = sub.pInputAttachments = refs;
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  const auto dependencies = between_passes(0);
  ri.attachmentCount = ri.subpassCount = 1, ri.pAttachments = &a, ri.pSubpasses = &sub;
  ri.dependencyCount = 2, ri.pDependencies = dependencies.data();
  use_pass(ri);
  const VkDescriptorImageInfo i{VK_NULL_HANDLE, color[0].view, VK_IMAGE_LAYOUT_GENERAL};
  const std::vector<Slot> slots = {{VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0, 0, i}, {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0, 1, i}};
  const VkPipelineLayout l = layout(slots);
  const VkDescriptorSet set = set_of(slots);
  for (const Spirv fragment : {SPIRV(accumulate_frag), SPIRV(accumulate_any_frag)}) {
    VkPipeline p = VK_NULL_HANDLE;
    with_pipeline_info(SPIRV(position3_color_vert), fragment, l, colored(), [&](const VkGraphicsPipelineCreateInfo& given) {
      VkGraphicsPipelineCreateInfo pi = given;
      VkPipelineColorBlendStateCreateInfo cb = *pi.pColorBlendState;
      cb.flags = VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
      pi.pColorBlendState = &cb;
      EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pi, nullptr, &p));
    });
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    // Each time once more: 0, 1, 3, 7, 15 sixteenths, in the right half one step behind; as a whole, and pixel column by pixel column.
    for (const int columns : {1, 16}) {
      std::vector<ColoredVertex> v;
      for (int n = 0; n < 4; ++n)
        for (int k = 0; k < (n ? columns : std::max(columns / 2, 1)); ++k) {
          const float width = columns == 1 ? (n ? 2 : 1) : 2.0f / 16, left = -1 + static_cast<float>(k) * width;
          for (const ColoredVertex& x : rectangle(kWhite, left, left + width, 0, 0)) v.push_back(x);
        }
      render([&](VkCommandBuffer c) {
        vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
        PushConstants number;
        number.number = 1;
        push(c, l, number);
        draw(c, p, v);
      });
      EXPECT_NEAR(at(3, 3)[0], 255 * 15 / 16, 8);
      EXPECT_NEAR(at(12, 12)[0], 255 * 7 / 16, 4);
      EXPECT_EQ(count(at(3, 3)), kSize * kSize / 2);
      EXPECT_EQ(count(at(12, 12)), kSize * kSize / 2);
    }
  }
}

/// The left half is drawn from the right half of the same image.
TEST_F(Attachments, FeedbackLoops) {
  constexpr VkImageLayout kLoop = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
  o.view = true;
  color = {image(VK_FORMAT_R8G8B8A8_UNORM, kSize, kSize, o)};
  VkAttachmentDescription a{};
  a.format = VK_FORMAT_R8G8B8A8_UNORM, a.samples = VK_SAMPLE_COUNT_1_BIT, a.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  a.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference ref{0, kLoop};
  VkSubpassDescription sub{};
  sub.colorAttachmentCount = 1, sub.pColorAttachments = &ref;
  std::vector<VkSubpassDependency> dependencies;
  for (const VkSubpassDependency& d : between_passes(0)) dependencies.push_back(d);
  dependencies.push_back({0, 0, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                          VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT,
                          VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT});
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  ri.attachmentCount = ri.subpassCount = 1, ri.pAttachments = &a, ri.pSubpasses = &sub;
  ri.dependencyCount = 3, ri.pDependencies = dependencies.data();
  use_pass(ri);
  const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  const VkDescriptorImageInfo i{sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), color[0].view, kLoop};
  const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr, &i);
  PipelineOptions looping = colored();
  looping.flags = VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
  const VkPipeline plain = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), l, colored()),
                   loop = pipeline(SPIRV(position3_color_vert), SPIRV(feedback_frag), l, looping);
  const auto between = [&](VkCommandBuffer c) {
    VkImageMemoryBarrier m{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    m.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, m.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
    m.oldLayout = m.newLayout = kLoop, m.srcQueueFamilyIndex = m.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    m.image = color[0].handle, m.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                         VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT, 0, nullptr, 0, nullptr, 1, &m);
  };
  render([&](VkCommandBuffer c) {
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
    draw(c, plain, rectangle({1, 0.5f, 0, 1}, 0, 0.5f, 0, 0));
    draw(c, plain, rectangle({0, 1, 1, 1}, 0.5f, 1, 0, 0));
    between(c);
    draw(c, loop, rectangle({1, 1, 0, 1}, -1, 0, 0, 0));
  });
  EXPECT_EQ(at(2, 5), (Pixel{255, 128, 0, 255}));
  EXPECT_EQ(at(6, 5), (Pixel{0, 255, 0, 255}));
  EXPECT_EQ(count({255, 128, 0, 255}), kSize * kSize / 2);  // both halves have it
  EXPECT_EQ(count({0, 255, 255, 255}), kSize * kSize / 4);
}

/// Released to a queue that does not belong to Vulkan, and acquired from it.
TEST_F(Attachments, ForeignQueues) {
  const Buffer b = buffer(64);
  std::memset(b.map, 0, 64);
  const auto hand = [&](VkCommandBuffer c, uint32_t from, uint32_t to) {
    VkBufferMemoryBarrier m{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
    m.srcAccessMask = from ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT, m.dstAccessMask = to ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT;
    m.srcQueueFamilyIndex = from, m.dstQueueFamilyIndex = to, m.buffer = b.handle, m.size = VK_WHOLE_SIZE;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &m, 0, nullptr);
  };
  run([&](VkCommandBuffer c) {
    vkCmdFillBuffer(c, b.handle, 0, 32, 0x01010101);
    hand(c, 0, VK_QUEUE_FAMILY_FOREIGN_EXT);
  });
  EXPECT_EQ(b.map[31], 1);
  b.map[40] = 7;  // the foreign one
  run([&](VkCommandBuffer c) {
    hand(c, VK_QUEUE_FAMILY_FOREIGN_EXT, 0);
    vkCmdFillBuffer(c, b.handle, 0, 16, 0x02020202);
  });
  EXPECT_EQ(b.map[15], 2);
  EXPECT_EQ(b.map[31], 1);
  EXPECT_EQ(b.map[40], 7);
}

}  // namespace
}  // namespace vktest
