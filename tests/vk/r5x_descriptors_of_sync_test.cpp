// SPDX-License-Identifier: MIT
/// r5x: fences by descriptor (VK_KHR_external_fence_fd), sync files of fences and semaphores. An eventfd stands in for the sync file of a
/// kernel driver, which a test cannot make.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class SyncDescriptors : public Vk {
 protected:
  static constexpr auto kOpaque = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT, kFile = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  static constexpr auto kSemaphoreFile = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  static constexpr uint64_t kLong = 20'000'000'000, kShort = 2'000'000;
  static constexpr VkDeviceSize kBytes = 1 << 20;

  SyncDescriptors() {
    api_version = VK_API_VERSION_1_1;
    device_extensions = {VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};
  }
  VkFence fence(VkExternalFenceHandleTypeFlags exports, VkFenceCreateFlags flags = 0) {
    const VkExportFenceCreateInfo e{VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO, nullptr, exports};
    const VkFenceCreateInfo i{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, exports ? &e : nullptr, flags};
    VkFence f = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateFence(device, &i, nullptr, &f));
    defer([this, f] { vkDestroyFence(device, f, nullptr); });
    return f;
  }
  VkSemaphore semaphore(VkExternalSemaphoreHandleTypeFlags exports = 0) {
    const VkExportSemaphoreCreateInfo e{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, nullptr, exports};
    const VkSemaphoreCreateInfo i{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, exports ? &e : nullptr, 0};
    VkSemaphore s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateSemaphore(device, &i, nullptr, &s));
    defer([this, s] { vkDestroySemaphore(device, s, nullptr); });
    return s;
  }
  /// -2: no descriptor and no -1.
  int exported(VkFence f, VkExternalFenceHandleTypeFlagBits type) {
    const VkFenceGetFdInfoKHR i{VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, nullptr, f, type};
    int fd = -2;
    EXPECT_EQ(VK_SUCCESS, vkGetFenceFdKHR(device, &i, &fd));
    return fd;
  }
  VkResult import(VkFence f, VkExternalFenceHandleTypeFlagBits type, int fd, VkFenceImportFlags flags = 0) {
    const VkImportFenceFdInfoKHR i{VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR, nullptr, f, flags, type, fd};
    return vkImportFenceFdKHR(device, &i);
  }
  VkResult import_file(VkSemaphore s, int fd) {
    const VkImportSemaphoreFdInfoKHR i{
        VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR, nullptr, s, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT, kSemaphoreFile, fd};
    return vkImportSemaphoreFdKHR(device, &i);
  }
  VkResult wait(std::initializer_list<VkFence> fences, bool all, uint64_t timeout) {
    return vkWaitForFences(device, static_cast<uint32_t>(fences.size()), fences.begin(), all, timeout);
  }
  /// Work of some length that ends with the buffer's last word.
  VkCommandBuffer fills(const Buffer& b, uint32_t value) {
    return recorded([&](VkCommandBuffer c) {
      for (uint32_t i = 0; i < 8; ++i) vkCmdFillBuffer(c, b.handle, 0, kBytes, i < 7 ? i : value), barrier(c);
    });
  }
  static uint32_t last(const Buffer& b) { return reinterpret_cast<const uint32_t*>(b.map)[kBytes / 4 - 1]; }
  static void write_to(int fd) {
    const uint64_t one = 1;
    ASSERT_EQ(ssize_t{8}, ::write(fd, &one, 8));
  }
  static bool readable(int fd, int milliseconds = 0) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, milliseconds) > 0;
  }
  static constexpr int kPatience = 20'000;
};

