// SPDX-License-Identifier: MIT
/// Transfers of bytes by the 2D engine. One aspect of a format that interleaves depth and stencil, blits and resolves are dispatches
/// (meta.h).
#include <algorithm>
#include <cstring>

#include "icd/copy_region.h"
#include "icd/r5x/meta.h"
#include "icd/transfer_2d.h"

namespace pumice::icd {

using namespace r5x;

namespace {

Elements2D aspect_of(const Plane& p, const AspectPlace& a, uint32_t x, uint32_t y) {
  return {p.address + uint64_t{y} * p.row_bytes() + x * a.step + a.offset, p.pitch_bytes, a.step};
}

void buffer_image(CommandBuffer& c, const Buffer& buffer, const Image& image, uint32_t count, const VkBufferImageCopy* regions,
                  bool to_image) {
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) {
    const VkBufferImageCopy& r = regions[i];
    const AspectPlace place =
        is_depth_stencil(image.format) ? place_of(image.format, r.imageSubresource.aspectMask) : AspectPlace{0, 0, 0, 0, 0, true};
    const BufferRows b = buffer_rows(image, r, place.whole_pixel ? image.unit_bytes : place.bytes);
    const auto x = static_cast<uint32_t>(r.imageOffset.x), y = static_cast<uint32_t>(r.imageOffset.y);
    const uint32_t w = r.imageExtent.width, h = r.imageExtent.height;
    for_each_buffer_plane(buffer, image, r, b, [&](const Plane& p, hw::GpuAddress in_buffer) {
      if (place.whole_pixel) {
        const Rows at_image{texel_address(image, p, x, y), p.pitch_bytes}, at_buffer{in_buffer, b.pitch};
        return to_image ? move_rows(c.cs, at_buffer, at_image, b.row_bytes, b.rows)
                        : move_rows(c.cs, at_image, at_buffer, b.row_bytes, b.rows);
      }
      const Elements2D at_image = aspect_of(p, place, x, y), at_buffer{in_buffer, b.pitch, place.bytes};
      if (place.bytes == 1)
        to_image ? move_bytes(c, at_buffer, at_image, w, h) : move_bytes(c, at_image, at_buffer, w, h);
      else
        to_image ? move_dwords(c, at_buffer, at_image, w, h, place.keep, place.shift)
                 : move_dwords(c, at_image, at_buffer, w, h, 0, -place.shift);
    });
  }
}

/// Coordinates of one axis of a blit: the first texel written, how many, and where the lookups begin and advance, in texels.
struct Axis {
  int32_t first;
  uint32_t count;
  float origin, step;
};
Axis axis_of(int32_t d0, int32_t d1, int32_t s0, int32_t s1) {
  const int32_t first = std::min(d0, d1);
  const float step = static_cast<float>(s1 - s0) / static_cast<float>(d1 - d0);
  return {first, static_cast<uint32_t>(std::abs(d1 - d0)), static_cast<float>(s0) + (static_cast<float>(first - d0) + 0.5f) * step, step};
}

/// The format as which the texels of a depth or stencil blit are copied: plain bits, since such a blit does not convert.
VkFormat bits_format(const FormatInfo& f) {
  switch (layout_of(f).bytes) {
    case 1: return VK_FORMAT_R8_UINT;
    case 2: return VK_FORMAT_R16_UINT;
    case 4: return VK_FORMAT_R32_UINT;
    default: return VK_FORMAT_R32G32_UINT;
  }
}

std::array<uint32_t, 2> kept_bits(const FormatInfo& f, VkImageAspectFlags aspects) {
  if (aspects == aspects_of(f)) return {0, 0};
  const bool stencil = aspects == VK_IMAGE_ASPECT_STENCIL_BIT;
  if (f.format == VK_FORMAT_D32_SFLOAT_S8_UINT) return stencil ? std::array<uint32_t, 2>{~0u, 0} : std::array<uint32_t, 2>{0, ~0u};
  return {stencil ? 0xFFFFFF00u : 0xFFu, 0};
}

/// How X_SCALE makes texels of one format from those of another one, if it does.
struct Scaling {
  bool possible = false, swap = false;
};
Scaling scaling_of(const FormatInfo& from, const FormatInfo& to, VkFilter filter) {
  enum Kind { other, unorm, srgb };
  struct Bytes {
    Kind kind;
    bool blue_first;
  };
  const auto bytes_of = [](VkFormat f) -> Bytes {
    switch (f) {
      case VK_FORMAT_R8G8B8A8_UNORM:
      case VK_FORMAT_A8B8G8R8_UNORM_PACK32: return {unorm, false};
      case VK_FORMAT_B8G8R8A8_UNORM: return {unorm, true};
      case VK_FORMAT_R8G8B8A8_SRGB:
      case VK_FORMAT_A8B8G8R8_SRGB_PACK32: return {srgb, false};
      case VK_FORMAT_B8G8R8A8_SRGB: return {srgb, true};
      default: return {other, false};
    }
  };
  const Bytes a = bytes_of(from.format), b = bytes_of(to.format);
  if (filter == VK_FILTER_LINEAR) return {a.kind == unorm && b.kind == unorm, a.blue_first != b.blue_first};
  if (from.format == to.format) return {layout_of(from).bytes == 4, false};
  return {a.kind != other && a.kind == b.kind, a.blue_first != b.blue_first};
}

void copy_image(CommandBuffer& c, const Image& a, const Image& b, const VkImageCopy& r) {
  const VkImageAspectFlags aspects = r.srcSubresource.aspectMask;
  const uint32_t row = (r.extent.width + a.block.width - 1) / a.block.width * a.unit_bytes,
                 rows = (r.extent.height + a.block.height - 1) / a.block.height * a.info.samples;
  const auto sx = static_cast<uint32_t>(r.srcOffset.x), sy = static_cast<uint32_t>(r.srcOffset.y);
  const auto dx = static_cast<uint32_t>(r.dstOffset.x), dy = static_cast<uint32_t>(r.dstOffset.y);
  for_each_image_plane(a, b, r, [&](const Plane& from_plane, const Plane& to_plane) {
    if (!is_depth_stencil(a.format) || aspects == aspects_of(a.format))
      return move_rows(c.cs, {texel_address(a, from_plane, sx, sy), from_plane.pitch_bytes},
                       {texel_address(b, to_plane, dx, dy), to_plane.pitch_bytes}, row, rows);
    const AspectPlace place = place_of(a.format, aspects);
    const Elements2D from = aspect_of(from_plane, place, sx, sy), to = aspect_of(to_plane, place, dx, dy);
    if (place.bytes == 1)
      move_bytes(c, from, to, r.extent.width, rows);
    else
      move_dwords(c, from, to, r.extent.width, rows, place.keep, 0);
  });
}

/// A blit that neither scales nor mirrors nor converts is a copy, with either filter.
bool is_copy(const Image& a, const Image& b, const VkImageBlit& r) {
  const auto same = [&](int32_t VkOffset3D::*at) {
    const int32_t size = r.dstOffsets[1].*at - r.dstOffsets[0].*at;
    return size > 0 && r.srcOffsets[1].*at - r.srcOffsets[0].*at == size;
  };
  return a.info.format == b.info.format && a.block.width == 1 && same(&VkOffset3D::x) && same(&VkOffset3D::y) && same(&VkOffset3D::z);
}

void blit_region(CommandBuffer& c, const Image& a, const Image& b, const VkImageBlit& r, VkFilter filter) {
  if (is_copy(a, b, r)) {
    const auto size = [&](int32_t VkOffset3D::*at) { return static_cast<uint32_t>(r.dstOffsets[1].*at - r.dstOffsets[0].*at); };
    return copy_image(c, a, b,
                      {r.srcSubresource,
                       r.srcOffsets[0],
                       r.dstSubresource,
                       r.dstOffsets[0],
                       {size(&VkOffset3D::x), size(&VkOffset3D::y), size(&VkOffset3D::z)}});
  }
  const Axis x = axis_of(r.dstOffsets[0].x, r.dstOffsets[1].x, r.srcOffsets[0].x, r.srcOffsets[1].x);
  const Axis y = axis_of(r.dstOffsets[0].y, r.dstOffsets[1].y, r.srcOffsets[0].y, r.srcOffsets[1].y);
  const Axis z = axis_of(r.dstOffsets[0].z, r.dstOffsets[1].z, r.srcOffsets[0].z, r.srcOffsets[1].z);
  const bool from_volume = a.info.imageType == VK_IMAGE_TYPE_3D, to_volume = b.info.imageType == VK_IMAGE_TYPE_3D;
  const bool depth = is_depth_stencil(a.format);
  const VkExtent3D e = a.extent(r.srcSubresource.mipLevel);
  const VkRect2D rect{{x.first, y.first}, {x.count, y.count}};
  const VkFilter how = depth ? VK_FILTER_NEAREST : filter;
  const bool whole = !depth || r.dstSubresource.aspectMask == aspects_of(b.format);
  const Scaling scaling = whole && !from_volume ? scaling_of(a.format, b.format, how) : Scaling{};
  const uint32_t planes = to_volume ? z.count : r.dstSubresource.layerCount;
  for (uint32_t i = 0; i < planes; ++i) {
    const Plane to = b.plane(r.dstSubresource.mipLevel, to_volume ? 0 : r.dstSubresource.baseArrayLayer + i,
                             to_volume ? static_cast<uint32_t>(z.first) + i : 0);
    const Plane from = a.plane(r.srcSubresource.mipLevel, from_volume ? 0 : r.srcSubresource.baseArrayLayer + i, 0);
    if (scaling.possible && scale_plane(c, {from, to, rect, x.origin, x.step, y.origin, y.step, how == VK_FILTER_LINEAR, scaling.swap}))
      continue;
    MetaBlit m;
    m.linear = how == VK_FILTER_LINEAR;
    m.to_format = depth ? find_format(bits_format(b.format)) : &b.format;
    m.numeric = depth ? Numeric::uint : a.format.numeric;
    m.from = plane_words(from, depth ? bits_format(a.format) : a.format.format);
    if (depth) m.keep = kept_bits(b.format, r.dstSubresource.aspectMask);
    if (from_volume) {
      m.volume = true;
      m.from[1] = (m.from[1] & ~(7u << 24)) | 2u << 24;
      m.from[3] = e.depth - 1;
    }
    m.to = to;
    m.rect = rect;
    m.origin = {x.origin / static_cast<float>(e.width), y.origin / static_cast<float>(e.height),
                (z.origin + static_cast<float>(i) * z.step) / static_cast<float>(e.depth), 0};
    m.step = {x.step / static_cast<float>(e.width), y.step / static_cast<float>(e.height), 0, 0};
    blit_plane(c, m);
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyBuffer(VkCommandBuffer handle, VkBuffer src, VkBuffer dst, uint32_t count,
                                             const VkBufferCopy* regions) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i)
    copy_bytes(c.cs, from<Buffer>(src)->address + regions[i].srcOffset, from<Buffer>(dst)->address + regions[i].dstOffset, regions[i].size);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdUpdateBuffer(VkCommandBuffer handle, VkBuffer dst, VkDeviceSize offset, VkDeviceSize size,
                                               const void* data) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  const Cs::Data d = c.cs.data(size);
  std::memcpy(d.host, data, size);
  c.cs.copy(d.address, from<Buffer>(dst)->address + offset, size);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdFillBuffer(VkCommandBuffer handle, VkBuffer dst, VkDeviceSize offset, VkDeviceSize size, uint32_t value) {
  auto& c = *from<CommandBuffer>(handle);
  const Buffer& b = *from<Buffer>(dst);
  const uint64_t left = b.bytes(offset, size) & ~uint64_t{3};
  if (!left) return;
  c.barrier();
  fill_bytes(c.cs, b.address + offset, left, value);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyImage(VkCommandBuffer handle, VkImage src, VkImageLayout, VkImage dst, VkImageLayout, uint32_t count,
                                            const VkImageCopy* regions) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) copy_image(c, *from<Image>(src), *from<Image>(dst), regions[i]);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyBufferToImage(VkCommandBuffer handle, VkBuffer src, VkImage dst, VkImageLayout, uint32_t count,
                                                    const VkBufferImageCopy* regions) {
  buffer_image(*from<CommandBuffer>(handle), *from<Buffer>(src), *from<Image>(dst), count, regions, true);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyImageToBuffer(VkCommandBuffer handle, VkImage src, VkImageLayout, VkBuffer dst, uint32_t count,
                                                    const VkBufferImageCopy* regions) {
  buffer_image(*from<CommandBuffer>(handle), *from<Buffer>(dst), *from<Image>(src), count, regions, false);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdBlitImage(VkCommandBuffer handle, VkImage src, VkImageLayout, VkImage dst, VkImageLayout, uint32_t count,
                                            const VkImageBlit* regions, VkFilter filter) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) blit_region(c, *from<Image>(src), *from<Image>(dst), regions[i], filter);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdResolveImage(VkCommandBuffer handle, VkImage src, VkImageLayout, VkImage dst, VkImageLayout,
                                               uint32_t count, const VkImageResolve* regions) {
  auto& c = *from<CommandBuffer>(handle);
  const Image &a = *from<Image>(src), &b = *from<Image>(dst);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageResolve& r = regions[i];
    const VkImageCopy planes{r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent};
    for_each_image_plane(a, b, planes, [&](const Plane& from_plane, const Plane& to_plane) {
      resolve_pixels(c, a.format, b.format, from_plane, to_plane, {{r.srcOffset.x, r.srcOffset.y}, {r.extent.width, r.extent.height}},
                     {r.dstOffset.x, r.dstOffset.y});
    });
  }
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdClearColorImage(VkCommandBuffer handle, VkImage img, VkImageLayout, const VkClearColorValue* value,
                                                  uint32_t count, const VkImageSubresourceRange* ranges) {
  auto& c = *from<CommandBuffer>(handle);
  const Image& image = *from<Image>(img);
  uint8_t pixel[16];
  pack_pixel(image.format, *value, pixel);
  c.barrier();
  for_each_plane(image, count, ranges, [&](const Plane& p, VkImageAspectFlags) {
    fill_pixels(c.cs, p, {{0, 0}, {p.width, p.height}}, {pixel, image.unit_bytes});
  });
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdClearDepthStencilImage(VkCommandBuffer handle, VkImage img, VkImageLayout,
                                                         const VkClearDepthStencilValue* value, uint32_t count,
                                                         const VkImageSubresourceRange* ranges) {
  auto& c = *from<CommandBuffer>(handle);
  const Image& image = *from<Image>(img);
  c.barrier();
  for_each_plane(image, count, ranges, [&](const Plane& p, VkImageAspectFlags aspects) {
    clear_depth_pixels(c, image.format, p, {{0, 0}, {p.width, p.height}}, aspects & aspects_of(image.format), *value);
  });
}

}  // namespace pumice::icd
