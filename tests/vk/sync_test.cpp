// SPDX-License-Identifier: MIT
/// Fences, semaphores, events, queries without draws, secondary command buffers.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Sync : public Vk {
 protected:
  VkFence fence(bool signalled = false) {
    VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    fi.flags = signalled ? VK_FENCE_CREATE_SIGNALED_BIT : 0;
    VkFence f = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateFence(device, &fi, nullptr, &f));
    defer([this, f] { vkDestroyFence(device, f, nullptr); });
    return f;
  }
};

TEST_F(Sync, FencesBeginAsTold) {
  const VkFence off = fence(), on = fence(true);
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, off));
  EXPECT_EQ(VK_SUCCESS, vkGetFenceStatus(device, on));
  EXPECT_EQ(VK_TIMEOUT, vkWaitForFences(device, 1, &off, VK_TRUE, 1000));
  const VkFence both[2] = {off, on};
  EXPECT_EQ(VK_SUCCESS, vkWaitForFences(device, 2, both, VK_FALSE, 1000));
  EXPECT_EQ(VK_TIMEOUT, vkWaitForFences(device, 2, both, VK_TRUE, 1000));
  VK_OK(vkResetFences(device, 1, &on));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, on));
}

TEST_F(Sync, SubmissionsRunInOrderAndSignal) {
  Buffer b = buffer(16);
  const VkCommandBuffer first = recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 0, 8, 1); });
  const VkCommandBuffer second = recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 4, 8, 2); });
  VkSemaphoreCreateInfo semi{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore s;
  VK_OK(vkCreateSemaphore(device, &semi, nullptr, &s));
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo si[2] = {{VK_STRUCTURE_TYPE_SUBMIT_INFO}, {VK_STRUCTURE_TYPE_SUBMIT_INFO}};
  si[0].commandBufferCount = 1;
  si[0].pCommandBuffers = &first;
  si[0].signalSemaphoreCount = 1;
  si[0].pSignalSemaphores = &s;
  si[1].commandBufferCount = 1;
  si[1].pCommandBuffers = &second;
  si[1].waitSemaphoreCount = 1;
  si[1].pWaitSemaphores = &s;
  si[1].pWaitDstStageMask = &stage;
  const VkFence f = fence();
  for (int round = 0; round < 50; ++round) {
    std::memset(b.map, 0, 16);
    VK_OK(vkQueueSubmit(queue, 2, si, f));
    VK_OK(vkWaitForFences(device, 1, &f, VK_TRUE, UINT64_MAX));
    VK_OK(vkResetFences(device, 1, &f));
    const uint32_t* w = b.as<uint32_t>();
    ASSERT_EQ((std::vector<uint32_t>(w, w + 4)), (std::vector<uint32_t>{1, 2, 2, 0}));
  }
  vkDestroySemaphore(device, s, nullptr);
}

TEST_F(Sync, AnEmptySubmissionSignalsItsFence) {
  const VkFence f = fence();
  VK_OK(vkQueueSubmit(queue, 0, nullptr, f));
  EXPECT_EQ(VK_SUCCESS, vkWaitForFences(device, 1, &f, VK_TRUE, UINT64_MAX));
}

