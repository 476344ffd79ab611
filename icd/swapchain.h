// SPDX-License-Identifier: MIT
/// VkSwapchainKHR: driver-owned linear images, shown by the queue's thread when the work before them has finished on the chip.
/// There is no display clock, so FIFO, MAILBOX and IMMEDIATE all show each frame in order, as soon as its rendering is complete.
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "icd/resources.h"
#include "winsys/winsys.h"

namespace pumice::icd {

class Swapchain : public DeviceObject {
 public:
  using Handle = VkSwapchainKHR;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SWAPCHAIN_KHR;
  Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info, std::unique_ptr<winsys::Surface> window);
  /// Waits until the queue's thread has shown what was queued.
  ~Swapchain();

  const std::vector<std::unique_ptr<Image>>& images() const { return images_; }

  /// VK_SUCCESS, VK_SUBOPTIMAL_KHR, VK_TIMEOUT, VK_NOT_READY or an error. Signals semaphore and fence at once.
  VkResult acquire(uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t* index);
  /// Called by vkQueuePresentKHR: the image is queued. Returns what is known of the surface by now.
  VkResult queue_image();
  /// On the queue's thread: hands the pixels to the window and to PUMICE_CAPTURE; the image is free again.
  void show(uint32_t index);
  /// On the queue's thread when the device is lost: the image will not be shown.
  void drop(uint32_t index);
  /// Another swapchain took over the surface.
  void retire();

 private:
  void release(uint32_t index, winsys::PresentStatus status);
  VkResult status_result() const;

  std::unique_ptr<winsys::Surface> window_;
  winsys::Extent extent_;
  std::vector<std::unique_ptr<Image>> images_;
  std::vector<GpuRange> memory_;
  // Under Device::sync_mutex:
  std::deque<uint32_t> free_;
  uint32_t queued_ = 0;
  bool retired_ = false, starved_ = false;
  winsys::PresentStatus status_ = winsys::PresentStatus::ok;
};

}  // namespace pumice::icd
