// SPDX-License-Identifier: MIT
/// r5x: memory and semaphores, binary ones and timelines, that devices and processes share by file descriptor.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

/// Two devices.
class Shared : public Render {
 protected:
  Shared() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME, VK_KHR_EXTERNAL_MEMORY_CAPABILITIES_EXTENSION_NAME,
                           VK_KHR_EXTERNAL_SEMAPHORE_CAPABILITIES_EXTENSION_NAME};
    device_extensions = {VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME, VK_KHR_EXTERNAL_MEMORY_EXTENSION_NAME,
                         VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_SEMAPHORE_EXTENSION_NAME,
                         VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};
    timeline_.timelineSemaphore = VK_TRUE;
    device_next = &timeline_;
  }
  void SetUp() override {
    Render::SetUp();
    if (HasFatalFailure()) return;
    const float priority = 1;
    VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    qi.queueCount = 1, qi.pQueuePriorities = &priority;
    VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    di.pNext = device_next, di.queueCreateInfoCount = 1, di.pQueueCreateInfos = &qi;
    di.enabledExtensionCount = static_cast<uint32_t>(device_extensions.size()), di.ppEnabledExtensionNames = device_extensions.data();
    VK_OK(vkCreateDevice(physical, &di, nullptr, &other));
    volkLoadDeviceTable(&vk, other);
    vk.vkGetDeviceQueue(other, 0, 0, &other_queue);
  }
  void TearDown() override {
    if (other) vk.vkDestroyDevice(other, nullptr);
    Render::TearDown();
  }
  static constexpr VkDeviceSize kBytes = 4096;
  /// On the other device: copies the first half of a buffer of kBytes to the second.
  void record_copy(VkBuffer b, VkCommandPool& of, VkCommandBuffer& copy) {
    const VkCommandPoolCreateInfo pi{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VK_OK(vk.vkCreateCommandPool(other, &pi, nullptr, &of));
    VkCommandBufferAllocateInfo ci{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    ci.commandPool = of, ci.commandBufferCount = 1;
    VK_OK(vk.vkAllocateCommandBuffers(other, &ci, &copy));
    const VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK_OK(vk.vkBeginCommandBuffer(copy, &begin_info));
    const VkBufferCopy region{0, kBytes / 2, kBytes / 2};
    vk.vkCmdCopyBuffer(copy, b, b, 1, &region);
    VK_OK(vk.vkEndCommandBuffer(copy));
  }
  /// A buffer on exported memory, and the descriptor.
  int exported(VkBuffer& b, VkDeviceMemory& m) {
    VkExternalMemoryBufferCreateInfo ei{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
    ei.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &ei};
    bi.size = kBytes, bi.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    EXPECT_EQ(VK_SUCCESS, vkCreateBuffer(device, &bi, nullptr, &b));
    VkExportMemoryAllocateInfo xi{VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
    xi.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &xi};
    ai.allocationSize = kBytes;
    EXPECT_EQ(VK_SUCCESS, vkAllocateMemory(device, &ai, nullptr, &m));
    EXPECT_EQ(VK_SUCCESS, vkBindBufferMemory(device, b, m, 0));
    defer([this, b, m] {
      vkDestroyBuffer(device, b, nullptr);
      vkFreeMemory(device, m, nullptr);
    });
    const VkMemoryGetFdInfoKHR gi{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, m, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd = -1;
    EXPECT_EQ(VK_SUCCESS, vkGetMemoryFdKHR(device, &gi, &fd));
    EXPECT_GE(fd, 0);
    return fd;
  }
  VkResult import(int fd, VkDeviceSize bytes, VkDeviceMemory& m) {
    const VkImportMemoryFdInfoKHR ii{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, nullptr, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                     fd};
    const VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &ii, bytes, 0};
    return vk.vkAllocateMemory(other, &ai, nullptr, &m);
  }
  VkSemaphore shared_semaphore(int* fd) {
    VkExportSemaphoreCreateInfo xi{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
    xi.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    const VkSemaphore s = semaphore(&xi);
    const VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, s,
                                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    EXPECT_EQ(VK_SUCCESS, vkGetSemaphoreFdKHR(device, &gi, fd));
    return s;
  }

  VkSemaphore semaphore(const void* next) {
    const VkSemaphoreCreateInfo i{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, next, 0};
    VkSemaphore s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateSemaphore(device, &i, nullptr, &s));
    defer([this, s] { vkDestroySemaphore(device, s, nullptr); });
    return s;
  }

  VkPhysicalDeviceTimelineSemaphoreFeatures timeline_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  VkDevice other = VK_NULL_HANDLE;
  VkQueue other_queue = VK_NULL_HANDLE;
  VolkDeviceTable vk{};
};

TEST_F(Shared, MemoryIsTheSamePages) {
  VkBuffer b = VK_NULL_HANDLE;
  VkDeviceMemory m = VK_NULL_HANDLE, imported = VK_NULL_HANDLE;
  VK_OK(import(exported(b, m), kBytes, imported));
  void *here = nullptr, *there = nullptr;
  VK_OK(vkMapMemory(device, m, 0, VK_WHOLE_SIZE, 0, &here));
  VK_OK(vk.vkMapMemory(other, imported, 0, VK_WHOLE_SIZE, 0, &there));
  EXPECT_NE(here, there);
  run([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b, 0, kBytes, 0xC0FFEE11); });
  EXPECT_EQ(static_cast<uint32_t*>(there)[kBytes / 4 - 1], 0xC0FFEE11u);
  static_cast<uint32_t*>(there)[3] = 5;
  EXPECT_EQ(static_cast<uint32_t*>(here)[3], 5u);
  // The pages stay when the first owner has gone.
  vk.vkFreeMemory(other, imported, nullptr);
}