TEST_F(Sync, EventsFromTheDeviceAndFromTheHost) {
  const VkEvent set = event(), awaited = event();
  Buffer b = buffer(16);
  EXPECT_EQ(VK_EVENT_RESET, vkGetEventStatus(device, set));
  const VkCommandBuffer c = recorded([&](VkCommandBuffer r) {
    vkCmdSetEvent(r, set, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    vkCmdWaitEvents(r, 1, &awaited, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
    vkCmdFillBuffer(r, b.handle, 0, 16, 3);
  });
  const VkFence f = fence();
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  VK_OK(vkQueueSubmit(queue, 1, &si, f));
  while (vkGetEventStatus(device, set) != VK_EVENT_SET) std::this_thread::yield();  // if it never is, the test's time limit says so
  EXPECT_EQ(VK_TIMEOUT, vkWaitForFences(device, 1, &f, VK_TRUE, 1000000));
  EXPECT_EQ(b.as<uint32_t>()[0], 0u);
  VK_OK(vkSetEvent(device, awaited));
  VK_OK(vkWaitForFences(device, 1, &f, VK_TRUE, UINT64_MAX));
  EXPECT_EQ(b.as<uint32_t>()[0], 3u);
  run([&](VkCommandBuffer r) { vkCmdResetEvent(r, set, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT); });
  EXPECT_EQ(VK_EVENT_RESET, vkGetEventStatus(device, set));
}

TEST_F(Sync, QueryAvailabilityAndConditionalCopy) {
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
  qi.queryCount = 2;
  VkQueryPool q;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateQueryPool(device, &qi, nullptr, &q));  // a feature guards it
  qi.queryType = VK_QUERY_TYPE_OCCLUSION;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &q));
  Buffer b = buffer(64);
  std::memset(b.map, 0xEE, 64);
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, q, 0, 2);
    vkCmdBeginQuery(c, q, 0, 0);
    vkCmdEndQuery(c, q, 0);
    vkCmdCopyQueryPoolResults(c, q, 0, 2, b.handle, 0, 16, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  });
  const uint64_t* w = b.as<uint64_t>();
  EXPECT_EQ(w[0], 0u);                     // nothing was drawn
  EXPECT_EQ(w[1], 1u);                     // available
  EXPECT_EQ(w[2], 0xEEEEEEEEEEEEEEEEull);  // never ended: its value stays away
  EXPECT_EQ(w[3], 0u);
  uint32_t results[4] = {9, 9, 9, 9};
  EXPECT_EQ(VK_NOT_READY, vkGetQueryPoolResults(device, q, 0, 2, sizeof results, results, 8, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
  EXPECT_EQ((std::vector<uint32_t>(results, results + 4)), (std::vector<uint32_t>{0, 1, 9, 0}));
  vkDestroyQueryPool(device, q, nullptr);
}

/// No feature guards the pool. The chip has no clock: timestampValidBits is 0 and the values are 0, but waiting for a result returns.
TEST_F(Sync, TimestampQueriesExistWithoutAClock) {
  VkQueueFamilyProperties family;
  uint32_t n = 1;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, &family);
  EXPECT_EQ(family.timestampValidBits, 0u);
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, VK_QUERY_TYPE_TIMESTAMP, 2, 0};
  VkQueryPool q;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &q));
  Buffer b = buffer(64);
  std::memset(b.map, 0xEE, 64);
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, q, 0, 2);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, q, 1);
    vkCmdCopyQueryPoolResults(c, q, 0, 2, b.handle, 0, 16, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  });
  uint64_t results[2] = {9, 9};
  VK_OK(vkGetQueryPoolResults(device, q, 1, 1, sizeof results, results, 16,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
  EXPECT_EQ(results[0], 0u);
  EXPECT_EQ(results[1], 1u);
  const uint64_t* w = b.as<uint64_t>();
  EXPECT_EQ((std::vector<uint64_t>(w, w + 4)), (std::vector<uint64_t>{0xEEEEEEEEEEEEEEEEull, 0, 0, 1}));
  EXPECT_EQ(VK_NOT_READY, vkGetQueryPoolResults(device, q, 0, 1, sizeof results, results, 8, VK_QUERY_RESULT_64_BIT));
  vkDestroyQueryPool(device, q, nullptr);
}

/// What applications do wrong with semaphores and fences: nothing waits for ever, and the report names the object.
class Misuse : public Sync {
 protected:
  Misuse() { instance_extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME}; }

  VkSemaphore semaphore(const char* name) {
    VkSemaphoreCreateInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateSemaphore(device, &si, nullptr, &s));
    name_object(VK_OBJECT_TYPE_SEMAPHORE, reinterpret_cast<uint64_t>(s), name);
    return s;
  }
  void name_object(VkObjectType type, uint64_t handle, const char* name) {
    const VkDebugUtilsObjectNameInfoEXT ni{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, type, handle, name};
    EXPECT_EQ(VK_SUCCESS, vkSetDebugUtilsObjectNameEXT(device, &ni));
  }
  void submit(VkCommandBuffer c, VkSemaphore wait, VkSemaphore signal, VkFence f = VK_NULL_HANDLE) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    si.commandBufferCount = c ? 1 : 0;
    si.pCommandBuffers = &c;
    si.waitSemaphoreCount = wait ? 1 : 0;
    si.pWaitSemaphores = &wait;
    si.pWaitDstStageMask = &stage;
    si.signalSemaphoreCount = signal ? 1 : 0;
    si.pSignalSemaphores = &signal;
    EXPECT_EQ(VK_SUCCESS, vkQueueSubmit(queue, 1, &si, f));
  }
  /// Holds the queue's thread until the event is set.
  VkCommandBuffer waits_for(VkEvent e) {
    return recorded([&](VkCommandBuffer c) {
      vkCmdWaitEvents(c, 1, &e, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
    });
  }
  static std::string printed(const std::function<void()>& f) {
    testing::internal::CaptureStderr();
    f();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(Misuse, AWaitThatNothingSignalsIsReportedAndLeftOut) {
  const VkSemaphore s = semaphore("frame done");
  Buffer b = buffer(16);
  const VkCommandBuffer fill = recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 0, 16, 5); });
  const std::string said = printed([&] { submit(fill, s, VK_NULL_HANDLE); });
  char text[200];
  std::snprintf(
      text, sizeof text,
      "pumice: error: vkQueueSubmit: waits for VkSemaphore 0x%llx \"frame done\", but nothing signals it: no signal was submitted "
      "that another wait has not taken. The wait is left out\n",
      static_cast<unsigned long long>(reinterpret_cast<uint64_t>(s)));
  EXPECT_EQ(said, text);
  VK_OK(vkDeviceWaitIdle(device));
  EXPECT_EQ(b.as<uint32_t>()[3], 5u);
  EXPECT_EQ(printed([&] { submit(fill, s, VK_NULL_HANDLE); }), "");  // once per semaphore
  // It still works as it should.
  submit(VK_NULL_HANDLE, VK_NULL_HANDLE, s);
  submit(fill, s, VK_NULL_HANDLE);
  VK_OK(vkQueueWaitIdle(queue));
  vkDestroySemaphore(device, s, nullptr);
}

