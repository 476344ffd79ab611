// SPDX-License-Identifier: MIT
#include "icd/swapchain.h"

#include <algorithm>
#include <chrono>

#include "icd/journal.h"
#include "icd/names.h"
#include "icd/queue.h"
#include "icd/surface.h"
#include "icd/sync.h"

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
    : DeviceObject(d, kType), window_(std::move(window)), extent_{info.imageExtent.width, info.imageExtent.height} {
  const FormatInfo& format = *find_format(info.imageFormat);
  for (uint32_t i = 0; i < std::max(info.minImageCount, 2u); ++i) {
    images_.push_back(std::make_unique<Image>(d, image_info(info), format));
    memory_.emplace_back(*d.heap, images_.back()->bytes);
    images_.back()->address = memory_.back().address;
    free_.push_back(i);
  }
}

Swapchain::~Swapchain() {
  std::unique_lock lock(device.sync_mutex);
  device.sync_changed.wait(lock, [&] { return queued_ == 0; });
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
  // An image that is still queued comes back by itself; without any, only another thread's present could bring one. Vulkan allows an
  // endless wait only where one comes by itself.
  if (free_.empty() && queued_ == 0 && timeout == UINT64_MAX && !device.lost && status_result() >= 0 && !starved_) {
    starved_ = true;
    lock.unlock();
    misuse(this, "vkAcquireNextImageKHR: %s has %zu images and all are acquired; waits until another thread presents one",
           describe(*this).c_str(), images_.size());
    lock.lock();
  }
  const auto ready = [&] { return device.lost || status_result() < 0 || !free_.empty(); };
  constexpr uint64_t kForEver = 30ull * 86400 * 1000000000ull;  // chrono overflows on longer times
  if (timeout > kForEver)
    device.sync_changed.wait(lock, ready);
  else if (!device.sync_changed.wait_for(lock, std::chrono::nanoseconds(timeout), ready))
    return timeout == 0 ? VK_NOT_READY : VK_TIMEOUT;
  if (device.lost) return VK_ERROR_DEVICE_LOST;
  const VkResult status = status_result();
  if (status < 0) return status;
  *index = free_.front();
  free_.pop_front();
  if (semaphore) {
    auto& s = *from<Semaphore>(semaphore);
    s.counter->reach(++s.signals);
  }
  if (fence) from<Fence>(fence)->signalled = true;
  device.sync_changed.notify_all();
  return status;
}

VkResult Swapchain::queue_image() {
  std::lock_guard lock(device.sync_mutex);
  ++queued_;
  const VkResult status = status_result();
  // A retired swapchain may still present what it had acquired.
  return retired_ && status == VK_ERROR_OUT_OF_DATE_KHR && status_ == winsys::PresentStatus::ok ? VK_SUBOPTIMAL_KHR : status;
}

void Swapchain::show(uint32_t index) {
  const Plane plane = images_[index]->plane(0, 0, 0);
  winsys::Frame frame{reinterpret_cast<const uint8_t*>(device.host(plane.address)), plane.pitch_bytes, extent_};
  auto status = winsys::PresentStatus::ok;
  try {
    device.shows(plane, images_[index]->format.layout.front() == 'r');
    std::string error;
    std::vector<uint8_t> swapped;
    if (images_[index]->format.layout.front() == 'r') {
      swapped.assign(frame.pixels, frame.pixels + size_t{frame.pitch_bytes} * extent_.height);
      for (size_t i = 0; i + 3 < swapped.size(); i += 4) std::swap(swapped[i], swapped[i + 2]);
      frame.pixels = swapped.data();
    }
    if (device.capture && !device.capture->frame(frame, error)) warn_once(&device, "PUMICE_CAPTURE: %s", error.c_str());
    status = window_->present(frame);
  } catch (const std::bad_alloc&) {
    // An exception must not leave the queue's thread; the frame is dropped, the next one may find memory.
    note(this, "vkQueuePresentKHR: out of host memory, the frame is not shown");
  }
  journal("created", "presented frame", "yes", true);
  release(index, status);
}

void Swapchain::drop(uint32_t index) { release(index, winsys::PresentStatus::ok); }

void Swapchain::release(uint32_t index, winsys::PresentStatus status) {
  std::lock_guard lock(device.sync_mutex);
  if (status != winsys::PresentStatus::ok) status_ = status;
  if (std::find(free_.begin(), free_.end(), index) == free_.end()) free_.push_back(index);  // presented twice?
  --queued_;
  device.sync_changed.notify_all();
}

void Swapchain::retire() {
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

VKAPI_ATTR VkResult VKAPI_CALL pm_QueuePresentKHR(VkQueue handle, const VkPresentInfoKHR* info) {
  auto& queue = *from<Queue>(handle);
  std::vector<Batch> batches(1);
  std::vector<Present>& queued = batches[0].presents;
  queued.reserve(info->swapchainCount);
  for (uint32_t i = 0; i < info->waitSemaphoreCount; ++i) batches[0].waits.push_back({from<Semaphore>(info->pWaitSemaphores[i]), nullptr});
  std::vector<Present> presents;
  presents.reserve(info->swapchainCount);
  VkResult worst = VK_SUCCESS;
  // Nothing below throws before submit(): what is queued is shown or dropped.
  for (uint32_t i = 0; i < info->swapchainCount; ++i) {
    auto* swapchain = from<Swapchain>(info->pSwapchains[i]);
    const uint32_t image = info->pImageIndices[i];
    VkResult result = VK_ERROR_VALIDATION_FAILED_EXT;
    if (image < swapchain->images().size()) {
      result = swapchain->queue_image();
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
    for (const Present& p : presents) p.swapchain->drop(p.image);
    throw;
  }
  if (submitted == VK_SUCCESS) return worst;
  for (const Present& p : presents) p.swapchain->drop(p.image);
  return submitted;
}

}  // namespace pumice::icd
