// SPDX-License-Identifier: MIT
/// VkSwapchainKHR: driver-owned linear images, handed to the window when the work before them has finished on the chip. Where chip and
/// window system can, an image's memory is a file that the window system reads itself; an image is free again when it has been read.
///
/// When a frame is done it goes to winsys::Presenter, which hands it to the window, or to a thread that waits for the window system. FIFO:
/// each frame is shown, on Wayland one per refresh; X servers do not tell of refreshes (without the Present extension), so as soon as the
/// server takes it. IMMEDIATE: the same without refreshes. MAILBOX: a frame that the window system has not taken yet is replaced by the
/// next one.
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "icd/resources.h"
#include "winsys/presenter.h"
#include "winsys/winsys.h"

namespace pumice::icd {

class Swapchain final : public DeviceObject {
 public:
  using Handle = VkSwapchainKHR;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SWAPCHAIN_KHR;
  Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info, std::unique_ptr<winsys::Surface> window);
  /// Waits until what was queued is with the window system.
  ~Swapchain();

  const std::vector<std::unique_ptr<Image>>& images() const { return images_; }

  /// VK_SUCCESS, VK_SUBOPTIMAL_KHR, VK_TIMEOUT, VK_NOT_READY or an error. Signals semaphore and fence at once.
  VkResult acquire(uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t* index);
  /// Called by vkQueuePresentKHR: the image is queued. Returns what is known of the surface by now.
  VkResult queue_image(uint32_t index);
  /// The present was not queued after all: the application still has the image.
  void take_back(uint32_t index);
  /// Whether show() neither waits nor takes long: the window reads the images where they are, and neither captures nor recordings do.
  bool prompt() const { return prompt_; }
  /// Hands the pixels to PUMICE_CAPTURE and the window. By one thread at a time; by the queue's unless prompt(). The caller notifies
  /// Device::sync_changed.
  void show(uint32_t index);
  /// Instead of it when the device is lost: the image will not be shown.
  void drop(uint32_t index);
  /// Another swapchain took over the surface.
  void retire();
  /// The device goes and the application forgot this: ends its thread, leaves the window alone.
  void abandon();

 private:
  winsys::Frame frame(uint32_t index) const;
  GpuRange memory_for(const Image& image, bool as_file, winsys::SharedFile& file) const;
  /// The window system has read the image.
  void release(uint32_t index, winsys::PresentStatus status);
  void left_queue(bool to_window);
  VkResult status_result() const;

  winsys::Extent extent_;
  std::vector<std::unique_ptr<Image>> images_;
  std::vector<GpuRange> memory_;
  bool prompt_ = false, all_are_shown_ = false;
  // Under Device::sync_mutex:
  std::deque<uint32_t> free_;  ///< the one that came back last first: it is in the caches
  std::vector<bool> away_;     ///< images that were presented and will come back
  uint32_t queued_ = 0;        ///< presents that have yet to be shown
  int32_t with_window_ = 0;    ///< images that the presenter has; below 0 while show() hands one over
  bool retired_ = false, starved_ = false;
  bool behind_ = false;  ///< the window system reads slower than the application presents
  winsys::PresentStatus status_ = winsys::PresentStatus::ok;
  // Last, so that they go first: the window has images, the presenter's thread releases them.
  std::unique_ptr<winsys::Surface> window_;  ///< null: the presenter has it
  std::unique_ptr<winsys::Presenter> presenter_;
};

}  // namespace pumice::icd
