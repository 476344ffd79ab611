// SPDX-License-Identifier: MIT
/// Resolves: RB3D averages the samples of target 0 into the resolve surface, for the pixels of a drawn rectangle (pipeline s.9.4). Both
/// surfaces have the same coordinates, so regions whose offsets differ are reached by moved addresses, which are multiples of 32 bytes.
#include <algorithm>

#include "icd/copy_region.h"
#include "icd/meta.h"
#include "icd/transfer_2d.h"

namespace pumice::icd {
namespace {

struct Offset {
  uint32_t x, y;
};

/// Pixels (x.., 0..) of both surfaces.
void draw_resolve(CommandBuffer& c, const FormatInfo& format, const Plane& from, const Plane& to, Offset at, uint32_t width,
                  uint32_t height, MetaDraw d = {}) {
  d.color_format = &format;
  d.color = from;
  d.resolve = &to;
  MetaRect r;
  r.x0 = static_cast<float>(at.x), r.x1 = static_cast<float>(at.x + width);
  r.y0 = static_cast<float>(at.y), r.y1 = static_cast<float>(at.y + height);
  radeon(c.device).meta->draw(c, d, {&r, 1});
}

void resolve_region(CommandBuffer& c, const Image& image, Plane from, Offset from_at, Plane to, Offset to_at, uint32_t width,
                    uint32_t height) {
  const uint32_t bytes = image.unit_bytes, step = std::max(1u, 32 / bytes);
  const uint32_t x = from_at.x % step;
  from.address += uint64_t{from_at.y} * from.row_bytes() + (from_at.x - x) * bytes;
  if (to_at.x % step == x) {
    to.address += uint64_t{to_at.y} * to.row_bytes() + (to_at.x - x) * bytes;
    return draw_resolve(c, image.format, from, to, {x, 0}, width, height);
  }
  // No address brings both together: once more by the 2D engine.
  Plane between = to;
  between.pitch_bytes = ((x + width) * bytes + 31) / 32 * 32;
  between.pitch_units = between.pitch_bytes / bytes;
  between.address = c.cs.data(uint64_t{between.pitch_bytes} * height).address;
  draw_resolve(c, image.format, from, between, {x, 0}, width, height);
  copy_rows(c.cs, {between.address + x * bytes, between.pitch_bytes},
            {to.address + uint64_t{to_at.y} * to.row_bytes() + to_at.x * bytes, to.pitch_bytes}, width * bytes, height);
}

}  // namespace

void CommandBuffer::resolve_attachments() {
  const Subpass& s = gfx.pass->subpasses[gfx.subpass];
  if (!gfx.framebuffer) return;
  const VkRect2D& area = gfx.render_area;
  for (size_t i = 0; i < s.resolve.size() && i < gfx.color.size(); ++i) {
    if (s.resolve[i].attachment == VK_ATTACHMENT_UNUSED || !gfx.color[i].format) continue;
    const Plane to = gfx.framebuffer->attachments[s.resolve[i].attachment]->plane();
    MetaDraw mask;
    mask.color_masked = gfx.color_mask.on;
    mask.mask_first = gfx.color_mask.first[i];
    draw_resolve(*this, *gfx.color[i].format, gfx.color[i].plane, to,
                 {static_cast<uint32_t>(area.offset.x), static_cast<uint32_t>(area.offset.y)}, area.extent.width, area.extent.height, mask);
  }
}

VKAPI_ATTR void VKAPI_CALL pm_CmdResolveImage(VkCommandBuffer handle, VkImage src, VkImageLayout, VkImage dst, VkImageLayout,
                                              uint32_t count, const VkImageResolve* regions) {
  auto& c = *from<CommandBuffer>(handle);
  const Image &a = *from<Image>(src), &b = *from<Image>(dst);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageResolve& r = regions[i];
    const VkImageCopy planes{r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent};
    for_each_image_plane(a, b, planes, [&](const Plane& from_plane, const Plane& to_plane) {
      resolve_region(c, a, from_plane, {static_cast<uint32_t>(r.srcOffset.x), static_cast<uint32_t>(r.srcOffset.y)}, to_plane,
                     {static_cast<uint32_t>(r.dstOffset.x), static_cast<uint32_t>(r.dstOffset.y)}, r.extent.width, r.extent.height);
    });
  }
  c.gfx.set_dirty(kMemory);
}

}  // namespace pumice::icd