TEST_F(SyncDescriptors, TypesAreReported) {
  for (const auto type : {kOpaque, kFile}) {
    const VkPhysicalDeviceExternalFenceInfo i{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO, nullptr, type};
    VkExternalFenceProperties p{VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES};
    vkGetPhysicalDeviceExternalFenceProperties(physical, &i, &p);
    EXPECT_EQ(p.externalFenceFeatures, VkFlags{VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT});
    EXPECT_EQ(p.exportFromImportedHandleTypes, VkFlags(type == kOpaque ? kOpaque | kFile : kFile));
    EXPECT_EQ(p.compatibleHandleTypes, VkFlags{kOpaque | kFile});
  }
  const VkPhysicalDeviceExternalSemaphoreInfo i{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, nullptr, kSemaphoreFile};
  VkExternalSemaphoreProperties p{VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  vkGetPhysicalDeviceExternalSemaphoreProperties(physical, &i, &p);
  EXPECT_EQ(p.externalSemaphoreFeatures,
            VkFlags{VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT});
}

TEST_F(SyncDescriptors, OpaqueFencesShareTheirState) {
  const VkFence a = fence(kOpaque), b = fence(kOpaque), c = fence(0);
  VK_OK(import(b, kOpaque, exported(a, kOpaque)));
  VK_OK(import(c, kOpaque, exported(a, kOpaque), VK_FENCE_IMPORT_TEMPORARY_BIT));
  for (const VkFence f : {a, b, c}) EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f));
  EXPECT_EQ(VK_TIMEOUT, wait({b}, true, kShort));
  const Buffer buffer = this->buffer(kBytes);
  const VkCommandBuffer work = fills(buffer, 77);
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1, si.pCommandBuffers = &work;
  VK_OK(vkQueueSubmit(queue, 1, &si, a));
  VK_OK(wait({b}, true, kLong));
  EXPECT_EQ(last(buffer), 77u);
  for (const VkFence f : {a, b, c}) EXPECT_EQ(VK_SUCCESS, vkGetFenceStatus(device, f));
  // A reset lets go of what was imported for the time being; others keep it.
  VK_OK(vkResetFences(device, 1, &c));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, c));
  EXPECT_EQ(VK_SUCCESS, vkGetFenceStatus(device, a));
  VK_OK(vkResetFences(device, 1, &b));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, a));
  // The other way round, and through a chain of exports.
  VK_OK(import(c, kOpaque, exported(b, kOpaque)));
  VK_OK(vkQueueSubmit(queue, 0, nullptr, c));
  VK_OK(wait({a, b}, true, kLong));
  const VkFence set = fence(kOpaque, VK_FENCE_CREATE_SIGNALED_BIT);
  EXPECT_EQ(VK_SUCCESS, vkGetFenceStatus(device, set));
  VK_OK(vkQueueWaitIdle(queue));
}

TEST_F(SyncDescriptors, SharedFencesAreWaitedForWithOthers) {
  const VkFence mine = fence(0), theirs = fence(kOpaque);
  const int fd = exported(theirs, kOpaque);
  EXPECT_EQ(VK_TIMEOUT, wait({mine, theirs}, false, 0));
  EXPECT_EQ(VK_TIMEOUT, wait({mine, theirs}, true, kShort));
  for (const bool all : {false, true}) {
    if (all) {
      VK_OK(vkQueueSubmit(queue, 0, nullptr, mine));
    }
    VkResult r = VK_NOT_READY;
    std::thread waits([&] { r = wait({mine, theirs}, all, kLong); });
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    write_to(fd);  // as another device does
    waits.join();
    EXPECT_EQ(VK_SUCCESS, r) << all;
    EXPECT_EQ(all ? VK_SUCCESS : VK_NOT_READY, vkGetFenceStatus(device, mine));
    const VkFence both[] = {mine, theirs};
    VK_OK(vkResetFences(device, 2, both));
  }
  EXPECT_FALSE(readable(fd));
  close(fd);
}

/// An export waits for the signal, and what goes out stays signalled.
TEST_F(SyncDescriptors, SyncFilesOfFencesGoOut) {
  const Buffer b = buffer(kBytes);
  for (const VkExternalFenceHandleTypeFlags types : {VkFlags{kFile}, VkFlags{kFile | kOpaque}}) {
    const VkFence f = fence(types);
    const VkCommandBuffer work = fills(b, 100 + types);
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    si.commandBufferCount = 1, si.pCommandBuffers = &work;
    VK_OK(vkQueueSubmit(queue, 1, &si, f));
    const int fd = exported(f, kFile);
    EXPECT_TRUE(readable(fd, kPatience));
    close(fd);
    EXPECT_EQ(last(b), 100 + types);
    EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f)) << "an export resets";
    VK_OK(vkQueueSubmit(queue, 0, nullptr, f));
    VK_OK(wait({f}, true, kLong));
  }
}