TEST_F(Shared, BadDescriptorsAreRefusedAndStayOpen) {
  VkBuffer b = VK_NULL_HANDLE;
  VkDeviceMemory m = VK_NULL_HANDLE, imported = VK_NULL_HANDLE;
  const int fd = exported(b, m), null = open("/dev/null", O_RDWR);
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(null, kBytes, imported));
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(fd, 1 << 20, imported)) << "more than the file has";
  int semaphore_fd = -1;
  const VkSemaphore s = shared_semaphore(&semaphore_fd);
  VkImportSemaphoreFdInfoKHR ii{VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
  ii.semaphore = s, ii.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, ii.fd = fd;
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, vkImportSemaphoreFdKHR(device, &ii));
  for (const int each : {fd, null, semaphore_fd}) EXPECT_EQ(close(each), 0);
  // Memory that was not made for it.
  const Buffer plain = buffer(64);
  const VkMemoryGetFdInfoKHR gi{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, plain.memory,
                                VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  int none = 0;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkGetMemoryFdKHR(device, &gi, &none));
  EXPECT_EQ(none, -1);
}

TEST_F(Shared, ASemaphoreOrdersTwoDevices) {
  VkBuffer b = VK_NULL_HANDLE;
  VkDeviceMemory m = VK_NULL_HANDLE, imported = VK_NULL_HANDLE;
  VK_OK(import(exported(b, m), kBytes, imported));
  int fd = -1;
  const VkSemaphore written = shared_semaphore(&fd);
  VkSemaphore there = VK_NULL_HANDLE;
  const VkSemaphoreCreateInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VK_OK(vk.vkCreateSemaphore(other, &si, nullptr, &there));
  // On the other device: wait, then copy within the shared memory.
  VkExternalMemoryBufferCreateInfo ei{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  ei.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &ei};
  bi.size = kBytes, bi.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer seen = VK_NULL_HANDLE;
  VK_OK(vk.vkCreateBuffer(other, &bi, nullptr, &seen));
  VK_OK(vk.vkBindBufferMemory(other, seen, imported, 0));
  VkCommandPool other_pool = VK_NULL_HANDLE;
  VkCommandBuffer copy = VK_NULL_HANDLE;
  record_copy(seen, other_pool, copy);
  void* map = nullptr;
  VK_OK(vkMapMemory(device, m, 0, VK_WHOLE_SIZE, 0, &map));
  auto* words = static_cast<uint32_t*>(map);
  // Twice: by a permanent import, then by a temporary one of another semaphore.
  for (uint32_t round = 0; round < 2; ++round) {
    VkSemaphore signalled = written;
    if (round) signalled = shared_semaphore(&fd);
    VkImportSemaphoreFdInfoKHR ii{VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
    ii.semaphore = there, ii.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, ii.fd = fd;
    ii.flags = round ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0;
    VK_OK(vk.vkImportSemaphoreFdKHR(other, &ii));
    std::memset(map, 0, kBytes);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo wait_and_copy{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    wait_and_copy.waitSemaphoreCount = wait_and_copy.commandBufferCount = 1;
    wait_and_copy.pWaitSemaphores = &there, wait_and_copy.pWaitDstStageMask = &stage, wait_and_copy.pCommandBuffers = &copy;
    const VkCommandBuffer fill = recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b, 0, kBytes / 2, 100 + round); });
    VkSubmitInfo fill_and_signal{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    fill_and_signal.signalSemaphoreCount = fill_and_signal.commandBufferCount = 1;
    fill_and_signal.pSignalSemaphores = &signalled, fill_and_signal.pCommandBuffers = &fill;
    VK_OK(vkQueueSubmit(queue, 1, &fill_and_signal, VK_NULL_HANDLE));
    VK_OK(vk.vkQueueSubmit(other_queue, 1, &wait_and_copy, VK_NULL_HANDLE));
    VK_OK(vk.vkQueueWaitIdle(other_queue));
    EXPECT_EQ(words[0], 100 + round);
    EXPECT_EQ(words[kBytes / 4 - 1], 100 + round);
  }
  VK_OK(vkQueueWaitIdle(queue));
  vk.vkDestroyCommandPool(other, other_pool, nullptr);
  vk.vkDestroyBuffer(other, seen, nullptr);
  vk.vkDestroySemaphore(other, there, nullptr);
  vk.vkFreeMemory(other, imported, nullptr);
}

