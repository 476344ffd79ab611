// SPDX-License-Identifier: MIT
/// VkDeviceMemory and VkBuffer. Memory is pages of the chip's address space that the host sees as they are.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "icd/resources.h"

namespace pumice::icd {

VKAPI_ATTR VkResult VKAPI_CALL pm_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* a,
                                                 VkDeviceMemory* out) {
  auto& device = *from<Device>(handle);
  *out = VK_NULL_HANDLE;
  const auto* import = find_next<VkImportMemoryFdInfoKHR>(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  const auto* exported = find_next<VkExportMemoryAllocateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
  const uint64_t bytes = device.heap->rounded(info->allocationSize);
  FileDescriptor file;
  const bool imports = import && import->handleType;
  if (imports) {
    if (import->handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT || file_bytes(import->fd) < bytes)
      return report(&device, VK_ERROR_INVALID_EXTERNAL_HANDLE,
                    "vkAllocateMemory: the descriptor is no memory of this driver with %llu bytes", static_cast<unsigned long long>(bytes));
    file = FileDescriptor(fcntl(import->fd, F_DUPFD_CLOEXEC, 3));  // the application's goes only with success
    if (!file) return report(&device, VK_ERROR_TOO_MANY_OBJECTS, "vkAllocateMemory: no descriptor is left");
  } else if (exported && exported->handleTypes) {
    file = make_memory_file(bytes);
    if (!file)
      return report(&device, VK_ERROR_OUT_OF_HOST_MEMORY, "vkAllocateMemory: no file of %llu bytes in memory",
                    static_cast<unsigned long long>(bytes));
  }
  try {
    *out = to_handle(create<DeviceMemory>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, info->allocationSize, std::move(file)));
  } catch (const OutOfDeviceMemory&) {
    return report(&device, VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory: %llu bytes do not fit the chip's memory",
                  static_cast<unsigned long long>(info->allocationSize));
  }
  if (imports) close(import->fd);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_FreeMemory(VkDevice, VkDeviceMemory m, const VkAllocationCallbacks* a) { destroy(from<DeviceMemory>(m), a); }

VKAPI_ATTR VkResult VKAPI_CALL pm_MapMemory(VkDevice, VkDeviceMemory m, VkDeviceSize offset, VkDeviceSize, VkMemoryMapFlags, void** out) {
  auto& memory = *from<DeviceMemory>(m);
  memory.map();
  *out = memory.range.host + offset;
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_UnmapMemory(VkDevice, VkDeviceMemory) {}
// The one memory type is coherent: both sides see the same pages.
VKAPI_ATTR VkResult VKAPI_CALL pm_FlushMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange* ranges) {
  for (uint32_t i = 0; i < count; ++i) {
    const GpuRange& m = from<DeviceMemory>(ranges[i].memory)->range;
    if (ranges[i].offset >= m.size) continue;
    from<Device>(device)->host_wrote(m.address + static_cast<hw::GpuAddress>(ranges[i].offset),
                                     std::min(ranges[i].size, m.size - ranges[i].offset));
  }
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_InvalidateMappedMemoryRanges(VkDevice, uint32_t, const VkMappedMemoryRange*) { return VK_SUCCESS; }
VKAPI_ATTR void VKAPI_CALL pm_GetDeviceMemoryCommitment(VkDevice, VkDeviceMemory m, VkDeviceSize* out) {
  *out = from<DeviceMemory>(m)->range.size;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateBuffer(VkDevice handle, const VkBufferCreateInfo* info, const VkAllocationCallbacks* a,
                                               VkBuffer* out) {
  auto& device = *from<Device>(handle);
  if (info->flags) return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateBuffer: sparse buffers");
  *out = to_handle(create<Buffer>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyBuffer(VkDevice, VkBuffer b, const VkAllocationCallbacks* a) { destroy(from<Buffer>(b), a); }

VkMemoryRequirements Buffer::requirements() const {
  // A packet may read the dword that holds the last byte, and vertex fetch whole dwords: room to the next 64 bytes.
  constexpr VkBufferUsageFlags kTexel = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
  const VkPhysicalDeviceLimits& l = device.chip.limits;
  VkDeviceSize alignment = 64;
  if (usage & kTexel) alignment = std::max(alignment, l.minTexelBufferOffsetAlignment);
  if (usage & VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) alignment = std::max(alignment, l.minUniformBufferOffsetAlignment);
  if (usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) alignment = std::max(alignment, l.minStorageBufferOffsetAlignment);
  return {(size + alignment - 1) & ~(alignment - 1), alignment, 1};
}
VKAPI_ATTR void VKAPI_CALL pm_GetBufferMemoryRequirements(VkDevice, VkBuffer b, VkMemoryRequirements* out) {
  *out = from<Buffer>(b)->requirements();
}
VKAPI_ATTR VkResult VKAPI_CALL pm_BindBufferMemory(VkDevice, VkBuffer b, VkDeviceMemory m, VkDeviceSize offset) {
  from<Buffer>(b)->address = from<DeviceMemory>(m)->range.address + static_cast<hw::GpuAddress>(offset);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateBufferView(VkDevice device, const VkBufferViewCreateInfo*, const VkAllocationCallbacks*,
                                                   VkBufferView*) {
  return report(from<Device>(device), VK_ERROR_FORMAT_NOT_SUPPORTED,
                "vkCreateBufferView: the chip has no texel buffers (no format lists them)");
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyBufferView(VkDevice, VkBufferView, const VkAllocationCallbacks*) {}

}  // namespace pumice::icd
