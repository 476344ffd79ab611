// SPDX-License-Identifier: MIT
#include "icd/external.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "icd/resources.h"
#include "icd/sync.h"

namespace pumice::icd {

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}
int FileDescriptor::duplicate() const { return fcntl(fd_, F_DUPFD_CLOEXEC, 3); }

FileDescriptor make_memory_file(uint64_t bytes) {
  FileDescriptor fd(memfd_create("pumice-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  // Sealed against resizing: truncating the file would make mapped pages fault (SIGBUS).
  if (fd && ftruncate(fd.get(), static_cast<off_t>(bytes)) == 0 &&
      fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return fd;
  return {};
}

uint64_t file_bytes(int fd) {
  struct stat s;
  // A file that another process can truncate must not back memory of the chip.
  if (fd < 0 || fstat(fd, &s) != 0 || !(fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK)) return 0;
  return static_cast<uint64_t>(s.st_size);
}

SharedSignal::SharedSignal() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void SharedSignal::signal() const {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(fd_.get(), &one, sizeof one);  // fails only after 2^64 - 2 signals
}

bool SharedSignal::take(std::chrono::milliseconds patience) const {
  pollfd p{fd_.get(), POLLIN, 0};
  uint64_t count = 0;
  return poll(&p, 1, static_cast<int>(patience.count())) > 0 && read(fd_.get(), &count, sizeof count) == sizeof count;
}

bool is_signal(int fd) {
  char target[64];
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t n = readlink(path.c_str(), target, sizeof target);
  constexpr char kName[] = "anon_inode:[eventfd]";
  return n == sizeof kName - 1 && !std::memcmp(target, kName, sizeof kName - 1);
}

namespace {

/// A descriptor for the application.
VkResult give(const Object* object, const char* function, int fd, int* out) {
  *out = fd;
  return fd >= 0 ? VK_SUCCESS : report(object, VK_ERROR_TOO_MANY_OBJECTS, "%s: no descriptor is left", function);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL pm_GetMemoryFdKHR(VkDevice, const VkMemoryGetFdInfoKHR* info, int* out) {
  const auto& m = *from<DeviceMemory>(info->memory);
  *out = -1;
  if (info->handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT || !m.file)
    return report(&m, VK_ERROR_FEATURE_NOT_PRESENT,
                  "vkGetMemoryFdKHR: %s was not allocated for export as VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT", describe(m).c_str());
  return give(&m, "vkGetMemoryFdKHR", m.file.duplicate(), out);
}
VKAPI_ATTR VkResult VKAPI_CALL pm_GetMemoryFdPropertiesKHR(VkDevice device, VkExternalMemoryHandleTypeFlagBits, int,
                                                           VkMemoryFdPropertiesKHR*) {
  return report(from<Device>(device), VK_ERROR_INVALID_EXTERNAL_HANDLE, "vkGetMemoryFdPropertiesKHR: there are opaque descriptors only");
}

VKAPI_ATTR VkResult VKAPI_CALL pm_ImportSemaphoreFdKHR(VkDevice handle, const VkImportSemaphoreFdInfoKHR* info) {
  auto& device = *from<Device>(handle);
  auto& s = *from<Semaphore>(info->semaphore);
  const bool opaque = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  if (s.timeline) {
    auto timeline = opaque && !(info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) ? SharedTimeline::import(info->fd) : nullptr;
    if (!timeline)
      return report(&s, VK_ERROR_INVALID_EXTERNAL_HANDLE,
                    "vkImportSemaphoreFdKHR: the descriptor is no timeline semaphore of this driver, or the import is temporary");
    std::lock_guard lock(device.sync_mutex);
    s.counter = std::make_shared<Counter>(std::move(timeline));
    return VK_SUCCESS;
  }
  if (!opaque || !is_signal(info->fd))
    return report(&s, VK_ERROR_INVALID_EXTERNAL_HANDLE, "vkImportSemaphoreFdKHR: the descriptor is no binary semaphore of this driver");
  auto shared = std::make_shared<const SharedSignal>(FileDescriptor(info->fd));
  std::lock_guard lock(device.sync_mutex);
  (info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT ? s.temporary : s.shared) = std::move(shared);
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_GetSemaphoreFdKHR(VkDevice handle, const VkSemaphoreGetFdInfoKHR* info, int* out) {
  auto& device = *from<Device>(handle);
  auto& s = *from<Semaphore>(info->semaphore);
  std::lock_guard lock(device.sync_mutex);
  const auto& shared = s.temporary ? s.temporary : s.shared;
  const auto& timeline = s.counter->shared;
  *out = -1;
  if (info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT || !(shared || timeline))
    return report(&s, VK_ERROR_FEATURE_NOT_PRESENT,
                  "vkGetSemaphoreFdKHR: %s was not created for export as VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT",
                  describe(s).c_str());
  return give(&s, "vkGetSemaphoreFdKHR", timeline ? timeline->duplicate() : shared->duplicate(), out);
}

// ------------------------------------------------------------------------------------------------------------ what can be shared

namespace {

constexpr VkExternalMemoryFeatureFlags kBothWays = VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;

VkExternalMemoryProperties memory_properties(const ChipInfo& chip, VkExternalMemoryHandleTypeFlagBits type) {
  if (!extension_of(chip.family, DeviceExtension::KHR_external_memory_fd) || type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT)
    return {0, 0, static_cast<VkExternalMemoryHandleTypeFlags>(type)};
  return {kBothWays, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
}

}  // namespace

VkResult external_image_properties(const ChipInfo& chip, const void* wanted, void* out) {
  const auto* w = find_next<VkPhysicalDeviceExternalImageFormatInfo>(wanted, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
  if (!w || !w->handleType) return VK_SUCCESS;
  const VkExternalMemoryProperties p = memory_properties(chip, w->handleType);
  if (!p.externalMemoryFeatures) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  for (auto* b = static_cast<VkBaseOutStructure*>(out); b; b = b->pNext)
    if (b->sType == VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES)
      reinterpret_cast<VkExternalImageFormatProperties*>(b)->externalMemoryProperties = p;
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice device,
                                                                        const VkPhysicalDeviceExternalBufferInfo* i,
                                                                        VkExternalBufferProperties* out) {
  out->externalMemoryProperties = memory_properties(from<PhysicalDevice>(device)->chip, i->handleType);
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice, const VkPhysicalDeviceExternalFenceInfo*,
                                                                       VkExternalFenceProperties* out) {
  out->exportFromImportedHandleTypes = out->compatibleHandleTypes = 0;
  out->externalFenceFeatures = 0;
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice device,
                                                                           const VkPhysicalDeviceExternalSemaphoreInfo* i,
                                                                           VkExternalSemaphoreProperties* out) {
  const bool has = extension_of(from<PhysicalDevice>(device)->chip.family, DeviceExtension::KHR_external_semaphore_fd) &&
                   i->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;  // of both types
  out->exportFromImportedHandleTypes = out->compatibleHandleTypes = has ? VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT : 0;
  out->externalSemaphoreFeatures = has ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT : 0;
}

}  // namespace pumice::icd