TEST_F(SyncDescriptors, SyncFilesComeInAsFences) {
  const VkFence f = fence(kFile);
  VK_OK(import(f, kFile, -1, VK_FENCE_IMPORT_TEMPORARY_BIT));
  EXPECT_EQ(VK_SUCCESS, vkGetFenceStatus(device, f));
  VK_OK(wait({f}, true, 0));
  const int signalled = exported(f, kFile);
  EXPECT_TRUE(readable(signalled));
  close(signalled);
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f)) << "its own state again";

  // Temporary without the flag, too.
  VK_OK(import(f, kFile, -1));
  EXPECT_EQ(VK_SUCCESS, vkGetFenceStatus(device, f));
  VK_OK(vkResetFences(device, 1, &f));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f));

  const int theirs = eventfd(0, EFD_CLOEXEC);
  VK_OK(import(f, kFile, dup(theirs), VK_FENCE_IMPORT_TEMPORARY_BIT));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f));
  EXPECT_EQ(VK_TIMEOUT, wait({f}, true, kShort));
  VkResult r = VK_NOT_READY;
  std::thread waits([&] { r = wait({f}, true, kLong); });
  write_to(theirs);
  waits.join();
  EXPECT_EQ(r, VK_SUCCESS);
  EXPECT_EQ(VK_SUCCESS, vkGetFenceStatus(device, f));
  const int copy = exported(f, kFile);  // of what came in
  EXPECT_GE(copy, 0);
  EXPECT_TRUE(readable(copy)) << "a sync file stays signalled";
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f));
  VK_OK(import(f, kFile, copy, VK_FENCE_IMPORT_TEMPORARY_BIT));
  VK_OK(wait({f}, true, 0));
  VK_OK(vkResetFences(device, 1, &f));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f));
  EXPECT_TRUE(readable(theirs));
  close(theirs);
}

TEST_F(SyncDescriptors, SyncFilesOfSemaphores) {
  const Buffer b = buffer(kBytes);
  const VkSemaphore s = semaphore(kSemaphoreFile);
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  for (uint32_t round = 1; round <= 2; ++round) {
    const VkCommandBuffer work = fills(b, 500 + round);
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    si.commandBufferCount = 1, si.pCommandBuffers = &work, si.signalSemaphoreCount = 1, si.pSignalSemaphores = &s;
    VK_OK(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
    const VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, s, kSemaphoreFile};
    int fd = 0;
    VK_OK(vkGetSemaphoreFdKHR(device, &gi, &fd));
    EXPECT_TRUE(readable(fd, kPatience));
    close(fd);
    EXPECT_EQ(last(b), 500 + round);
  }
  // In: -1, and one that is signalled later. The import lasts for one wait.
  const VkSemaphore in = semaphore();
  const int theirs = eventfd(0, EFD_CLOEXEC);
  const VkFence f = fence(0);
  for (const int fd : {-1, theirs}) {
    VK_OK(import_file(in, fd < 0 ? -1 : dup(fd)));
    const VkCommandBuffer work = fills(b, 600);
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    si.commandBufferCount = 1, si.pCommandBuffers = &work;
    si.waitSemaphoreCount = 1, si.pWaitSemaphores = &in, si.pWaitDstStageMask = &stage;
    VK_OK(vkQueueSubmit(queue, 1, &si, f));
    if (fd >= 0) {
      EXPECT_EQ(VK_TIMEOUT, wait({f}, true, kShort));
      write_to(fd);
    }
    VK_OK(wait({f}, true, kLong));
    EXPECT_EQ(last(b), 600u);
    VK_OK(vkResetFences(device, 1, &f));
  }
  EXPECT_TRUE(readable(theirs));
  close(theirs);
}

