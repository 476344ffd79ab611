// SPDX-License-Identifier: MIT
#include "icd/external.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "icd/resources.h"

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
  if (kind_ != Kind::own) return;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(fd_.get(), &one, sizeof one);  // fails only after 2^64 - 2 signals
}

bool SharedSignal::wait(std::chrono::milliseconds patience) const {
  if (!fd_) return true;
  pollfd p{fd_.get(), POLLIN, 0};
  return poll(&p, 1, static_cast<int>(patience.count())) > 0;
}

bool SharedSignal::clear() const {
  uint64_t count = 0;
  return kind_ == Kind::sync_file || read(fd_.get(), &count, sizeof count) == sizeof count;
}

bool SharedSignal::take(std::chrono::milliseconds patience) const { return wait(patience) && clear(); }

namespace {

/// What /proc says about a descriptor without a path.
bool is_anonymous(int fd, std::string_view name) {
  char target[64];
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t n = readlink(path.c_str(), target, sizeof target);
  return n > 0 && std::string_view(target, static_cast<size_t>(n)) == name;
}

}  // namespace

bool is_signal(int fd) { return is_anonymous(fd, "anon_inode:[eventfd]"); }
bool is_sync_file(int fd) { return fd == -1 || is_anonymous(fd, "anon_inode:sync_file") || is_signal(fd); }

VkResult give(const Object* object, const char* function, int fd, int* out) {
  *out = fd;
  return fd >= 0 ? VK_SUCCESS : report(object, VK_ERROR_TOO_MANY_OBJECTS, "%s: no descriptor is left", function);
}

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

}  // namespace pumice::icd
