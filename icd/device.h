// SPDX-License-Identifier: MIT
/// VkDevice: the part common to all chips. The chip-specific part derives from it (radeon.h, rdp/device.h).
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "icd/gpu_heap.h"
#include "icd/object.h"
#include "icd/physical_device.h"
#include "icd/private_data.h"
#include "icd/shader_codes.h"
#include "winsys/winsys.h"

namespace pumice::icd {

class Commands;
class Queue;
class Swapchain;
struct Plane;

class Device : public Object {
 public:
  using Handle = VkDevice;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEVICE;
  Device(PhysicalDevice& physical, const DeviceExtensions& enabled);
  virtual ~Device();

  /// Creates the chip, its heap and the queue; errors are reported. After a failure the object can only be destroyed.
  VkResult start(const VkDeviceCreateInfo& info);

  /// Runs recorded command buffers, in order, on the queue's thread. On return, all their writes and those of previously begun work are in
  /// memory, or the device is lost.
  virtual void execute(std::span<const Commands* const> buffers) = 0;
  /// Starts command buffers that the chip can run without the host, and does not wait; sync_mutex is held. False: they need execute(). The
  /// ticket is the argument for passed(). An implementation of begin() must call progress() when a ticket may have passed.
  virtual bool begin(std::span<const Commands* const> buffers, uint32_t& ticket);
  /// Whether the chip has completed all work up to the ticket. Any thread.
  virtual bool passed(uint32_t /*ticket*/) const { return true; }
  /// A thread that waits for the chip: until ready(), or until there was nothing to do for `patience`; it may take part in the work.
  /// Returns ready().
  virtual bool help_until(const std::function<bool()>& ready, std::chrono::nanoseconds patience);
  /// Whether the chip hangs; called when it has not signalled for a long time.
  virtual bool hung() const { return false; }
  /// A completed image is about to be presented, four bytes per pixel: for recordings. On the queue's thread if `listens_to_shows()`.
  virtual void shows(const Plane&, bool /*red_first*/) {}
  virtual bool listens_to_shows() const { return false; }
  /// The host has written mapped memory and says so (vkFlushMappedMemoryRanges); memory is coherent, so most chips need not know.
  virtual void host_wrote(hw::GpuAddress, uint64_t /*size*/) {}
  /// Objects come and go, for devices that keep a list.
  virtual void object_made(const DeviceObject&) {}
  virtual void object_gone(const DeviceObject&) {}

  PhysicalDevice& physical;
  const ChipInfo& chip;
  DeviceExtensions extensions;
  bool has(DeviceExtension e) const { return extensions[static_cast<size_t>(e)]; }
  /// What allocating from a descriptor pool that is used up returns: the error of its own came with maintenance1 and Vulkan 1.1.
  VkResult out_of_pool() const;
  std::unique_ptr<GpuHeap> heap;
  std::unique_ptr<Queue> queue;
  std::unique_ptr<winsys::Capture> capture;

  std::byte* host(hw::GpuAddress address) const { return heap->host(address); }

  /// Guards fences, semaphores, events and the chip's progress; `sync_changed` is notified at every change of them.
  std::mutex sync_mutex;
  std::condition_variable sync_changed;
  std::atomic<bool> lost{false};
  /// vkDestroyDevice has begun: nothing waits for the application any more.
  std::atomic<bool> closing{false};
  /// Those that are alive; under sync_mutex. They have threads, which must not outlive the device.
  std::vector<Swapchain*> swapchains;
  /// The one place where a device dies.
  VkResult set_lost(const char* why);
  /// Detects a chip that hangs without a report. `lock` holds sync_mutex and is released briefly.
  void look_for_hang(std::unique_lock<std::mutex>& lock);

  std::atomic<int> live_objects{0};
  std::atomic<uint32_t> surfaces{0};         ///< numbers given to images, Image::surface
  std::atomic<uint32_t> mapped_surfaces{0};  ///< memory of such images that was mapped later: what the host writes there is not known
  PrivateData private_data;
  ShaderCodes codes;

 protected:
  /// The chip and `heap`.
  virtual VkResult start_chip(const VkDeviceCreateInfo& info) = 0;
  /// Joins the queue's thread and counts what is left. A derived destructor calls it before its chip goes.
  void stop();
  /// The chip has come further.
  void progress();
  /// Something the chip says: the first few of them are printed, fatal ones always.
  void chip_says(const std::string& text, bool fatal);

 private:
  std::atomic<int> reports_{0};
  bool stopped_ = false;
};

}  // namespace pumice::icd
