// SPDX-License-Identifier: MIT
#include "icd/swapchain.h"

#include <algorithm>
#include <chrono>

#include "icd/journal.h"
#include "icd/names.h"
#include "icd/queue.h"
#include "icd/surface.h"
#include "icd/sync.h"
#include "winsys/shared_file.h"

namespace pumice::icd {
namespace {

VkImageCreateInfo image_info(const VkSwapchainCreateInfoKHR& s) {
  VkImageCreateInfo i{};
  i.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  i.imageType = VK_IMAGE_TYPE_2D;
  i.format = s.imageFormat;
  i.extent = {s.imageExtent.width, s.imageExtent.height, 1};
  i.mipLevels = 1;
  i.arrayLayers = s.imageArrayLayers;
  i.samples = VK_SAMPLE_COUNT_1_BIT;
  i.tiling = VK_IMAGE_TILING_OPTIMAL;
  i.usage = s.imageUsage;
  i.sharingMode = s.imageSharingMode;
  return i;
}

}  // namespace

Swapchain::Swapchain(Device& d, const VkSwapchainCreateInfoKHR& info, std::unique_ptr<winsys::Surface> window)
    : DeviceObject(d, kType), extent_{info.imageExtent.width, info.imageExtent.height}, window_(std::move(window)) {
  const FormatInfo& format = *find_format(info.imageFormat);
  winsys::PresentRules rules;
  rules.paced = info.presentMode == VK_PRESENT_MODE_FIFO_KHR;
  rules.newest = info.presentMode == VK_PRESENT_MODE_MAILBOX_KHR;
  rules.opaque = info.compositeAlpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  window_->configure(rules);
  all_are_shown_ = !rules.newest;
  const uint32_t count = std::max(info.minImageCount, surface_traits(info.surface).min_images);
  away_.resize(count);
  uint32_t shared = 0;
  for (uint32_t i = 0; i < count; ++i) {
    images_.push_back(std::make_unique<Image>(d, image_info(info), format));
    winsys::SharedFile file;
    memory_.push_back(memory_for(*images_.back(), window_->waits(), file));
    images_.back()->address = memory_.back().address;
    if (info.imageArrayLayers == 1) images_.back()->surface = ++d.surfaces;  // the application has no access to its memory
    shared += file.ok() && window_->share(frame(i), file);
    free_.push_back(i);
  }
  prompt_ = shared == count && !device.capture && !device.listens_to_shows();
  if (window_->waits())
    presenter_ = std::make_unique<winsys::Presenter>(std::move(window_), rules, [this](uint32_t image, winsys::PresentStatus status) {
      {
        std::lock_guard lock(device.sync_mutex);
        --with_window_;
      }
      release(image, status);
    });
  std::lock_guard lock(device.sync_mutex);
  device.swapchains.push_back(this);
}

void Swapchain::abandon() {
  if (presenter_) presenter_->abandon();
}

Swapchain::~Swapchain() {
  std::unique_lock lock(device.sync_mutex);
  std::erase(device.swapchains, this);
  device.sync_changed.wait(lock, [&] { return queued_ == 0; });
}

/// `file` is what the memory is of, if it is to be one and the heap takes files.
GpuRange Swapchain::memory_for(const Image& image, bool as_file, winsys::SharedFile& file) const {
  if (as_file) {
    try {
      file = winsys::SharedFile(device.heap->rounded(image.bytes));
      if (file.ok()) return GpuRange(*device.heap, image.bytes, file.fd());
    } catch (const OutOfDeviceMemory&) {
      file = {};
    }
  }
  return GpuRange(*device.heap, image.bytes);
}

winsys::Frame Swapchain::frame(uint32_t index) const {
  const Plane plane = images_[index]->plane(0, 0, 0);
  return {.pixels = reinterpret_cast<const uint8_t*>(device.host(plane.address)),
          .pitch_bytes = plane.pitch_bytes,
          .extent = extent_,
          .red_first = images_[index]->format.layout.front() == 'r',
          .image = index};
}

VkResult Swapchain::status_result() const {
  switch (status_) {
    case winsys::PresentStatus::ok: return retired_ ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUCCESS;
    case winsys::PresentStatus::suboptimal: return VK_SUBOPTIMAL_KHR;
    case winsys::PresentStatus::out_of_date: return VK_ERROR_OUT_OF_DATE_KHR;
    case winsys::PresentStatus::surface_lost: return VK_ERROR_SURFACE_LOST_KHR;
  }
  return VK_ERROR_SURFACE_LOST_KHR;
}

VkResult Swapchain::acquire(uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t* index) {
  std::unique_lock lock(device.sync_mutex);
  // An image that was presented comes back by itself; without any, only another thread's present could bring one. Vulkan allows an
  // endless wait only where one comes by itself.
  if (free_.empty() && std::find(away_.begin(), away_.end(), true) == away_.end() && timeout == UINT64_MAX && !device.lost &&
      status_result() >= 0 && !starved_) {
    starved_ = true;
    lock.unlock();
    misuse(this, "vkAcquireNextImageKHR: %s has %zu images and all are acquired; waits until another thread presents one",
           describe(*this).c_str(), images_.size());
    lock.lock();
  }
  const auto ready = [&] { return device.lost || status_result() < 0 || !free_.empty(); };
  // Where possible, the window system's replies about images that it has read are collected here, without another thread.
  const auto looks = [&] { return presenter_ && !presenter_->has_thread() && with_window_ > 0; };
  const auto look = [&](bool block) {
    lock.unlock();
    presenter_->look(block);
    lock.lock();
  };
  if (looks()) look(false);
  // A window system that has two frames to read is slower than the application. Then two images will do, which stay in the caches of
  // both, where more would be written and read in turn.
  const auto ahead = [&] { return with_window_ + static_cast<int32_t>(queued_); };
  behind_ = all_are_shown_ && (behind_ ? ahead() >= 2 : with_window_ >= 2);
  constexpr uint64_t kForEver = 30ull * 86400 * 1000000000ull;  // chrono overflows on longer times
  if (timeout > kForEver) {
    while (behind_ && ahead() >= 2 && looks() && !device.lost && status_result() >= 0) look(true);
    while (!ready()) {
      device.sync_changed.wait(lock, [&] { return ready() || looks(); });
      if (!ready()) look(true);
    }
  } else if (!ready()) {
    if (timeout && presenter_) {
      lock.unlock();
      presenter_->start_thread();
      lock.lock();
    }
    if (!device.sync_changed.wait_for(lock, std::chrono::nanoseconds(timeout), ready)) return timeout == 0 ? VK_NOT_READY : VK_TIMEOUT;
  }
  if (device.lost) return VK_ERROR_DEVICE_LOST;
  const VkResult status = status_result();
  if (status < 0) return status;
  *index = free_.front();
  free_.pop_front();
  if (semaphore) {
    auto& s = *from<Semaphore>(semaphore);
    const auto& shared = s.temporary ? s.temporary : s.shared;
    shared ? shared->signal() : s.counter->reach(++s.signals);
  }
  if (fence) from<Fence>(fence)->signal();
  device.sync_changed.notify_all();
  return status;
}

VkResult Swapchain::queue_image(uint32_t index) {
  std::lock_guard lock(device.sync_mutex);
  ++queued_;
  away_[index] = true;
  const VkResult status = status_result();
  // A retired swapchain may still present what it had acquired.
  return retired_ && status == VK_ERROR_OUT_OF_DATE_KHR && status_ == winsys::PresentStatus::ok ? VK_SUBOPTIMAL_KHR : status;
}

void Swapchain::take_back(uint32_t index) {
  std::lock_guard lock(device.sync_mutex);
  away_[index] = false;
  --queued_;
  device.sync_changed.notify_all();
}

void Swapchain::show(uint32_t index) {
  const winsys::Frame picture = frame(index);
  winsys::Shown shown;
  bool kept = false;  // by the presenter
  try {
    device.shows(images_[index]->plane(0, 0, 0), picture.red_first);
    std::string error;
    if (device.capture && !device.capture->frame(picture, error)) warn_once(&device, "PUMICE_CAPTURE: %s", error.c_str());
    if (presenter_) {
      presenter_->push(picture);
      kept = true;
    } else {
      shown = window_->present(picture);
    }
  } catch (const std::bad_alloc&) {
    // An exception must not leave the queue's thread; the frame is dropped, the next one may find memory.
    note(this, "vkQueuePresentKHR: out of host memory, the frame is not shown");
  }
  journal("created", "presented frame", "yes", true);
  if (!kept) release(index, shown.status);
  left_queue(kept);
}

void Swapchain::drop(uint32_t index) {
  release(index, winsys::PresentStatus::ok);
  left_queue(false);
}

void Swapchain::release(uint32_t index, winsys::PresentStatus status) {
  std::lock_guard lock(device.sync_mutex);
  if (status != winsys::PresentStatus::ok) status_ = status;
  if (std::find(free_.begin(), free_.end(), index) == free_.end()) free_.push_front(index);  // presented twice?
  away_[index] = false;
  device.sync_changed.notify_all();
}

/// The swapchain may be destroyed when the caller of show() or drop() notifies Device::sync_changed.
void Swapchain::left_queue(bool to_window) {
  std::lock_guard lock(device.sync_mutex);
  --queued_;
  with_window_ += to_window;
}

void Swapchain::retire() {
  if (presenter_) presenter_->hurry();
  std::lock_guard lock(device.sync_mutex);
  retired_ = true;
  device.sync_changed.notify_all();
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateSwapchainKHR(VkDevice handle, const VkSwapchainCreateInfoKHR* info, const VkAllocationCallbacks* a,
                                                     VkSwapchainKHR* out) {
  auto& device = *from<Device>(handle);
  if (info->oldSwapchain) from<Swapchain>(info->oldSwapchain)->retire();
  const FormatInfo* format = find_format(info->imageFormat);
  if (!format || layout_of(*format).bytes != 4)
    return report(&device, VK_ERROR_INITIALIZATION_FAILED, "vkCreateSwapchainKHR: format %s cannot be presented",
                  name_of(info->imageFormat).c_str());
  const uint32_t limit = device.chip.limits.maxImageDimension2D;
  if (info->imageExtent.width == 0 || info->imageExtent.height == 0 || info->imageExtent.width > limit || info->imageExtent.height > limit)
    return report(&device, VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkCreateSwapchainKHR: extent %ux%u is outside 1..%u", info->imageExtent.width,
                  info->imageExtent.height, limit);
  std::string error;
  auto window = open_surface(info->surface, error);
  if (!window) return report(&device, VK_ERROR_SURFACE_LOST_KHR, "vkCreateSwapchainKHR: %s", error.c_str());
  if (window->lost()) return report(&device, VK_ERROR_SURFACE_LOST_KHR, "vkCreateSwapchainKHR: the window is gone");
  if (journal_wanted())
    journal("swapchain",
            name_of(info->imageFormat) + " " + std::to_string(info->imageExtent.width) + "x" + std::to_string(info->imageExtent.height) +
                ", " + name_of(info->presentMode),
            "yes", true);
  *out = to_handle(create<Swapchain>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, *info, std::move(window)));
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_DestroySwapchainKHR(VkDevice, VkSwapchainKHR swapchain, const VkAllocationCallbacks* a) {
  destroy(from<Swapchain>(swapchain), a);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetSwapchainImagesKHR(VkDevice, VkSwapchainKHR swapchain, uint32_t* count, VkImage* out) {
  std::vector<VkImage> handles;
  for (const auto& image : from<Swapchain>(swapchain)->images()) handles.push_back(to_handle(image.get()));
  return write_list(count, out, handles.data(), static_cast<uint32_t>(handles.size()));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_AcquireNextImageKHR(VkDevice, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,
                                                      VkFence fence, uint32_t* index) {
  return from<Swapchain>(swapchain)->acquire(timeout, semaphore, fence, index);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_AcquireNextImage2KHR(VkDevice device, const VkAcquireNextImageInfoKHR* info, uint32_t* index) {
  return pm_AcquireNextImageKHR(device, info->swapchain, info->timeout, info->semaphore, info->fence, index);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_QueuePresentKHR(VkQueue handle, const VkPresentInfoKHR* info) {
  auto& queue = *from<Queue>(handle);
  std::vector<Batch> batches(1);
  std::vector<Present>& queued = batches[0].presents;
  queued.reserve(info->swapchainCount);
  for (uint32_t i = 0; i < info->waitSemaphoreCount; ++i) batches[0].waits.push_back({from<Semaphore>(info->pWaitSemaphores[i]), nullptr});
  std::vector<Present> presents;
  presents.reserve(info->swapchainCount);
  VkResult worst = VK_SUCCESS;
  // Nothing below throws before submit(): what is queued is shown, dropped or taken back.
  for (uint32_t i = 0; i < info->swapchainCount; ++i) {
    auto* swapchain = from<Swapchain>(info->pSwapchains[i]);
    const uint32_t image = info->pImageIndices[i];
    VkResult result = VK_ERROR_VALIDATION_FAILED_EXT;
    if (image < swapchain->images().size()) {
      result = swapchain->queue_image(image);
      queued.push_back({swapchain, image});
      presents.push_back({swapchain, image});
    } else {
      misuse(swapchain, "vkQueuePresentKHR: image %u of %s, which has %zu", image, describe(*swapchain).c_str(),
             swapchain->images().size());
    }
    if (info->pResults) info->pResults[i] = result;
    // An error outranks a warning, a warning outranks success.
    if (result < 0 ? worst >= 0 : worst == VK_SUCCESS) worst = result;
  }
  VkResult submitted = VK_SUCCESS;
  try {
    submitted = queue.submit(std::move(batches), "vkQueuePresentKHR");
  } catch (...) {
    for (const Present& p : presents) p.swapchain->take_back(p.image);
    throw;
  }
  if (submitted == VK_SUCCESS) return worst;
  for (const Present& p : presents) p.swapchain->drop(p.image);
  return submitted;
}

}  // namespace pumice::icd
