// SPDX-License-Identifier: MIT
/// Fences and semaphores by file descriptor (VK_KHR_external_fence_fd, VK_KHR_external_semaphore_fd). A descriptor of type SYNC_FD is a
/// copy of a state that is signalled once: one that comes in is waited for; one that goes out is an eventfd that the queue signals.
#include "icd/external.h"
#include "icd/queue.h"
#include "icd/sync.h"

namespace pumice::icd {

namespace {

/// A state that is signalled for ever, as a descriptor of its own: conformance tests take no -1 for it.
VkResult give_signalled(const Object* object, const char* function, int* out) {
  const SharedSignal s;
  if (s.ok()) s.signal();
  return give(object, function, s.duplicate(), out);
}
/// A descriptor of a state that is signalled later, with that state; without one it is reported.
struct Later {
  std::shared_ptr<const SharedSignal> signal = std::make_shared<const SharedSignal>();
  FileDescriptor fd{signal->ok() ? signal->duplicate() : -1};
  VkResult give(const Object* object, const char* function, int* out) {
    const VkResult r = icd::give(object, function, fd.get(), out);
    fd.release();
    return r;
  }
};
/// The duplicate of a sync file that came in.
VkResult give_sync_file(const Object* object, const char* function, const SharedSignal& s, int* out) {
  return s.ok() ? give(object, function, s.duplicate(), out) : give_signalled(object, function, out);
}

/// The state of a descriptor that an import has accepted.
std::shared_ptr<const SharedSignal> imported(int fd, bool is_file) {
  return std::make_shared<const SharedSignal>(FileDescriptor(fd), is_file ? SharedSignal::Kind::sync_file : SharedSignal::Kind::own);
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------- semaphores

VKAPI_ATTR VkResult VKAPI_CALL pm_ImportSemaphoreFdKHR(VkDevice handle, const VkImportSemaphoreFdInfoKHR* info) {
  auto& device = *from<Device>(handle);
  auto& s = *from<Semaphore>(info->semaphore);
  const bool opaque = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  const bool is_file = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  // What is signalled once can only be a temporary state; the CTS of 1.0 does not say so.
  const bool temporary = is_file || (info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
  if (s.timeline) {
    auto timeline = opaque && !temporary ? SharedTimeline::import(info->fd) : nullptr;
    if (!timeline)
      return report(&s, VK_ERROR_INVALID_EXTERNAL_HANDLE,
                    "vkImportSemaphoreFdKHR: the descriptor is no timeline semaphore of this driver, or the import is temporary");
    std::lock_guard lock(device.sync_mutex);
    s.counter = std::make_shared<Counter>(std::move(timeline));
    return VK_SUCCESS;
  }
  if (is_file ? !is_sync_file(info->fd) : !opaque || !is_signal(info->fd))
    return report(&s, VK_ERROR_INVALID_EXTERNAL_HANDLE,
                  "vkImportSemaphoreFdKHR: the descriptor is no binary semaphore of this driver and no sync file");
  auto shared = imported(info->fd, is_file);
  std::lock_guard lock(device.sync_mutex);
  s.foreign = s.foreign || opaque;
  (temporary ? s.temporary : s.shared) = std::move(shared);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetSemaphoreFdKHR(VkDevice handle, const VkSemaphoreGetFdInfoKHR* info, int* out) {
  constexpr const char* kName = "vkGetSemaphoreFdKHR";
  auto& device = *from<Device>(handle);
  auto& s = *from<Semaphore>(info->semaphore);
  const bool opaque = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  std::unique_lock lock(device.sync_mutex);
  std::shared_ptr<const SharedSignal> shared = s.temporary ? s.temporary : s.shared;
  const auto timeline = s.counter->shared;
  const bool is_file = shared && shared->kind() == SharedSignal::Kind::sync_file;
  // What was imported is exportable as what it came as, an eventfd as a sync file, too.
  const bool exportable = (s.exports & info->handleType) || (s.temporary && (!is_file || !opaque)) || (s.shared && s.foreign);
  *out = -1;
  if (s.timeline ? !(timeline && opaque) : !(shared && exportable))
    return report(&s, VK_ERROR_FEATURE_NOT_PRESENT, "%s: %s was not created for export as handle type 0x%x", kName, describe(s).c_str(),
                  info->handleType);
  if (opaque && is_file)
    return report(&s, VK_ERROR_FEATURE_NOT_PRESENT, "%s: %s holds a sync file, which is no opaque descriptor", kName, describe(s).c_str());
  if (opaque) return give(&s, kName, timeline ? timeline->duplicate() : shared->duplicate(), out);
  if (is_file) {
    s.temporary = nullptr;  // as by a wait
    return give_sync_file(&s, kName, *shared, out);
  }
  if (device.lost) return VK_ERROR_DEVICE_LOST;
  if (!s.foreign && !shared->is_set() && !device.queue->will_signal(shared.get()))
    return report(&s, VK_ERROR_UNKNOWN, "%s: %s has no signal, and none was submitted, for a sync file", kName, describe(s).c_str());
  lock.unlock();
  // An export is a wait of the queue, which signals the descriptor; not taken here, where the signal may be an earlier wait's.
  Later later;
  if (!later.fd) return later.give(&s, kName, out);
  std::vector<Batch> wait(1);
  wait[0].waits.push_back({&s, nullptr});
  wait[0].exported = later.signal;
  if (const VkResult r = device.queue->submit(std::move(wait), kName)) return r;
  return later.give(&s, kName, out);
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice device,
                                                                           const VkPhysicalDeviceExternalSemaphoreInfo* i,
                                                                           VkExternalSemaphoreProperties* out) {
  constexpr VkExternalSemaphoreHandleTypeFlags kOpaque = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                               kFile = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  const auto* type = find_next<VkSemaphoreTypeCreateInfo>(i->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  const bool timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
  const VkExternalSemaphoreHandleTypeFlags types = timeline ? kOpaque : kOpaque | kFile;
  const bool has = extension_of(from<PhysicalDevice>(device)->chip.family, DeviceExtension::KHR_external_semaphore_fd) &&
                   (i->handleType == kOpaque || i->handleType == kFile) && (i->handleType & types);
  out->exportFromImportedHandleTypes = !has ? 0 : i->handleType == kFile ? kFile : types;
  out->compatibleHandleTypes = has ? types : 0;
  out->externalSemaphoreFeatures = has ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT : 0;
}

// ------------------------------------------------------------------------------------------------------------------------- fences

VKAPI_ATTR VkResult VKAPI_CALL pm_ImportFenceFdKHR(VkDevice handle, const VkImportFenceFdInfoKHR* info) {
  auto& fence = *from<Fence>(info->fence);
  const bool is_file = info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  const bool temporary = is_file || (info->flags & VK_FENCE_IMPORT_TEMPORARY_BIT);
  const bool opaque = info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
  if (is_file ? !is_sync_file(info->fd) : !opaque || !is_signal(info->fd))
    return report(&fence, VK_ERROR_INVALID_EXTERNAL_HANDLE,
                  "vkImportFenceFdKHR: the descriptor is no fence of this driver and no sync file");
  auto shared = imported(info->fd, is_file);
  std::lock_guard lock(from<Device>(handle)->sync_mutex);
  fence.external = true;
  (temporary ? fence.temporary : fence.shared) = std::move(shared);
  if (!temporary) fence.exports |= VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetFenceFdKHR(VkDevice handle, const VkFenceGetFdInfoKHR* info, int* out) {
  constexpr const char* kName = "vkGetFenceFdKHR";
  auto& device = *from<Device>(handle);
  auto& fence = *from<Fence>(info->fence);
  const bool opaque = info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
  *out = -1;
  std::unique_lock lock(device.sync_mutex);
  const std::shared_ptr<const SharedSignal> payload = fence.payload();
  const bool is_file = payload && payload->kind() == SharedSignal::Kind::sync_file;
  const bool exportable = fence.temporary ? !is_file || !opaque : (fence.exports & info->handleType) != 0;
  if (!exportable)
    return report(&fence, VK_ERROR_FEATURE_NOT_PRESENT, "%s: %s was not created for export as handle type 0x%x", kName,
                  describe(fence).c_str(), info->handleType);
  if (opaque) return give(&fence, kName, payload->duplicate(), out);
  if (is_file) {
    fence.reset();
    return give_sync_file(&fence, kName, *payload, out);
  }
  if (device.lost) return VK_ERROR_DEVICE_LOST;
  if (!fence.is_signalled()) {
    Later later;
    if (!later.fd) return later.give(&fence, kName, out);
    if (device.queue->hand_over(&fence, later.signal)) {
      fence.reset();
      return later.give(&fence, kName, out);
    }
    if (!payload)
      return report(&fence, VK_ERROR_UNKNOWN, "%s: %s is not signalled, and no work that will do so was submitted, for a sync file", kName,
                    describe(fence).c_str());
    // Another device signals it.
    lock.unlock();
    if (const VkResult r = wait_for_fences(device, 1, &info->fence, true, UINT64_MAX)) return r;
    lock.lock();
  }
  fence.reset();
  return give_signalled(&fence, kName, out);
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice device, const VkPhysicalDeviceExternalFenceInfo* i,
                                                                       VkExternalFenceProperties* out) {
  constexpr VkExternalFenceHandleTypeFlags kOpaque = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                           kFile = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  const bool has = extension_of(from<PhysicalDevice>(device)->chip.family, DeviceExtension::KHR_external_fence_fd) &&
                   (i->handleType == kOpaque || i->handleType == kFile);
  out->exportFromImportedHandleTypes = !has ? 0 : i->handleType == kFile ? kFile : kOpaque | kFile;
  out->compatibleHandleTypes = has ? kOpaque | kFile : 0;
  out->externalFenceFeatures = has ? VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT : 0;
}

}  // namespace pumice::icd
