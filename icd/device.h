// SPDX-License-Identifier: MIT
/// VkDevice: one chip, its address space, its ring, its queue.
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "icd/cs.h"
#include "icd/gpu_heap.h"
#include "icd/object.h"
#include "icd/physical_device.h"
#include "icd/program_cache.h"
#include "winsys/winsys.h"

namespace pumice::icd {

class Queue;
class Ring;
class Meta;

class Device : public Object {
 public:
  using Handle = VkDevice;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEVICE;
  Device(PhysicalDevice& physical, const DeviceExtensions& enabled);
  ~Device();

  /// False (reported) when the chip cannot be made.
  VkResult start();

  PhysicalDevice& physical;
  const ChipInfo& chip;
  DeviceExtensions extensions;
  std::unique_ptr<hw::Gpu> gpu;
  std::unique_ptr<GpuHeap> heap;
  std::unique_ptr<ChunkPool> chunks;
  std::unique_ptr<Ring> ring;
  std::unique_ptr<Queue> queue;
  std::unique_ptr<Meta> meta;
  std::unique_ptr<winsys::Capture> capture;
  /// Programs of this device's pipelines, dead ones too, so that making a pipeline again is cheap without an application's cache.
  ProgramCache programs{512};

  std::byte* host(hw::GpuAddress address) const { return gpu->host_pointer(address); }

  /// Guards fences, semaphores, events and the chip's progress; `sync_changed` is notified at every change of them.
  std::mutex sync_mutex;
  std::condition_variable sync_changed;
  std::atomic<bool> lost{false};
  /// The one place where a device dies.
  VkResult set_lost(const char* why);
  /// Sees to it that a chip that hangs without having said so is found. `lock` holds sync_mutex; open for a moment.
  void look_for_hang(std::unique_lock<std::mutex>& lock);

  /// Floats 0, 1, 2, ...: gl_VertexIndex and gl_InstanceIndex are attributes read from here. Holds at least `count`.
  hw::GpuAddress identity_floats(uint32_t count);
  /// A constant page: dwords 1, 0 at 0; zeros from byte 64 on.
  hw::GpuAddress constants_page() const { return constants_.address; }

  std::atomic<int> live_objects{0};
  std::atomic<int> reports{0};

 private:
  void on_report(const hw::Report& r);
  std::mutex identity_mutex_;
  GpuRange identity_[2];
  GpuRange constants_;
};

}  // namespace pumice::icd