/// Timeline semaphores of two devices.
class SharedTimelines : public Shared {
 protected:
  /// Of `device`, exportable, with its descriptor.
  VkSemaphore exportable(uint64_t value, int* fd) {
    VkExportSemaphoreCreateInfo xi{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
    xi.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    VkSemaphoreTypeCreateInfo ti{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, &xi, VK_SEMAPHORE_TYPE_TIMELINE, value};
    const VkSemaphore s = semaphore(&ti);
    const VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, s,
                                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    EXPECT_EQ(VK_SUCCESS, vkGetSemaphoreFdKHR(device, &gi, fd));
    return s;
  }
  /// A timeline of `other`; its value before an import.
  VkSemaphore of_other(uint64_t value) {
    VkSemaphoreTypeCreateInfo ti{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE, value};
    const VkSemaphoreCreateInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &ti, 0};
    VkSemaphore s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vk.vkCreateSemaphore(other, &si, nullptr, &s));
    return s;
  }
  VkResult import(VkSemaphore s, int fd, VkSemaphoreImportFlags flags = 0) {
    VkImportSemaphoreFdInfoKHR ii{VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
    ii.semaphore = s, ii.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, ii.fd = fd, ii.flags = flags;
    return vk.vkImportSemaphoreFdKHR(other, &ii);
  }
  uint64_t value(VkSemaphore s) {
    uint64_t n = ~uint64_t{0};
    EXPECT_EQ(VK_SUCCESS, vkGetSemaphoreCounterValueKHR(device, s, &n));
    return n;
  }
  uint64_t value_there(VkSemaphore s) {
    uint64_t n = ~uint64_t{0};
    EXPECT_EQ(VK_SUCCESS, vk.vkGetSemaphoreCounterValueKHR(other, s, &n));
    return n;
  }
  /// Submits work that waits for `wait` and signals `signal`, either may be 0.
  static void submit(PFN_vkQueueSubmit function, VkQueue q, VkSemaphore s, uint64_t wait, uint64_t signal, VkCommandBuffer c) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo ti{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO, &ti};
    si.waitSemaphoreCount = ti.waitSemaphoreValueCount = wait ? 1 : 0;
    si.signalSemaphoreCount = ti.signalSemaphoreValueCount = signal ? 1 : 0;
    ti.pWaitSemaphoreValues = &wait, ti.pSignalSemaphoreValues = &signal;
    si.pWaitSemaphores = si.pSignalSemaphores = &s, si.pWaitDstStageMask = &stage;
    si.commandBufferCount = c ? 1 : 0, si.pCommandBuffers = &c;
    VK_OK(function(q, 1, &si, VK_NULL_HANDLE));
  }
  static VkSemaphoreWaitInfo wait_for(uint32_t n, const VkSemaphore* s, const uint64_t* values, VkSemaphoreWaitFlags flags = 0) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, flags, n, s, values};
  }
  static constexpr uint64_t kLong = 20'000'000'000;
};

