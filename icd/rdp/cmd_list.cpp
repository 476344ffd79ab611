// SPDX-License-Identifier: MIT
/// VK_PUMICE_rdp (docs/VK_PUMICE_rdp.md): addresses, command lists, scan-out.
#include <pumice/vulkan_pumice_rdp.h>

#include <type_traits>

#include "icd/copy_region.h"
#include "icd/rdp/chip.h"
#include "icd/rdp/command_buffer.h"
#include "icd/rdp/device.h"

namespace pumice::icd {

// The registry XML and the installed header say the same.
static_assert(std::is_same_v<decltype(&rdp_GetBufferRdpAddressPUMICE), PFN_vkGetBufferRdpAddressPUMICE>);
static_assert(std::is_same_v<decltype(&rdp_GetImageRdpAddressPUMICE), PFN_vkGetImageRdpAddressPUMICE>);
static_assert(std::is_same_v<decltype(&rdp_CmdExecuteRdpListPUMICE), PFN_vkCmdExecuteRdpListPUMICE>);
static_assert(std::is_same_v<decltype(&rdp_CmdScanOutRdpPUMICE), PFN_vkCmdScanOutRdpPUMICE>);

namespace {
template <class T>
bool known(Device& d, typename T::Handle handle, const char* function) {
  return rdp(d).knows((uint64_t)(uintptr_t)handle, T::kType, function);
}

/// Invalid use that would access memory outside of an object is not recorded; vkEndCommandBuffer returns the error.
#define PM_REQUIRE(c, condition, ...) \
  if (!(condition)) return (c).fail(report(&(c), VK_ERROR_VALIDATION_FAILED_EXT, __VA_ARGS__))
}  // namespace

VKAPI_ATTR uint32_t VKAPI_CALL rdp_GetBufferRdpAddressPUMICE(VkDevice device, VkBuffer buffer) {
  return known<Buffer>(*from<Device>(device), buffer, "vkGetBufferRdpAddressPUMICE") ? from<Buffer>(buffer)->address : 0;
}
VKAPI_ATTR uint32_t VKAPI_CALL rdp_GetImageRdpAddressPUMICE(VkDevice device, VkImage image) {
  return known<Image>(*from<Device>(device), image, "vkGetImageRdpAddressPUMICE") ? from<Image>(image)->address : 0;
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdExecuteRdpListPUMICE(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size) {
  constexpr const char* kName = "vkCmdExecuteRdpListPUMICE";
  auto& c = *from<RdpCommandBuffer>(handle);
  if (!known<Buffer>(c.device, buffer, kName)) return c.fail(VK_ERROR_VALIDATION_FAILED_EXT);
  const Buffer& b = *from<Buffer>(buffer);
  PM_REQUIRE(c, b.address, "%s: the buffer is not bound to memory", kName);
  PM_REQUIRE(c, offset % 8 == 0 && size % 8 == 0 && (b.address & 7) == 0, "%s: offset and size must be multiples of 8", kName);
  PM_REQUIRE(c, size && offset <= b.size && size <= b.size - offset, "%s: %llu bytes at %llu; the buffer has %llu", kName,
             static_cast<unsigned long long>(size), static_cast<unsigned long long>(offset), static_cast<unsigned long long>(b.size));
  c.steps.push_back([address = b.address + static_cast<hw::GpuAddress>(offset), bytes = static_cast<uint32_t>(size)](RdpDevice& d) {
    d.run_list(address, bytes);
  });
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdScanOutRdpPUMICE(VkCommandBuffer handle, const VkRdpScanOutInfoPUMICE* info) {
  constexpr const char* kName = "vkCmdScanOutRdpPUMICE";
  auto& c = *from<RdpCommandBuffer>(handle);
  if (!known<Buffer>(c.device, info->srcBuffer, kName) || !known<Image>(c.device, info->dstImage, kName))
    return c.fail(VK_ERROR_VALIDATION_FAILED_EXT);
  const Buffer& b = *from<Buffer>(info->srcBuffer);
  const Image& image = *from<Image>(info->dstImage);
  PM_REQUIRE(c, b.address && image.address, "%s: the buffer or the image is not bound to memory", kName);
  const bool wide = info->pixelSize == VK_RDP_PIXEL_SIZE_32_PUMICE;
  const uint32_t bytes = wide ? 4 : 2, stride = info->srcStride ? info->srcStride : info->srcExtent.width;
  const VkExtent2D from_extent = info->srcExtent;
  PM_REQUIRE(c, wide || info->pixelSize == VK_RDP_PIXEL_SIZE_16_PUMICE, "%s: pixelSize %d", kName, info->pixelSize);
  PM_REQUIRE(c, from_extent.width && from_extent.height && from_extent.width <= kMaxImage && from_extent.height <= kMaxImage,
             "%s: srcExtent %ux%u, at most %u each", kName, from_extent.width, from_extent.height, kMaxImage);
  PM_REQUIRE(c, stride >= from_extent.width && stride <= kMaxImage, "%s: srcStride %u", kName, stride);
  PM_REQUIRE(c, info->srcOffset % bytes == 0, "%s: srcOffset is no multiple of a pixel", kName);
  const uint64_t reach = (uint64_t{stride} * (from_extent.height - 1) + from_extent.width) * bytes;
  PM_REQUIRE(c, info->srcOffset <= b.size && reach <= b.size - info->srcOffset, "%s: the picture ends outside of srcBuffer", kName);
  const VkFormat format = image.format.format;
  PM_REQUIRE(c, format == VK_FORMAT_R8G8B8A8_UNORM || format == VK_FORMAT_B8G8R8A8_UNORM, "%s: dstImage has format %s", kName,
             image.format.name.c_str());
  const VkRect2D& to = info->dstArea;
  const VkExtent3D e = image.extent(0);
  PM_REQUIRE(c,
             to.offset.x >= 0 && to.offset.y >= 0 && to.extent.width && to.extent.height &&
                 static_cast<uint32_t>(to.offset.x) + uint64_t{to.extent.width} <= e.width &&
                 static_cast<uint32_t>(to.offset.y) + uint64_t{to.extent.height} <= e.height,
             "%s: dstArea is not inside of dstImage", kName);
  const Plane plane = image.plane(0, 0, 0);
  RdpScanOut s;
  s.from = b.address + static_cast<hw::GpuAddress>(info->srcOffset);
  s.stride = stride;
  s.width = from_extent.width;
  s.height = from_extent.height;
  s.pixel_size = static_cast<uint32_t>(info->pixelSize);
  s.to = texel_address(image, plane, static_cast<uint32_t>(to.offset.x), static_cast<uint32_t>(to.offset.y));
  s.to_pitch = plane.pitch_bytes;
  s.to_width = to.extent.width;
  s.to_height = to.extent.height;
  s.bilinear = info->filter == VK_FILTER_LINEAR;
  s.bgra = format == VK_FORMAT_B8G8R8A8_UNORM;
  c.steps.push_back([s](RdpDevice& d) { d.scan_out(s); });
}

}  // namespace pumice::icd