/// CTS 1.1, api.external: what signals waits for the host, which goes on when it has the descriptor.
TEST_F(SyncDescriptors, ExportsDoNotWait) {
  const VkSemaphore s = semaphore(kSemaphoreFile);
  const VkFence f = fence(kFile), g = fence(0), last = fence(0);
  VkEvent event = VK_NULL_HANDLE;
  const VkEventCreateInfo ei{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VK_OK(vkCreateEvent(device, &ei, nullptr, &event));
  defer([this, event] { vkDestroyEvent(device, event, nullptr); });
  const VkCommandBuffer work = recorded([&](VkCommandBuffer c) {
    vkCmdWaitEvents(c, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
  });
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1, si.pCommandBuffers = &work, si.signalSemaphoreCount = 1, si.pSignalSemaphores = &s;
  VK_OK(vkQueueSubmit(queue, 1, &si, f));
  const int of_fence = exported(f, kFile);
  const VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, s, kSemaphoreFile};
  int of_semaphore = -1;
  VK_OK(vkGetSemaphoreFdKHR(device, &gi, &of_semaphore));
  EXPECT_FALSE(readable(of_fence));
  EXPECT_FALSE(readable(of_semaphore));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f));
  VK_OK(import(g, kFile, dup(of_fence), VK_FENCE_IMPORT_TEMPORARY_BIT));
  EXPECT_EQ(VK_TIMEOUT, wait({g}, true, kShort));
  VK_OK(vkSetEvent(device, event));
  VK_OK(wait({g}, true, kLong));
  EXPECT_TRUE(readable(of_fence, kPatience));
  EXPECT_TRUE(readable(of_semaphore, kPatience));
  EXPECT_EQ(VK_NOT_READY, vkGetFenceStatus(device, f)) << "its signal went to the descriptor";
  // Both are free for other work; the semaphore's signal has been taken.
  si.commandBufferCount = 0;
  VK_OK(vkQueueSubmit(queue, 1, &si, f));
  VK_OK(wait({f}, true, kLong));
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo waits{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  waits.waitSemaphoreCount = 1, waits.pWaitSemaphores = &s, waits.pWaitDstStageMask = &stage;
  VK_OK(vkQueueSubmit(queue, 1, &waits, last));
  VK_OK(wait({last}, true, kLong));
  close(of_fence), close(of_semaphore);
}

/// CTS, export_multiple_times: each export gets a signal of its own, though the one before may still wait for its.
TEST_F(SyncDescriptors, SignalsAndExportsKeepTheirOrder) {
  const VkSemaphore s = semaphore(kSemaphoreFile);
  VkSubmitInfo signals{VK_STRUCTURE_TYPE_SUBMIT_INFO}, waits{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  signals.signalSemaphoreCount = 1, signals.pSignalSemaphores = &s;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  waits.waitSemaphoreCount = 1, waits.pWaitSemaphores = &s, waits.pWaitDstStageMask = &stage;
  const VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, s, kSemaphoreFile};
  for (int round = 0; round < 300; ++round) {
    VK_OK(vkQueueSubmit(queue, 1, &signals, VK_NULL_HANDLE));
    int fd = -1;
    VK_OK(vkGetSemaphoreFdKHR(device, &gi, &fd));
    if (round % 100 == 99) {
      EXPECT_TRUE(readable(fd, kPatience));
    }
    close(fd);
  }
  const VkFence f = fence(0);
  VK_OK(vkQueueSubmit(queue, 1, &signals, VK_NULL_HANDLE));
  VK_OK(vkQueueSubmit(queue, 1, &waits, f));
  VK_OK(wait({f}, true, kLong));
}

TEST_F(SyncDescriptors, WhatCannotBeIsRefused) {
  const VkFence plain = fence(0), f = fence(kFile);
  const VkSemaphore s = semaphore(kSemaphoreFile);
  const int null = open("/dev/null", O_RDWR);
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(plain, kFile, null, VK_FENCE_IMPORT_TEMPORARY_BIT));
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(plain, kOpaque, null));
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(plain, kOpaque, -1));
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import_file(s, null));
  int fd = 0;
  VkFenceGetFdInfoKHR gi{VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, nullptr, plain, kFile};
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkGetFenceFdKHR(device, &gi, &fd));
  // Nothing will ever signal these.
  gi.fence = f;
  EXPECT_EQ(VK_ERROR_UNKNOWN, vkGetFenceFdKHR(device, &gi, &fd));
  const VkSemaphoreGetFdInfoKHR si{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, s, kSemaphoreFile};
  EXPECT_EQ(VK_ERROR_UNKNOWN, vkGetSemaphoreFdKHR(device, &si, &fd));
  EXPECT_EQ(fd, -1);
  EXPECT_EQ(0, close(null)) << "a refused one stays the caller's";
}

}  // namespace
}  // namespace vktest