TEST_F(SharedTimelines, AreReportedAsShareable) {
  VkSemaphoreTypeCreateInfo ti{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE, 0};
  VkPhysicalDeviceExternalSemaphoreInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, &ti,
                                             VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
  VkExternalSemaphoreProperties p{VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  vkGetPhysicalDeviceExternalSemaphorePropertiesKHR(physical, &info, &p);
  EXPECT_EQ(p.externalSemaphoreFeatures,
            VkFlags{VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT});
  EXPECT_EQ(p.exportFromImportedHandleTypes, VkFlags{VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT});
  info.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  vkGetPhysicalDeviceExternalSemaphorePropertiesKHR(physical, &info, &p);
  EXPECT_EQ(p.externalSemaphoreFeatures, 0u);
}

TEST_F(SharedTimelines, OfTwoDevicesHaveOneValue) {
  int fd = -1;
  const VkSemaphore here = exportable(5, &fd);
  const VkSemaphore there = of_other(9);
  VK_OK(import(there, fd));
  EXPECT_EQ(value_there(there), 5u) << "the imported one's";
  VkSemaphoreSignalInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, there, 7};
  VK_OK(vk.vkSignalSemaphoreKHR(other, &si));
  EXPECT_EQ(value(here), 7u);
  // The other device's queue waits for a value that this one's queue signals, and answers.
  submit(vk.vkQueueSubmit, other_queue, there, 8, 9, VK_NULL_HANDLE);
  const uint64_t eight = 8, nine = 9;
  const auto info8 = wait_for(1, &here, &eight), info9 = wait_for(1, &here, &nine);
  EXPECT_EQ(VK_TIMEOUT, vkWaitSemaphoresKHR(device, &info8, 1'000'000));
  submit(vkQueueSubmit, queue, here, 0, 8, VK_NULL_HANDLE);
  VK_OK(vkWaitSemaphoresKHR(device, &info9, kLong));
  EXPECT_EQ(value(here), 9u);
  VK_OK(vk.vkQueueWaitIdle(other_queue));
  // Exported again from the import; the value stays when the first owners have gone.
  const VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, there,
                                   VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
  VK_OK(vk.vkGetSemaphoreFdKHR(other, &gi, &fd));
  vk.vkDestroySemaphore(other, there, nullptr);
  const VkSemaphore again = of_other(0);
  VK_OK(import(again, fd));
  EXPECT_EQ(value_there(again), 9u);
  VK_OK(vk.vkQueueWaitIdle(other_queue));
  vk.vkDestroySemaphore(other, again, nullptr);
}

TEST_F(SharedTimelines, AreWaitedForWithOthers) {
  int fd = -1;
  const VkSemaphore there = of_other(0);
  VkSemaphoreTypeCreateInfo ti{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE, 0};
  const VkSemaphore both[2] = {exportable(0, &fd), semaphore(&ti)};
  VK_OK(import(there, fd));
  const auto signal_there = [&](uint64_t n) {
    VkSemaphoreSignalInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, there, n};
    VK_OK(vk.vkSignalSemaphoreKHR(other, &si));
  };
  const auto signal_own = [&](uint64_t n) {
    VkSemaphoreSignalInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, both[1], n};
    VK_OK(vkSignalSemaphoreKHR(device, &si));
  };
  for (uint64_t n = 1; n <= 4; ++n) {
    const uint64_t values[2] = {n, n};
    const bool any = n > 2;
    const auto info = wait_for(2, both, values, any ? VK_SEMAPHORE_WAIT_ANY_BIT : 0);
    EXPECT_EQ(VK_TIMEOUT, vkWaitSemaphoresKHR(device, &info, 0));
    VkResult r = VK_NOT_READY;
    std::thread waits([&] { r = vkWaitSemaphoresKHR(device, &info, kLong); });
    if (n % 2) signal_own(n);
    if (!any || n % 2 == 0) signal_there(n);
    if (!any && n % 2 == 0) signal_own(n);
    waits.join();
    EXPECT_EQ(VK_SUCCESS, r) << n;
    if (any) n % 2 ? signal_there(n) : signal_own(n);  // the other one
  }
  vk.vkDestroySemaphore(other, there, nullptr);
}

TEST_F(SharedTimelines, BadImportsAreRefused) {
  int timeline_fd = -1, binary_fd = -1;
  const VkSemaphore timeline = exportable(0, &timeline_fd), binary = shared_semaphore(&binary_fd);
  const VkSemaphore there = of_other(3);
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(there, binary_fd)) << "a binary one's";
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(there, timeline_fd, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT));
  VkBuffer b = VK_NULL_HANDLE;
  VkDeviceMemory m = VK_NULL_HANDLE;
  const int memory_fd = exported(b, m);  // of the same size
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, import(there, memory_fd));
  EXPECT_EQ(value_there(there), 3u);
  VkImportSemaphoreFdInfoKHR ii{VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
  ii.semaphore = binary, ii.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, ii.fd = timeline_fd;
  EXPECT_EQ(VK_ERROR_INVALID_EXTERNAL_HANDLE, vkImportSemaphoreFdKHR(device, &ii)) << "a timeline's";
  for (const int each : {timeline_fd, binary_fd, memory_fd}) EXPECT_EQ(close(each), 0);
  // A timeline that is not exportable.
  const VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, there,
                                   VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
  int none = 0;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vk.vkGetSemaphoreFdKHR(other, &gi, &none));
  EXPECT_EQ(none, -1);
  vk.vkDestroySemaphore(other, there, nullptr);
  (void)timeline;
}

