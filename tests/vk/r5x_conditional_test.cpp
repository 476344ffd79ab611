// SPDX-License-Identifier: MIT
/// r5x: VK_EXT_conditional_rendering.
#include "mark.comp.h"
#include "tests/vk/colored_fixture.h"

namespace vktest {
namespace {

class Conditional : public Colored {
 protected:
  Conditional() {
    device_extensions = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
    conditional_.conditionalRendering = conditional_.inheritedConditionalRendering = VK_TRUE;
    device_next = &conditional_;
  }

  /// A dword for each condition: 0, 1, and one with high bits only.
  Buffer values() {
    const Buffer b = buffer(12, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const uint32_t of[3] = {0, 1, 0x80000000};
    std::memcpy(b.map, of, sizeof of);
    return b;
  }
  static void begin_if(VkCommandBuffer c, const Buffer& b, uint32_t n, bool inverted = false) {
    VkConditionalRenderingBeginInfoEXT i{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
    i.buffer = b.handle, i.offset = 4 * n, i.flags = inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0;
    vkCmdBeginConditionalRenderingEXT(c, &i);
  }

 private:
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
};

TEST_F(Conditional, Features) {
  VkPhysicalDeviceConditionalRenderingFeaturesEXT f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
  VkPhysicalDeviceFeatures2 f2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f};
  vkGetPhysicalDeviceFeatures2(physical, &f2);
  EXPECT_TRUE(f.conditionalRendering && f.inheritedConditionalRendering);
}

TEST_F(Conditional, DrawsOfEveryKind) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), l, colored());
  const Buffer b = values(), indices = buffer(6, VK_BUFFER_USAGE_INDEX_BUFFER_BIT),
               arguments = buffer(36, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  for (uint16_t i = 0; i < 3; ++i) indices.map[2 * i] = static_cast<uint8_t>(i), indices.map[2 * i + 1] = 0;
  const VkDrawIndirectCommand one{3, 1, 0, 0};
  const VkDrawIndexedIndirectCommand indexed{3, 1, 0, 0, 0};
  std::memcpy(arguments.map, &one, sizeof one), std::memcpy(arguments.map + 16, &indexed, sizeof indexed);
  for (int kind = 0; kind < 4; ++kind)
    for (uint32_t n = 0; n < 3; ++n)
      for (const bool inverted : {false, true}) {
        render([&](VkCommandBuffer c) {
          bind(c, p, full(kRed));
          vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
          begin_if(c, b, n, inverted);
          if (kind == 0) vkCmdDraw(c, 3, 1, 0, 0);
          if (kind == 1) vkCmdDrawIndexed(c, 3, 1, 0, 0, 0);
          if (kind == 2) vkCmdDrawIndirect(c, arguments.handle, 0, 1, 16);
          if (kind == 3) vkCmdDrawIndexedIndirect(c, arguments.handle, 16, 1, 20);
          vkCmdEndConditionalRenderingEXT(c);
        });
        EXPECT_EQ(count(kRedPixel), (n != 0) != inverted ? kSize * kSize : 0) << kind << ' ' << n << ' ' << inverted;
      }
}

TEST_F(Conditional, EndsAndBeginsAgain) {
  make_pass();
  const VkPipeline p = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), layout(), colored());
  const Buffer b = values();
  render([&](VkCommandBuffer c) {
    begin_if(c, b, 0);
    draw(c, p, full(kRed));
    vkCmdEndConditionalRenderingEXT(c);
    draw(c, p, rectangle(kGreen, -1, 0, 0, 0));
    begin_if(c, b, 1);
    draw(c, p, rectangle(kBlue, 0.5f, 1, 0, 0));
    vkCmdEndConditionalRenderingEXT(c);
  });
  EXPECT_EQ(count(kGreenPixel), kSize * kSize / 2);
  EXPECT_EQ(count(kBluePixel), kSize * kSize / 4);
  EXPECT_EQ(count(kNone), kSize * kSize / 4);
}

/// Values that the queue writes count from the barrier on; what is no rendering goes on.
TEST_F(Conditional, ReadsWhatWasWrittenAndLeavesTransfersAlone) {
  make_pass();
  const VkPipeline p = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), layout(), colored());
  const Buffer b = values();
  Buffer other = buffer(16);
  for (const uint32_t value : {0u, 5u}) {
    std::memset(other.map, 0, 16);
    run([&](VkCommandBuffer c) {
      vkCmdFillBuffer(c, b.handle, 4, 4, value);
      VkMemoryBarrier m{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
      m.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, m.dstAccessMask = VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT;
      vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT, 0, 1, &m, 0, nullptr, 0,
                           nullptr);
      begin_if(c, b, 1);
      begin(c, kBlue);  // clears on load
      draw(c, p, rectangle(kRed, -1, 0, 0, 0));
      vkCmdEndRenderPass(c);
      vkCmdFillBuffer(c, other.handle, 0, 16, 7);
      vkCmdEndConditionalRenderingEXT(c);
    });
    picture();
    EXPECT_EQ(count(kRedPixel), value ? kSize * kSize / 2 : 0);
    EXPECT_EQ(count(kBluePixel), value ? kSize * kSize / 2 : kSize * kSize);
    EXPECT_EQ(other.as<uint32_t>()[3], 7u);
  }
}

