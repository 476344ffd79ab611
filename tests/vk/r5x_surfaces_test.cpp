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

}  // namespace
}  // namespace vktest