// ------------------------------------------------------------------------------------------------------------ another process

constexpr char kPeer[] = "VKTEST_PEER";  ///< descriptors of memory, of a binary and of a timeline semaphore

/// The process that AnotherProcessTakesPart starts: waits for 1, copies, signals 2 and the binary semaphore.
TEST_F(SharedTimelines, DISABLED_Peer) {
  int memory_fd = -1, binary_fd = -1, timeline_fd = -1;
  ASSERT_EQ(3, std::sscanf(std::getenv(kPeer), "%d %d %d", &memory_fd, &binary_fd, &timeline_fd));
  VkDeviceMemory imported = VK_NULL_HANDLE;
  VK_OK(Shared::import(memory_fd, kBytes, imported));
  VkExternalMemoryBufferCreateInfo ei{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  ei.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &ei};
  bi.size = kBytes, bi.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer shared = VK_NULL_HANDLE;
  VK_OK(vk.vkCreateBuffer(other, &bi, nullptr, &shared));
  VK_OK(vk.vkBindBufferMemory(other, shared, imported, 0));
  const VkSemaphore timeline = of_other(0);
  VK_OK(import(timeline, timeline_fd));
  VkSemaphore binary = VK_NULL_HANDLE;
  const VkSemaphoreCreateInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VK_OK(vk.vkCreateSemaphore(other, &si, nullptr, &binary));
  VK_OK(import(binary, binary_fd));
  VkCommandPool other_pool = VK_NULL_HANDLE;
  VkCommandBuffer copy = VK_NULL_HANDLE;
  record_copy(shared, other_pool, copy);
  submit(vk.vkQueueSubmit, other_queue, timeline, 1, 2, copy);
  VkSubmitInfo bare{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  bare.signalSemaphoreCount = 1, bare.pSignalSemaphores = &binary;
  VK_OK(vk.vkQueueSubmit(other_queue, 1, &bare, VK_NULL_HANDLE));
  VK_OK(vk.vkQueueWaitIdle(other_queue));
  vk.vkDestroyCommandPool(other, other_pool, nullptr);
  vk.vkDestroyBuffer(other, shared, nullptr);
  for (const VkSemaphore s : {timeline, binary}) vk.vkDestroySemaphore(other, s, nullptr);
  vk.vkFreeMemory(other, imported, nullptr);
}

TEST_F(SharedTimelines, AnotherProcessTakesPart) {
  VkBuffer b = VK_NULL_HANDLE;
  VkDeviceMemory m = VK_NULL_HANDLE;
  int timeline_fd = -1, binary_fd = -1;
  const int memory_fd = exported(b, m);
  const VkSemaphore timeline = exportable(0, &timeline_fd), binary = shared_semaphore(&binary_fd);
  std::string env = std::string(kPeer) + "=";
  for (const int fd : {memory_fd, binary_fd, timeline_fd}) {
    ASSERT_EQ(0, fcntl(fd, F_SETFD, 0));  // passed on
    env += std::to_string(fd) + " ";
  }
  std::vector<char*> envp;
  for (char** e = environ; *e; ++e) envp.push_back(*e);
  envp.insert(envp.end(), {env.data(), nullptr});
  std::string words[] = {"peer", "--gtest_also_run_disabled_tests", "--gtest_filter=SharedTimelines.DISABLED_Peer"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  ASSERT_EQ(0, posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, argv, envp.data()));
  for (const int fd : {memory_fd, binary_fd, timeline_fd}) close(fd);

  void* map = nullptr;
  VK_OK(vkMapMemory(device, m, 0, VK_WHOLE_SIZE, 0, &map));
  submit(vkQueueSubmit, queue, timeline, 0, 1, recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b, 0, kBytes / 2, 0xABCD0123); }));
  const uint64_t two = 2;
  const auto info = wait_for(1, &timeline, &two);
  VK_OK(vkWaitSemaphoresKHR(device, &info, kLong));
  EXPECT_EQ(static_cast<uint32_t*>(map)[kBytes / 4 - 1], 0xABCD0123u);
  submit(vkQueueSubmit, queue, timeline, 2, 3, VK_NULL_HANDLE);
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo bare{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  bare.waitSemaphoreCount = 1, bare.pWaitSemaphores = &binary, bare.pWaitDstStageMask = &stage;
  VK_OK(vkQueueSubmit(queue, 1, &bare, VK_NULL_HANDLE));
  VK_OK(vkQueueWaitIdle(queue));
  EXPECT_EQ(value(timeline), 3u);
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace vktest
