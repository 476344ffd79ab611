// SPDX-License-Identifier: MIT
/// VK_KHR_buffer_device_address: addresses are those of the chip, at which programs read and write without a descriptor (docs/r5x.md, 4).
#include "icd/entrypoints.h"
#include "icd/resources.h"

namespace pumice::icd {

VKAPI_ATTR VkDeviceAddress VKAPI_CALL r5x_GetBufferDeviceAddress(VkDevice, const VkBufferDeviceAddressInfo* info) {
  return from<Buffer>(info->buffer)->address;
}
// Nothing needs an address of its own choice: there is no capture and replay.
VKAPI_ATTR uint64_t VKAPI_CALL r5x_GetBufferOpaqueCaptureAddress(VkDevice, const VkBufferDeviceAddressInfo*) { return 0; }
VKAPI_ATTR uint64_t VKAPI_CALL r5x_GetDeviceMemoryOpaqueCaptureAddress(VkDevice, const VkDeviceMemoryOpaqueCaptureAddressInfo*) {
  return 0;
}

}  // namespace pumice::icd
