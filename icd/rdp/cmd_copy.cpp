// SPDX-License-Identifier: MIT
/// Transfers on an RDP device: rows for the card's DMA engine.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "icd/copy_region.h"
#include "icd/rdp/command_buffer.h"
#include "icd/rdp/device.h"

namespace pumice::icd {
namespace {

void record(RdpCommandBuffer& c, const RdpRows& rows) {
  c.steps.push_back([rows](RdpDevice& d) { d.copy(rows); });
}

void buffer_image(RdpCommandBuffer& c, const Buffer& buffer, const Image& image, uint32_t count, const VkBufferImageCopy* regions,
                  bool to_image) {
  for (uint32_t i = 0; i < count; ++i) {
    const VkBufferImageCopy& r = regions[i];
    const BufferRows b = buffer_rows(image, r, image.unit_bytes);
    for_each_buffer_plane(buffer, image, r, b, [&](const Plane& p, hw::GpuAddress in_buffer) {
      const hw::GpuAddress in_image =
          texel_address(image, p, static_cast<uint32_t>(r.imageOffset.x), static_cast<uint32_t>(r.imageOffset.y));
      if (to_image)
        record(c, {in_buffer, b.pitch, in_image, p.pitch_bytes, b.row_bytes, b.rows});
      else
        record(c, {in_image, p.pitch_bytes, in_buffer, b.pitch, b.row_bytes, b.rows});
    });
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL rdp_CmdCopyBuffer(VkCommandBuffer handle, VkBuffer src, VkBuffer dst, uint32_t count,
                                             const VkBufferCopy* regions) {
  for (uint32_t i = 0; i < count; ++i)
    record(*from<RdpCommandBuffer>(handle), {.from = from<Buffer>(src)->address + static_cast<hw::GpuAddress>(regions[i].srcOffset),
                                             .to = from<Buffer>(dst)->address + static_cast<hw::GpuAddress>(regions[i].dstOffset),
                                             .bytes = static_cast<uint32_t>(regions[i].size)});
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdUpdateBuffer(VkCommandBuffer handle, VkBuffer dst, VkDeviceSize offset, VkDeviceSize size,
                                               const void* data) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  from<RdpCommandBuffer>(handle)->steps.push_back([to = from<Buffer>(dst)->address + static_cast<hw::GpuAddress>(offset),
                                                   copy = std::vector<uint8_t>(bytes, bytes + size)](RdpDevice& d) { d.upload(to, copy); });
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdFillBuffer(VkCommandBuffer handle, VkBuffer dst, VkDeviceSize offset, VkDeviceSize size, uint32_t value) {
  const Buffer& b = *from<Buffer>(dst);
  const auto bytes = static_cast<uint32_t>(b.bytes(offset, size) & ~uint64_t{3});
  if (!bytes) return;
  // A dword of the host, as Vulkan has it: little-endian in memory although RDRAM is not.
  from<RdpCommandBuffer>(handle)->steps.push_back(
      [rows = RdpRows{.to = b.address + static_cast<hw::GpuAddress>(offset), .bytes = bytes},
       pattern = std::bit_cast<std::array<uint8_t, 4>>(value)](RdpDevice& d) { d.fill(rows, pattern); });
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdCopyImage(VkCommandBuffer handle, VkImage src, VkImageLayout, VkImage dst, VkImageLayout, uint32_t count,
                                            const VkImageCopy* regions) {
  auto& c = *from<RdpCommandBuffer>(handle);
  const Image &a = *from<Image>(src), &b = *from<Image>(dst);
  const auto texel = [](const Image& i, const Plane& p, const VkOffset3D& o) {
    return texel_address(i, p, static_cast<uint32_t>(o.x), static_cast<uint32_t>(o.y));
  };
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageCopy& r = regions[i];
    const uint32_t row = (r.extent.width + a.block.width - 1) / a.block.width * a.unit_bytes,
                   rows = (r.extent.height + a.block.height - 1) / a.block.height;
    for_each_image_plane(a, b, r, [&](const Plane& p, const Plane& q) {
      record(c, {texel(a, p, r.srcOffset), p.pitch_bytes, texel(b, q, r.dstOffset), q.pitch_bytes, row, rows});
    });
  }
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdCopyBufferToImage(VkCommandBuffer c, VkBuffer src, VkImage dst, VkImageLayout, uint32_t count,
                                                    const VkBufferImageCopy* regions) {
  buffer_image(*from<RdpCommandBuffer>(c), *from<Buffer>(src), *from<Image>(dst), count, regions, true);
}
VKAPI_ATTR void VKAPI_CALL rdp_CmdCopyImageToBuffer(VkCommandBuffer c, VkImage src, VkImageLayout, VkBuffer dst, uint32_t count,
                                                    const VkBufferImageCopy* regions) {
  buffer_image(*from<RdpCommandBuffer>(c), *from<Buffer>(dst), *from<Image>(src), count, regions, false);
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdClearColorImage(VkCommandBuffer handle, VkImage img, VkImageLayout, const VkClearColorValue* value,
                                                  uint32_t count, const VkImageSubresourceRange* ranges) {
  auto& c = *from<RdpCommandBuffer>(handle);
  const Image& image = *from<Image>(img);
  if (image.block.width != 1) return c.fail(report(&c, VK_ERROR_FEATURE_NOT_PRESENT, "vkCmdClearColorImage: a compressed image"));
  std::vector<uint8_t> pixel(16);
  pack_pixel(image.format, *value, pixel.data());
  pixel.resize(image.unit_bytes);
  for_each_plane(image, count, ranges, [&](const Plane& p, VkImageAspectFlags) {
    const RdpRows rows{.to = p.address, .to_pitch = p.pitch_bytes, .bytes = p.width * image.unit_bytes, .rows = p.height};
    c.steps.push_back([rows, pixel](RdpDevice& d) { d.fill(rows, pixel); });
  });
}

}  // namespace pumice::icd
