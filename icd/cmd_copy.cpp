// SPDX-License-Identifier: MIT
/// Transfers of bytes by the 2D engine and GUI DMA. Depth and stencil aspects of 24-bit formats are interleaved in memory (stencil in the
/// low byte) while Vulkan's buffers hold them apart: those copies are draws of byte views.
#include <algorithm>
#include <cstring>

#include "icd/copy_region.h"
#include "icd/meta.h"
#include "icd/transfer_2d.h"

namespace pumice::icd {
namespace {

bool interleaved(const FormatInfo& f) { return f.format == VK_FORMAT_D24_UNORM_S8_UINT || f.format == VK_FORMAT_X8_D24_UNORM_PACK32; }

/// A linear image bound as texture unit 0, bytes unconverted.
TextureUnit byte_view(VkFormat format, const Plane& p, std::array<uint8_t, 4> select) {
  using F0 = regs::TX_FILTER0;
  TextureUnit t;
  t.format = find_format(format);
  t.address = p.address;
  t.width = p.width;
  t.height = p.height;
  t.pitch_texels = p.pitch_units;
  t.select = select;
  t.filter0.CLAMP_S(F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL).CLAMP_T(F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL);
  t.filter0.MAG_FILTER(F0::MAG_FILTER__POINT).MIN_FILTER(F0::MAG_FILTER__POINT);
  return t;
}

struct Offset {
  uint32_t x, y;
};

/// Draws texels (from.x.., from.y..) of `texture` to pixels (to.x.., to.y..) of `target`.
void draw_bytes(CommandBuffer& c, const TextureUnit& texture, Offset from, const Plane& target, VkFormat format, uint32_t mask, bool raw,
                Offset to, uint32_t width, uint32_t height) {
  MetaDraw d;
  d.color_format = find_format(format);
  d.color = target;
  d.color_mask = mask;
  d.texture = &texture;
  d.raw_output = raw;
  MetaRect r;
  r.x0 = static_cast<float>(to.x), r.x1 = static_cast<float>(to.x + width);
  r.y0 = static_cast<float>(to.y), r.y1 = static_cast<float>(to.y + height);
  const float w = static_cast<float>(texture.width), h = static_cast<float>(texture.height);
  r.s0 = static_cast<float>(from.x) / w, r.s1 = static_cast<float>(from.x + width) / w;
  r.t0 = static_cast<float>(from.y) / h, r.t1 = static_cast<float>(from.y + height) / h;
  radeon(c.device).meta->draw(c, d, {&r, 1});
}

constexpr VkFormat kBytes4 = VK_FORMAT_R8G8B8A8_UNORM, kBytes1 = VK_FORMAT_R8_UNORM;
constexpr uint32_t kStencilMask = 0x1, kDepthMask = 0xE;

/// One aspect from image to image. Rows of samples are pixels of higher surfaces here, drawn in pieces that fit the texture unit.
void draw_rows(CommandBuffer& c, Plane from, Offset from_at, Plane to, Offset to_at, uint32_t mask, uint32_t width, uint32_t height) {
  constexpr uint32_t kPiece = 2048;
  const auto flat = [](Plane& p, Offset& at) {
    p.address += uint64_t{at.y} * p.row_bytes();
    p.samples = 1;
    at.y = 0;
  };
  const uint32_t rows = height * from.samples;
  flat(from, from_at);
  flat(to, to_at);
  for (uint32_t y = 0; y < rows; y += kPiece) {
    const uint32_t n = std::min(kPiece, rows - y);
    from.height = to.height = n;
    draw_bytes(c, byte_view(kBytes4, from, {0, 1, 2, 3}), from_at, to, kBytes4, mask, true, to_at, width, n);
    from.address += uint64_t{n} * from.pitch_bytes;
    to.address += uint64_t{n} * to.pitch_bytes;
  }
}

/// A temporary image of 1- or 4-byte pixels in the stream's memory.
Plane staging(Cs& cs, uint32_t width, uint32_t height, uint32_t pixel_bytes) {
  Plane p;
  p.pitch_bytes = (width * pixel_bytes + 31) / 32 * 32;
  p.pitch_units = p.pitch_bytes / pixel_bytes;
  p.width = width;
  p.height = height;
  p.address = cs.data(uint64_t{p.pitch_bytes} * height).address;
  return p;
}

void buffer_image(CommandBuffer& c, const Buffer& buffer, const Image& image, uint32_t count, const VkBufferImageCopy* regions,
                  bool to_image) {
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) {
    const VkBufferImageCopy& r = regions[i];
    const bool split = interleaved(image.format);
    const bool stencil = r.imageSubresource.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT;
    const BufferRows b = buffer_rows(image, r, split && stencil ? 1 : image.unit_bytes);
    for_each_buffer_plane(buffer, image, r, b, [&](const Plane& p, hw::GpuAddress in_buffer) {
      const Offset o{static_cast<uint32_t>(r.imageOffset.x), static_cast<uint32_t>(r.imageOffset.y)};
      const uint32_t w = r.imageExtent.width, h = r.imageExtent.height;
      if (!split) {
        const hw::GpuAddress in_image = texel_address(image, p, o.x, o.y);
        if (to_image)
          copy_rows(c.cs, {in_buffer, b.pitch}, {in_image, p.pitch_bytes}, b.row_bytes, b.rows);
        else
          copy_rows(c.cs, {in_image, p.pitch_bytes}, {in_buffer, b.pitch}, b.row_bytes, b.rows);
        return;
      }
      const Plane s = staging(c.cs, w, h, stencil ? 1 : 4);
      if (to_image) {
        copy_rows(c.cs, {in_buffer, b.pitch}, {s.address, s.pitch_bytes}, b.row_bytes, b.rows);
        // Depth: buffer bytes 0..2 become bytes 1..3 of the pixel.
        draw_bytes(
            c, byte_view(stencil ? kBytes1 : kBytes4, s, stencil ? std::array<uint8_t, 4>{0, 4, 4, 4} : std::array<uint8_t, 4>{4, 0, 1, 2}),
            {0, 0}, p, kBytes4, stencil ? kStencilMask : kDepthMask, true, o, w, h);
      } else {
        draw_bytes(c, byte_view(kBytes4, p, stencil ? std::array<uint8_t, 4>{0, 4, 4, 4} : std::array<uint8_t, 4>{1, 2, 3, 4}), o, s,
                   stencil ? kBytes1 : kBytes4, 0xF, false, {0, 0}, w, h);
        copy_rows(c.cs, {s.address, s.pitch_bytes}, {in_buffer, b.pitch}, b.row_bytes, b.rows);
      }
    });
  }
  c.gfx.set_dirty(kMemory);
}

/// A blit that neither scales nor mirrors within planes nor converts is a copy, with either filter.
bool bytes_stay(const Image& a, const Image& b, const VkImageBlit& r) {
  const auto same = [&](int32_t VkOffset3D::*at) {
    const int32_t size = r.dstOffsets[1].*at - r.dstOffsets[0].*at;
    return size > 0 && r.srcOffsets[1].*at - r.srcOffsets[0].*at == size;
  };
  return a.info.format == b.info.format && !is_depth_stencil(a.format) && a.block.width == 1 && same(&VkOffset3D::x) &&
         same(&VkOffset3D::y);
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL pm_CmdCopyBuffer(VkCommandBuffer handle, VkBuffer src, VkBuffer dst, uint32_t count,
                                            const VkBufferCopy* regions) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i)
    copy_bytes(c.cs, from<Buffer>(src)->address + static_cast<hw::GpuAddress>(regions[i].srcOffset),
               from<Buffer>(dst)->address + static_cast<hw::GpuAddress>(regions[i].dstOffset), regions[i].size);
  c.gfx.set_dirty(kMemory);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdUpdateBuffer(VkCommandBuffer handle, VkBuffer dst, VkDeviceSize offset, VkDeviceSize size,
                                              const void* data) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  const Cs::Data d = c.cs.data(size);
  std::memcpy(d.host, data, size);
  c.cs.copy(d.address, from<Buffer>(dst)->address + static_cast<hw::GpuAddress>(offset), size);
  c.gfx.set_dirty(kMemory);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdFillBuffer(VkCommandBuffer handle, VkBuffer dst, VkDeviceSize offset, VkDeviceSize size, uint32_t value) {
  auto& c = *from<CommandBuffer>(handle);
  const Buffer& b = *from<Buffer>(dst);
  const uint64_t left = b.bytes(offset, size) & ~uint64_t{3};
  if (!left) return;
  c.barrier();
  fill_bytes(c.cs, b.address + static_cast<hw::GpuAddress>(offset), left, value);
  c.gfx.set_dirty(kMemory);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdCopyImage(VkCommandBuffer handle, VkImage src, VkImageLayout, VkImage dst, VkImageLayout, uint32_t count,
                                           const VkImageCopy* regions) {
  auto& c = *from<CommandBuffer>(handle);
  const Image &a = *from<Image>(src), &b = *from<Image>(dst);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageCopy& r = regions[i];
    const bool one_aspect =
        a.format.flags & kStencil && r.srcSubresource.aspectMask != (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
    const bool stencil = r.srcSubresource.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT;
    const uint32_t row = (r.extent.width + a.block.width - 1) / a.block.width * a.unit_bytes,
                   rows = (r.extent.height + a.block.height - 1) / a.block.height;
    for_each_image_plane(a, b, r, [&](const Plane& from_plane, const Plane& to_plane) {
      const Offset from_offset{static_cast<uint32_t>(r.srcOffset.x), static_cast<uint32_t>(r.srcOffset.y)};
      const Offset to_offset{static_cast<uint32_t>(r.dstOffset.x), static_cast<uint32_t>(r.dstOffset.y)};
      if (one_aspect)
        draw_rows(c, from_plane, from_offset, to_plane, to_offset, stencil ? kStencilMask : kDepthMask, r.extent.width, r.extent.height);
      else
        copy_rows(c.cs, {texel_address(a, from_plane, from_offset.x, from_offset.y), from_plane.pitch_bytes},
                  {texel_address(b, to_plane, to_offset.x, to_offset.y), to_plane.pitch_bytes}, row, rows * from_plane.samples);
    });
  }
  c.gfx.set_dirty(kMemory);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdCopyBufferToImage(VkCommandBuffer handle, VkBuffer src, VkImage dst, VkImageLayout, uint32_t count,
                                                   const VkBufferImageCopy* regions) {
  buffer_image(*from<CommandBuffer>(handle), *from<Buffer>(src), *from<Image>(dst), count, regions, true);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdCopyImageToBuffer(VkCommandBuffer handle, VkImage src, VkImageLayout, VkBuffer dst, uint32_t count,
                                                   const VkBufferImageCopy* regions) {
  buffer_image(*from<CommandBuffer>(handle), *from<Buffer>(dst), *from<Image>(src), count, regions, false);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdBlitImage(VkCommandBuffer handle, VkImage src, VkImageLayout, VkImage dst, VkImageLayout, uint32_t count,
                                           const VkImageBlit* regions, VkFilter filter) {
  auto& c = *from<CommandBuffer>(handle);
  const Image &a = *from<Image>(src), &b = *from<Image>(dst);
  using F0 = regs::TX_FILTER0;
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageBlit& r = regions[i];
    const bool to_volume = b.info.imageType == VK_IMAGE_TYPE_3D, from_volume = a.info.imageType == VK_IMAGE_TYPE_3D;
    const VkExtent3D e = a.extent(r.srcSubresource.mipLevel);
    const int32_t z0 = std::min(r.dstOffsets[0].z, r.dstOffsets[1].z), z1 = std::max(r.dstOffsets[0].z, r.dstOffsets[1].z);
    const uint32_t planes = to_volume ? static_cast<uint32_t>(z1 - z0) : r.dstSubresource.layerCount;
    for (uint32_t z = 0; z < planes; ++z) {
      // The slice of the source that the middle of this one falls on; volumes are not filtered between slices here.
      uint32_t source_slice = 0;
      if (from_volume) {
        const float depth = static_cast<float>(r.dstOffsets[1].z - r.dstOffsets[0].z);
        const float along = (static_cast<float>(z0 - r.dstOffsets[0].z) + static_cast<float>(z) + 0.5f) / depth;
        const float at_z = static_cast<float>(r.srcOffsets[0].z) + along * static_cast<float>(r.srcOffsets[1].z - r.srcOffsets[0].z);
        source_slice = static_cast<uint32_t>(std::clamp(at_z, 0.0f, static_cast<float>(e.depth) - 1.0f));
      }
      const Plane from_plane = a.plane(r.srcSubresource.mipLevel, r.srcSubresource.baseArrayLayer + (from_volume ? 0 : z), source_slice);
      const Plane to_plane = b.plane(r.dstSubresource.mipLevel, r.dstSubresource.baseArrayLayer + (to_volume ? 0 : z),
                                     to_volume ? static_cast<uint32_t>(z0) + z : 0);
      if (bytes_stay(a, b, r)) {
        copy_rows(c.cs,
                  {texel_address(a, from_plane, static_cast<uint32_t>(r.srcOffsets[0].x), static_cast<uint32_t>(r.srcOffsets[0].y)),
                   from_plane.pitch_bytes},
                  {texel_address(b, to_plane, static_cast<uint32_t>(r.dstOffsets[0].x), static_cast<uint32_t>(r.dstOffsets[0].y)),
                   to_plane.pitch_bytes},
                  static_cast<uint32_t>(r.dstOffsets[1].x - r.dstOffsets[0].x) * b.unit_bytes,
                  static_cast<uint32_t>(r.dstOffsets[1].y - r.dstOffsets[0].y));
        c.gfx.set_dirty(kMemory);
        continue;
      }
      TextureUnit t = byte_view(a.info.format, from_plane, texture_select(a.format));
      t.pitch_texels = from_plane.pitch_units * a.block.width;
      if (filter == VK_FILTER_LINEAR && (a.format.flags & kFilter)) {
        const uint32_t linear = F0::MAG_FILTER__LINEAR;
        t.filter0.MAG_FILTER(linear).MIN_FILTER(linear);
      }
      MetaDraw d;
      d.color_format = &b.format;
      d.color = to_plane;
      d.texture = &t;
      // Offsets in either order: the rectangle is drawn the right way round and the coordinates follow.
      const auto sorted = [](int32_t d0, int32_t d1, int32_t s0, int32_t s1, float size, float& p0, float& p1, float& c0, float& c1) {
        if (d0 > d1) {
          std::swap(d0, d1);
          std::swap(s0, s1);
        }
        p0 = static_cast<float>(d0), p1 = static_cast<float>(d1);
        c0 = static_cast<float>(s0) / size, c1 = static_cast<float>(s1) / size;
      };
      MetaRect m;
      sorted(r.dstOffsets[0].x, r.dstOffsets[1].x, r.srcOffsets[0].x, r.srcOffsets[1].x, static_cast<float>(e.width), m.x0, m.x1, m.s0,
             m.s1);
      sorted(r.dstOffsets[0].y, r.dstOffsets[1].y, r.srcOffsets[0].y, r.srcOffsets[1].y, static_cast<float>(e.height), m.y0, m.y1, m.t0,
             m.t1);
      radeon(c.device).meta->draw(c, d, {&m, 1});
    }
  }
}

}  // namespace pumice::icd
