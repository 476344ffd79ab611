// SPDX-License-Identifier: MIT
/// r5x: VK_KHR_synchronization2.
#include <cstdint>
#include <cstring>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Sync2 : public Vk {
 protected:
  Sync2() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    device_extensions = {VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME};
    // What lies behind the members of a structure means nothing.
    std::memset(static_cast<void*>(&features_), 0xFF, sizeof features_);
    features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES;
    features_.pNext = &timeline_features_;
    features_.synchronization2 = VK_TRUE;
    device_next = &features_;
  }
  VkSemaphore semaphore(bool timeline) {
    VkSemaphoreTypeCreateInfoKHR type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO_KHR};
    type.semaphoreType = timeline ? VK_SEMAPHORE_TYPE_TIMELINE_KHR : VK_SEMAPHORE_TYPE_BINARY_KHR;
    VkSemaphoreCreateInfo i{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    i.pNext = &type;
    VkSemaphore s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateSemaphore(device, &i, nullptr, &s));
    defer([this, s] { vkDestroySemaphore(device, s, nullptr); });
    return s;
  }
  static VkSemaphoreSubmitInfo op(VkSemaphore s, uint64_t value = 0) {
    VkSemaphoreSubmitInfo i{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    i.semaphore = s;
    i.value = value;
    i.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    return i;
  }
  static VkCommandBufferSubmitInfo work(VkCommandBuffer c) {
    VkCommandBufferSubmitInfo i{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    i.commandBuffer = c;
    return i;
  }
  static VkMemoryBarrier2 copies() {
    VkMemoryBarrier2 m{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    m.srcStageMask = m.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
    m.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    m.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
    return m;
  }

 private:
  VkPhysicalDeviceSynchronization2Features features_;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline_features_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, nullptr,
                                                               VK_TRUE};
};

TEST_F(Sync2, TheFeatureIsReported) {
  VkPhysicalDeviceSynchronization2Features has{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  all.pNext = &has;
  vkGetPhysicalDeviceFeatures2KHR(physical, &all);
  EXPECT_EQ(VkBool32{VK_TRUE}, has.synchronization2);
}

TEST_F(Sync2, SubmissionsWaitForEachOtherAndTimelinesTellTheHost) {
  Buffer b = buffer(16);
  const VkSemaphore binary = semaphore(false), timeline = semaphore(true);
  const VkMemoryBarrier2 barrier = copies();
  VkDependencyInfo between{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  between.memoryBarrierCount = 1;
  between.pMemoryBarriers = &barrier;
  const VkCommandBufferSubmitInfo first = work(recorded([&](VkCommandBuffer c) {
    vkCmdFillBuffer(c, b.handle, 0, 8, 7);
    vkCmdPipelineBarrier2KHR(c, &between);
    const VkBufferCopy up{0, 8, 4};
    vkCmdCopyBuffer(c, b.handle, b.handle, 1, &up);
  }));
  const VkCommandBufferSubmitInfo second = work(recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 0, 4, 9); }));
  const VkSemaphoreSubmitInfo go = op(binary), done = op(timeline, 5);
  VkSubmitInfo2 s[2] = {{VK_STRUCTURE_TYPE_SUBMIT_INFO_2}, {VK_STRUCTURE_TYPE_SUBMIT_INFO_2}};
  s[0].commandBufferInfoCount = s[1].commandBufferInfoCount = 1;
  s[0].pCommandBufferInfos = &first;
  s[0].signalSemaphoreInfoCount = 1;
  s[0].pSignalSemaphoreInfos = &go;
  s[1].pCommandBufferInfos = &second;
  s[1].waitSemaphoreInfoCount = 1;
  s[1].pWaitSemaphoreInfos = &go;
  s[1].signalSemaphoreInfoCount = 1;
  s[1].pSignalSemaphoreInfos = &done;
  VK_OK(vkQueueSubmit2KHR(queue, 2, s, VK_NULL_HANDLE));
  const uint64_t five = 5;
  VkSemaphoreWaitInfoKHR wait{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO_KHR};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &five;
  VK_OK(vkWaitSemaphoresKHR(device, &wait, UINT64_MAX));
  uint32_t words[4];
  std::memcpy(words, b.map, sizeof words);
  EXPECT_EQ(9u, words[0]);
  EXPECT_EQ(7u, words[1]);
  EXPECT_EQ(7u, words[2]);
}

TEST_F(Sync2, EventsAreSetWaitedForAndReset) {
  VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent e = VK_NULL_HANDLE;
  VK_OK(vkCreateEvent(device, &info, nullptr, &e));
  defer([this, e] { vkDestroyEvent(device, e, nullptr); });
  const VkMemoryBarrier2 barrier = copies();
  VkDependencyInfo d{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  d.memoryBarrierCount = 1;
  d.pMemoryBarriers = &barrier;
  run([&](VkCommandBuffer c) {
    vkCmdSetEvent2KHR(c, e, &d);
    vkCmdWaitEvents2KHR(c, 1, &e, &d);
  });
  EXPECT_EQ(VK_EVENT_SET, vkGetEventStatus(device, e));
  run([&](VkCommandBuffer c) { vkCmdResetEvent2KHR(c, e, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT); });
  EXPECT_EQ(VK_EVENT_RESET, vkGetEventStatus(device, e));
}

TEST_F(Sync2, TimestampsOfTwoStagesFollowEachOther) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2;
  VkQueryPool times = VK_NULL_HANDLE;
  VK_OK(vkCreateQueryPool(device, &info, nullptr, &times));
  defer([this, times] { vkDestroyQueryPool(device, times, nullptr); });
  Buffer b = buffer(1 << 20);
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, times, 0, 2);
    vkCmdWriteTimestamp2KHR(c, VK_PIPELINE_STAGE_2_NONE, times, 0);
    vkCmdFillBuffer(c, b.handle, 0, VK_WHOLE_SIZE, 1);
    vkCmdWriteTimestamp2KHR(c, VK_PIPELINE_STAGE_2_CLEAR_BIT, times, 1);
  });
  uint64_t at[2] = {};
  VK_OK(vkGetQueryPoolResults(device, times, 0, 2, sizeof at, at, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  EXPECT_GT(at[1], at[0]);
}

}  // namespace
}  // namespace vktest
