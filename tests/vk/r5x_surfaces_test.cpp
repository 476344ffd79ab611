// SPDX-License-Identifier: MIT
/// Attachments of which the chip remembers what cleared them (docs/r5x.md, section 9, SURFACE): the host may write their memory all the
/// same, also between two executions of one command buffer.
#include <algorithm>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Surfaces : public Vk {
 protected:
  static constexpr uint32_t kSize = 128;
  static constexpr VkDeviceSize kBytes = VkDeviceSize{4} * kSize * kSize;
  static constexpr uint8_t kCleared = 51;  // 0.2

  void SetUp() override {
    Vk::SetUp();
    target = image(VK_FORMAT_R8G8B8A8_UNORM, kSize, kSize,
                   {.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    to_general(target.handle, VK_IMAGE_ASPECT_COLOR_BIT);
    clear = recorded([this](VkCommandBuffer c) {
      const VkClearColorValue value{{0.2f, 0.2f, 0.2f, 0.2f}};
      const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      vkCmdClearColorImage(c, target.handle, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
      barrier(c);
    });
  }
  bool is_cleared() {
    VkSubmitInfo s{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    s.commandBufferCount = 1, s.pCommandBuffers = &clear;
    EXPECT_EQ(VK_SUCCESS, vkQueueSubmit(queue, 1, &s, VK_NULL_HANDLE));
    const std::vector<uint8_t> bytes = read(target, 4);
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == kCleared; });
  }
  Image target;
  VkCommandBuffer clear = VK_NULL_HANDLE;
};

TEST_F(Surfaces, TheHostWritesMemoryOfAClearedImage) {
  for (uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(is_cleared());
  void* bytes = nullptr;
  VK_OK(vkMapMemory(device, target.memory, 0, VK_WHOLE_SIZE, 0, &bytes));
  for (uint32_t i = 0; i < 3; ++i) {
    std::memset(bytes, 7, kBytes);
    EXPECT_TRUE(is_cleared()) << i;
  }
  vkUnmapMemory(device, target.memory);
  EXPECT_TRUE(is_cleared());
}

/// The same through a buffer in the same memory.
TEST_F(Surfaces, ABufferInMemoryOfAClearedImage) {
  EXPECT_TRUE(is_cleared());
  VkBufferCreateInfo i{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  i.size = kBytes, i.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer alias = VK_NULL_HANDLE;
  VK_OK(vkCreateBuffer(device, &i, nullptr, &alias));
  defer([this, alias] { vkDestroyBuffer(device, alias, nullptr); });
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, alias, &needs);
  ASSERT_LE(needs.size, kBytes);
  VK_OK(vkBindBufferMemory(device, alias, target.memory, 0));
  for (uint32_t n = 0; n < 2; ++n) {
    run([&](VkCommandBuffer c) {
      vkCmdFillBuffer(c, alias, 0, VK_WHOLE_SIZE, 0x07070707);
      barrier(c);
    });
    EXPECT_TRUE(is_cleared());
  }
  // Results of queries are written by the driver.
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_OCCLUSION, qi.queryCount = 4;
  VkQueryPool queries = VK_NULL_HANDLE;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &queries));
  defer([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
  for (uint32_t n = 0; n < 2; ++n) {
    run([&](VkCommandBuffer c) {
      vkCmdResetQueryPool(c, queries, 0, 4);
      vkCmdCopyQueryPoolResults(c, queries, 0, 4, alias, 400, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_PARTIAL_BIT);
      barrier(c);
    });
    EXPECT_TRUE(is_cleared());
  }
}

/// Depth that a pass does not store is what it was cleared to (the driver says so to the chip, which need not write it); all else stays.
class UnstoredDepth : public Vk {
 protected:
  static constexpr uint32_t kSize = 96;
  static constexpr VkAttachmentStoreOp kStore = VK_ATTACHMENT_STORE_OP_STORE, kNoStore = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  static constexpr float kClear = 1, kDrawn = 0.25f;

  void SetUp() override {
    Vk::SetUp();
    target = image(VK_FORMAT_D32_SFLOAT_S8_UINT, kSize, kSize,
                   {.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                    .aspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT,
                    .view = true});
    to_general(target.handle, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
  }
  /// Clears, and clears again as draws would.
  void pass(VkAttachmentLoadOp load, VkAttachmentStoreOp depth, VkAttachmentStoreOp stencil, VkRect2D area = {{}, {kSize, kSize}}) {
    VkAttachmentDescription a{};
    a.format = VK_FORMAT_D32_SFLOAT_S8_UINT, a.samples = VK_SAMPLE_COUNT_1_BIT;
    a.loadOp = a.stencilLoadOp = load, a.storeOp = depth, a.stencilStoreOp = stencil;
    a.initialLayout = a.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference ref{0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription s{};
    s.pDepthStencilAttachment = &ref;
    VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    ri.attachmentCount = 1, ri.pAttachments = &a, ri.subpassCount = 1, ri.pSubpasses = &s;
    VkRenderPass pass = VK_NULL_HANDLE;
    VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
    defer([this, pass] { vkDestroyRenderPass(device, pass, nullptr); });
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = pass, fi.attachmentCount = 1, fi.pAttachments = &target.view, fi.width = fi.height = kSize, fi.layers = 1;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
    defer([this, framebuffer] { vkDestroyFramebuffer(device, framebuffer, nullptr); });
    run([&](VkCommandBuffer c) {
      VkClearValue value{};
      value.depthStencil = {kClear, 3};
      VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
      bi.renderPass = pass, bi.framebuffer = framebuffer, bi.renderArea = area, bi.pClearValues = &value;
      const bool clears = load == VK_ATTACHMENT_LOAD_OP_CLEAR;
      bi.clearValueCount = clears;
      vkCmdBeginRenderPass(c, &bi, VK_SUBPASS_CONTENTS_INLINE);
      VkClearAttachment again{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, {}};
      again.clearValue.depthStencil = {kDrawn, 5};
      const VkClearRect all{area, 0, 1};
      if (clears) vkCmdClearAttachments(c, 1, &again, 1, &all);
      vkCmdEndRenderPass(c);
      barrier(c);
    });
  }
  float depth_at(uint32_t x, uint32_t y) {
    const std::vector<uint8_t> bytes = read(target, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
    float z = 0;
    std::memcpy(&z, &bytes[4 * (y * kSize + x)], sizeof z);
    return z;
  }
  uint32_t stencil_at(uint32_t x, uint32_t y) { return read(target, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT)[y * kSize + x]; }
  Image target;
};

TEST_F(UnstoredDepth, IsWhatItWasClearedTo) {
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kNoStore, kNoStore);
  EXPECT_EQ(depth_at(50, 70), kClear);
  EXPECT_EQ(stencil_at(50, 70), 3u);
}

TEST_F(UnstoredDepth, AllElseStays) {
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kStore, kStore);
  EXPECT_EQ(depth_at(50, 70), kDrawn);
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kNoStore, kStore);
  EXPECT_EQ(stencil_at(50, 70), 5u);
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kStore, kNoStore);
  EXPECT_EQ(depth_at(50, 70), kDrawn);
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kNoStore, kNoStore, {{8, 8}, {40, 80}});
  EXPECT_EQ(depth_at(50, 70), kDrawn) << "beside the area";
  pass(VK_ATTACHMENT_LOAD_OP_LOAD, kStore, kStore);
  EXPECT_EQ(depth_at(50, 70), kDrawn);
}

}  // namespace
}  // namespace vktest