TEST_F(Misuse, TwoWaitsForOneSignal) {
  const VkSemaphore s = semaphore("shared");
  const VkEvent e = event();
  submit(waits_for(e), VK_NULL_HANDLE, s);  // pending, like all that follows
  EXPECT_EQ(printed([&] { submit(VK_NULL_HANDLE, s, VK_NULL_HANDLE); }), "");
  EXPECT_NE(printed([&] { submit(VK_NULL_HANDLE, s, VK_NULL_HANDLE); }).find("\"shared\", but nothing signals it"), std::string::npos);
  VK_OK(vkSetEvent(device, e));
  VK_OK(vkDeviceWaitIdle(device));
  vkDestroySemaphore(device, s, nullptr);
}

TEST_F(Misuse, SignalsAreCounted) {
  const VkSemaphore s = semaphore("counted");
  const VkEvent e = event();
  submit(waits_for(e), VK_NULL_HANDLE, VK_NULL_HANDLE);
  const std::string said = printed([&] {
    for (int i = 0; i < 3; ++i) submit(VK_NULL_HANDLE, VK_NULL_HANDLE, s);
    for (int i = 0; i < 3; ++i) submit(VK_NULL_HANDLE, s, VK_NULL_HANDLE);
  });
  EXPECT_EQ(said, "");
  VK_OK(vkSetEvent(device, e));
  VK_OK(vkDeviceWaitIdle(device));
  vkDestroySemaphore(device, s, nullptr);
}

TEST_F(Misuse, SemaphoresAndFencesMayGoBeforeTheirWork) {
  const VkSemaphore s = semaphore("gone");
  const VkEvent e = event();
  VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence f;
  VK_OK(vkCreateFence(device, &fi, nullptr, &f));
  name_object(VK_OBJECT_TYPE_FENCE, reinterpret_cast<uint64_t>(f), "gone too");
  submit(waits_for(e), VK_NULL_HANDLE, s);
  submit(VK_NULL_HANDLE, s, VK_NULL_HANDLE, f);
  vkDestroySemaphore(device, s, nullptr);
  const std::string said = printed([&] { vkDestroyFence(device, f, nullptr); });
  EXPECT_NE(said.find("\"gone too\" belongs to work that has not finished"), std::string::npos) << said;
  VK_OK(vkSetEvent(device, e));
  VK_OK(vkQueueWaitIdle(queue));
}