TEST_F(Conditional, ClearsOfAttachments) {
  const Buffer b = values();
  for (const VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT}) {
    make_pass({format}, VK_FORMAT_D24_UNORM_S8_UINT);
    pixel_bytes = format == VK_FORMAT_R8G8B8A8_UNORM ? 4 : 16;
    for (const uint32_t n : {0u, 1u}) {
      run([&](VkCommandBuffer c) {
        begin(c, kBlue, 1, 3);
        begin_if(c, b, n);
        const auto clear = [&](VkImageAspectFlags aspects, VkRect2D rect) {
          VkClearAttachment a{aspects, 0, {}};
          if (aspects & VK_IMAGE_ASPECT_COLOR_BIT)
            std::memcpy(a.clearValue.color.float32, kRed.data(), 16);
          else
            a.clearValue.depthStencil = {0, 9};
          const VkClearRect r{rect, 0, 1};
          vkCmdClearAttachments(c, 1, &a, 1, &r);
        };
        clear(VK_IMAGE_ASPECT_COLOR_BIT, {{0, 0}, {kSize, kSize}});
        clear(VK_IMAGE_ASPECT_STENCIL_BIT, {{0, 0}, {kSize, kSize / 2}});
        clear(VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, {{0, kSize / 2}, {kSize, kSize / 2}});
        vkCmdEndConditionalRenderingEXT(c);
        vkCmdEndRenderPass(c);
      });
      const std::vector<uint8_t> colors = read(color[0], pixel_bytes);
      if (pixel_bytes == 4) {
        EXPECT_EQ(colors[4 * 37], n ? 255 : 0);
        EXPECT_EQ(colors[4 * 37 + 2], n ? 0 : 255);
      } else {
        float v[4];
        std::memcpy(v, &colors[16 * 37], 16);
        EXPECT_EQ(v[0], n ? 1 : 0);
      }
      const auto stencil = read(depth, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT);
      for (const uint32_t at : {0u, kSize * kSize - 1}) EXPECT_EQ(stencil[at], n ? 9 : 3) << at;
      const auto depths = read(depth, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
      EXPECT_EQ(depths[0], 0xFF);
      EXPECT_EQ(depths[4 * (kSize * kSize - 1)], n ? 0 : 0xFF);
    }
  }
}

TEST_F(Conditional, Dispatches) {
  const Buffer b = values(), counter = buffer(4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               arguments = buffer(12, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const uint32_t groups[3] = {10, 1, 1};
  std::memcpy(arguments.map, groups, sizeof groups);
  Slot slot{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  slot.buffer = {counter.handle, 0, VK_WHOLE_SIZE};
  const VkPipelineLayout l = layout(std::vector<Slot>{slot});
  const VkDescriptorSet set = set_of({slot});
  VkComputePipelineCreateInfo i{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  i.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  i.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, i.stage.module = shader(mark_comp, sizeof mark_comp), i.stage.pName = "main";
  i.layout = l;
  VkPipeline p = VK_NULL_HANDLE;
  VK_OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
  defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
  for (const uint32_t n : {0u, 1u}) {
    *counter.map = 0;
    run([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
      vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &set, 0, nullptr);
      begin_if(c, b, n);
      vkCmdDispatch(c, 3, 1, 1);
      barrier(c);
      vkCmdDispatchIndirect(c, arguments.handle, 0);
      vkCmdEndConditionalRenderingEXT(c);
      barrier(c);
      vkCmdDispatch(c, 100, 1, 1);
    });
    EXPECT_EQ(*counter.map, n ? 113 : 100);
  }
}

/// Secondary command buffers do not know the primary's condition; they also run without one.
TEST_F(Conditional, InheritedBySecondaries) {
  make_pass();
  const VkPipeline p = pipeline(SPIRV(position3_color_vert), SPIRV(color_frag), layout(), colored());
  const Buffer b = values();
  const VkCommandBuffer second = command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceConditionalRenderingInfoEXT inherits{
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT};
  inherits.conditionalRenderingEnable = VK_TRUE;
  VkCommandBufferInheritanceInfo ii{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &inherits};
  ii.renderPass = pass;  // without its framebuffer: the primary clears
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  bi.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT | VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  bi.pInheritanceInfo = &ii;
  VK_OK(vkBeginCommandBuffer(second, &bi));
  const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
  const VkRect2D scissor{{0, 0}, {kSize, kSize}};
  vkCmdSetViewport(second, 0, 1, &viewport);
  vkCmdSetScissor(second, 0, 1, &scissor);
  draw(second, p, rectangle(kRed, -1, 0, 0, 0));
  VkClearAttachment a{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  std::memcpy(a.clearValue.color.float32, kGreen.data(), 16);
  const VkClearRect half{{{kSize / 2, 0}, {kSize / 2, kSize}}, 0, 1};
  vkCmdClearAttachments(second, 1, &a, 1, &half);
  VK_OK(vkEndCommandBuffer(second));
  for (int n = 0; n < 3; ++n) {
    run([&](VkCommandBuffer c) {
      if (n < 2) begin_if(c, b, static_cast<uint32_t>(n));
      begin(c, kBlue, 1, 0, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(c, 1, &second);
      vkCmdEndRenderPass(c);
      if (n < 2) vkCmdEndConditionalRenderingEXT(c);
    });
    picture();
    EXPECT_EQ(count(kRedPixel), n ? kSize * kSize / 2 : 0) << n;
    EXPECT_EQ(count(kGreenPixel), n ? kSize * kSize / 2 : 0) << n;
    EXPECT_EQ(count(kBluePixel), n ? 0 : kSize * kSize) << n;
  }
}

}  // namespace
}  // namespace vktest
