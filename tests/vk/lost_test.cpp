// SPDX-License-Identifier: MIT
/// A shader the watchdog stops (PUMICE_DEBUG=watchdog keeps it short): the device is lost, the process lives, nothing waits for ever.
#include <cstdint>
#include <cstdio>
#include <string>

#include "endless.frag.h"
#include "full.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

class Lost : public Render {};

TEST_F(Lost, EveryWaitSaysSoAndDestructionWorks) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(endless_frag), l);
  Buffer b = buffer(16);
  VkCommandBuffer c = command_buffer();
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  begin(c);
  vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
  push(c, l);
  vkCmdDraw(c, 3, 1, 0, 0);
  vkCmdEndRenderPass(c);
  vkCmdFillBuffer(c, b.handle, 0, 16, 1);
  VK_OK(vkEndCommandBuffer(c));
  VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence f;
  VK_OK(vkCreateFence(device, &fi, nullptr, &f));
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  VK_OK(vkQueueSubmit(queue, 1, &si, f));
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkWaitForFences(device, 1, &f, VK_TRUE, UINT64_MAX));
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkGetFenceStatus(device, f));
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkQueueWaitIdle(queue));
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkDeviceWaitIdle(device));
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
  EXPECT_EQ(b.as<uint32_t>()[0], 0u);  // nothing after the lockup ran
  vkDestroyFence(device, f, nullptr);
}

/// vkCmdWaitEvents, and the host never sets the event: PUMICE_DEBUG=watchdog makes the queue give up after 4 s.
TEST_F(Lost, AnEventThatIsNeverSetEndsTheWaits) {
  const VkEvent e = hold_queue();
  testing::internal::CaptureStderr();
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkDeviceWaitIdle(device));
  const std::string said = testing::internal::GetCapturedStderr();
  char address[24];
  std::snprintf(address, sizeof address, "VkEvent 0x%llx", static_cast<unsigned long long>(reinterpret_cast<uint64_t>(e)));
  EXPECT_NE(said.find(address), std::string::npos) << said;
}

// The next device of the same process is a new chip.
TEST_F(Lost, AnotherDeviceWorks) {
  Buffer b = buffer(16);
  run([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 0, 16, 1); });
  EXPECT_EQ(b.as<uint32_t>()[3], 1u);
}

}  // namespace
}  // namespace vktest