TEST_F(Misuse, ADeviceGoesAlthoughItsQueueWaitsForAnEvent) {
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1;
  di.pQueueCreateInfos = &qi;
  VkDevice d;
  VK_OK(vkCreateDevice(physical, &di, nullptr, &d));
  VkQueue q;
  vkGetDeviceQueue(d, 0, 0, &q);
  VkCommandPoolCreateInfo pi{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool p;
  VK_OK(vkCreateCommandPool(d, &pi, nullptr, &p));
  VkCommandBufferAllocateInfo ai{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, p, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer c;
  VK_OK(vkAllocateCommandBuffers(d, &ai, &c));
  VkEventCreateInfo ei{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent e;
  VK_OK(vkCreateEvent(d, &ei, nullptr, &e));
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  vkCmdWaitEvents(c, 1, &e, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
  VK_OK(vkEndCommandBuffer(c));
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  VK_OK(vkQueueSubmit(q, 1, &si, VK_NULL_HANDLE));
  vkDestroyDevice(d, nullptr);  // with pool and event alive: their memory is leaked, nothing hangs
}

TEST_F(Sync, SecondaryCommandBuffersRunWhereTheyAreExecuted) {
  Buffer b = buffer(12);
  VkCommandBuffer s = command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inherit{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  bi.pInheritanceInfo = &inherit;
  VK_OK(vkBeginCommandBuffer(s, &bi));
  vkCmdFillBuffer(s, b.handle, 4, 4, 2);
  VK_OK(vkEndCommandBuffer(s));
  run([&](VkCommandBuffer c) {
    vkCmdFillBuffer(c, b.handle, 0, 8, 1);
    barrier(c);
    vkCmdExecuteCommands(c, 1, &s);
    vkCmdFillBuffer(c, b.handle, 8, 4, 3);
  });
  const uint32_t* w = b.as<uint32_t>();
  EXPECT_EQ((std::vector<uint32_t>(w, w + 3)), (std::vector<uint32_t>{1, 2, 3}));
}

TEST_F(Sync, LongStreamsCrossManyChunks) {
  constexpr uint32_t kWords = 60000;
  Buffer a = buffer(kWords * 4), b = buffer(kWords * 4);
  for (uint32_t i = 0; i < kWords; ++i) a.as<uint32_t>()[i] = i;
  std::vector<VkBufferCopy> regions;
  for (uint32_t i = 0; i < kWords; ++i) regions.push_back({i * 4, (kWords - 1 - i) * 4, 4});
  run([&](VkCommandBuffer c) { vkCmdCopyBuffer(c, a.handle, b.handle, kWords, regions.data()); });
  for (uint32_t i = 0; i < kWords; ++i) ASSERT_EQ(b.as<uint32_t>()[i], kWords - 1 - i);
}

// Plain batches go into the ring from the submitting thread, those with host steps (events) through the queue's own.
TEST_F(Sync, AllKindsOfBatchesKeepTheirOrder) {
  constexpr uint32_t kBatches = 40;
  Buffer b = buffer(4 * kBatches);
  const VkEvent e = event();
  VK_OK(vkSetEvent(device, e));
  VkSemaphoreCreateInfo semi{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore s;
  VK_OK(vkCreateSemaphore(device, &semi, nullptr, &s));
  std::vector<VkCommandBuffer> commands;
  std::vector<VkFence> fences;
  for (uint32_t i = 0; i < kBatches; ++i) {
    fences.push_back(fence());
    // Each overwrites all that follow: the last word of each length survives in the right order only.
    commands.push_back(recorded([&](VkCommandBuffer c) {
      if (i % 5 == 2)
        vkCmdWaitEvents(c, 1, &e, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
      vkCmdFillBuffer(c, b.handle, 4 * i, VK_WHOLE_SIZE, i + 1);
    }));
  }
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  for (int round = 0; round < 10; ++round) {
    std::memset(b.map, 0, b.size);
    for (uint32_t i = 0; i < kBatches; ++i) {
      VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
      si.commandBufferCount = i % 7 != 3;  // some have a fence and semaphores only
      si.pCommandBuffers = &commands[i];
      si.signalSemaphoreCount = i % 2 == 0;
      si.waitSemaphoreCount = i % 2;
      si.pSignalSemaphores = si.pWaitSemaphores = &s;
      si.pWaitDstStageMask = &stage;
      VK_OK(vkQueueSubmit(queue, 1, &si, fences[i]));
    }
    for (uint32_t i = kBatches; i-- > 0;) {
      if (round % 2 == 0 && i % 3 == 0) continue;
      VK_OK(vkWaitForFences(device, 1, &fences[i], VK_TRUE, UINT64_MAX));
      for (uint32_t k = 0; k < i; ++k) ASSERT_EQ(VK_SUCCESS, vkGetFenceStatus(device, fences[k])) << k << " before " << i;
    }
    VK_OK(vkQueueWaitIdle(queue));
    VK_OK(vkResetFences(device, kBatches, fences.data()));
    uint32_t expected = 0;
    for (uint32_t i = 0; i < kBatches; ++i) {
      if (i % 7 != 3) expected = i + 1;
      ASSERT_EQ(b.as<uint32_t>()[i], expected) << i;
    }
  }
  vkDestroySemaphore(device, s, nullptr);
}

TEST_F(Sync, MoreBatchesThanTheRingHolds) {
  constexpr uint32_t kBatches = 2000;
  Buffer b = buffer(8);
  const VkCommandBuffer c = recorded([&](VkCommandBuffer r) { vkCmdFillBuffer(r, b.handle, 0, 8, 7); });
  const VkFence f = fence();
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  for (uint32_t i = 0; i < kBatches; ++i) VK_OK(vkQueueSubmit(queue, 1, &si, i + 1 == kBatches ? f : VK_NULL_HANDLE));
  VK_OK(vkWaitForFences(device, 1, &f, VK_TRUE, UINT64_MAX));
  VK_OK(vkQueueWaitIdle(queue));
  EXPECT_EQ(b.as<uint32_t>()[1], 7u);
}

/// The chip has long work to do while the ring fills: nothing may be written over what it has not read.
TEST_F(Sync, AFullRingKeepsWhatTheChipHasNotRead) {
  constexpr uint32_t kBatches = 2000;
  constexpr VkDeviceSize kLarge = 32 << 20;
  Buffer b = buffer(4 * kBatches), from = buffer(kLarge), to = buffer(kLarge);
  std::vector<VkCommandBuffer> commands;
  for (uint32_t i = 0; i < kBatches; ++i)
    commands.push_back(recorded([&](VkCommandBuffer c) {
      const VkBufferCopy all{0, 0, kLarge};
      for (int k = 0; i == 0 && k < 20; ++k) {
        barrier(c);
        vkCmdCopyBuffer(c, from.handle, to.handle, 1, &all);
      }
      vkCmdFillBuffer(c, b.handle, 4 * i, 4, i + 1);
    }));
  for (VkCommandBuffer& c : commands) {
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    si.commandBufferCount = 1;
    si.pCommandBuffers = &c;
    VK_OK(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
  }
  VK_OK(vkQueueWaitIdle(queue));
  for (uint32_t i = 0; i < kBatches; ++i) ASSERT_EQ(b.as<uint32_t>()[i], i + 1);
}

TEST_F(Sync, SeveralThreadsWaitForTheirFences) {
  constexpr int kThreads = 3, kRounds = 100;
  Buffer b = buffer(4 * kThreads);
  std::mutex queue_mutex;
  std::vector<VkCommandBuffer> commands;
  std::vector<VkFence> fences;
  for (uint32_t i = 0; i < kThreads; ++i) {
    commands.push_back(recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 4 * i, 4, 100 + i); }));
    fences.push_back(fence());
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        b.as<uint32_t>()[i] = 0;
        VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        si.commandBufferCount = 1;
        si.pCommandBuffers = &commands[i];
        {
          std::lock_guard lock(queue_mutex);
          ASSERT_EQ(VK_SUCCESS, vkQueueSubmit(queue, 1, &si, fences[i]));
        }
        if (round % 2)
          while (vkGetFenceStatus(device, fences[i]) == VK_NOT_READY) std::this_thread::yield();
        ASSERT_EQ(VK_SUCCESS, vkWaitForFences(device, 1, &fences[i], VK_TRUE, UINT64_MAX));
        ASSERT_EQ(b.as<uint32_t>()[i], 100u + static_cast<uint32_t>(i));
        ASSERT_EQ(VK_SUCCESS, vkResetFences(device, 1, &fences[i]));
      }
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace vktest
