// SPDX-License-Identifier: MIT
/// Render passes and clears. Clears of attachments are rectangles drawn with a constant; vkCmdClearColorImage fills memory by the
/// 2D engine with the packed pixel, so that it works for every format.
#include <algorithm>
#include <bit>
#include <cstring>

#include "icd/copy_region.h"
#include "icd/meta.h"
#include "icd/transfer_2d.h"

namespace pumice::icd {
namespace {

MetaRect rect_of(const VkRect2D& r, float z = 0) {
  MetaRect m;
  m.x0 = static_cast<float>(r.offset.x);
  m.y0 = static_cast<float>(r.offset.y);
  m.x1 = m.x0 + static_cast<float>(r.extent.width);
  m.y1 = m.y0 + static_cast<float>(r.extent.height);
  m.z = z;
  return m;
}

void clear_color(CommandBuffer& c, uint32_t slot, const VkClearColorValue& value, std::span<const VkRect2D> rects) {
  const Target& t = c.gfx.color[slot];
  if (!t.format) return;
  MetaDraw d;
  d.color_format = t.format;
  d.color_slot = slot;
  std::memcpy(d.constant.data(), value.uint32, sizeof d.constant);
  d.emit_surfaces = false;
  std::vector<MetaRect> m;
  for (const VkRect2D& r : rects) m.push_back(rect_of(r));
  radeon(c.device).meta->draw(c, d, m);
}

bool stores_depth(const GfxState& g) {
  const VkAttachmentDescription& a = g.pass->attachments[g.pass->subpasses[0].depth.attachment];
  const bool stencil = g.depth.format->flags & kStencil;
  return a.storeOp == VK_ATTACHMENT_STORE_OP_STORE || (stencil && a.stencilStoreOp == VK_ATTACHMENT_STORE_OP_STORE);
}

/// Whether the pass' only depth attachment begins with the Z mask cleared: nothing of its old contents stays. Secondary command buffers
/// set the depth surface themselves and know nothing of the Z mask. To bring several samples into memory at the end would cost what the
/// clear saved.
bool begins_fast(const GfxState& g, VkSubpassContents contents) {
  if (g.pass->subpasses.size() != 1 || contents != VK_SUBPASS_CONTENTS_INLINE) return false;
  const VkAttachmentReference& ref = g.pass->subpasses[0].depth;
  if (!g.depth.format || ref.attachment >= g.clear_values.size() || !zmask_rows(g.depth.plane)) return false;
  if (!covers(g.render_area, g.depth.plane)) return false;
  const VkAttachmentDescription& a = g.pass->attachments[ref.attachment];
  if (g.depth.plane.samples > 1 && (stores_depth(g) || (a.flags & VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT))) return false;
  const bool stencil = g.depth.format->flags & kStencil;
  const VkAttachmentLoadOp stencil_op = stencil ? a.stencilLoadOp : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  if (a.loadOp == VK_ATTACHMENT_LOAD_OP_LOAD || stencil_op == VK_ATTACHMENT_LOAD_OP_LOAD) return false;
  return a.loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR || stencil_op == VK_ATTACHMENT_LOAD_OP_CLEAR;
}

/// What the Z mask holds back goes to memory when the attachment is needed after the pass.
void end_fast(CommandBuffer& c) {
  const GfxState& g = c.gfx;
  if (stores_depth(g)) {
    MetaDraw d;
    d.depth_format = g.depth.format;
    d.write_depth = d.expand_depth = true;
    d.emit_surfaces = false;
    const Plane& p = g.depth.plane;
    const MetaRect all[1] = {rect_of({{0, 0}, {p.width, p.height}})};
    radeon(c.device).meta->draw(c, d, all);
  }
  c.cs.state(regs::ZB_BW_CNTL{});
  c.gfx.fast_depth = false;
}

void clear_depth(CommandBuffer& c, VkImageAspectFlags aspects, const VkClearDepthStencilValue& value, std::span<const VkRect2D> rects) {
  const Target& t = c.gfx.depth;
  if (!t.format) return;
  const bool all_aspects =
      (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) && ((aspects & VK_IMAGE_ASPECT_STENCIL_BIT) || !(t.format->flags & kStencil));
  if (c.gfx.fast_depth && all_aspects && std::any_of(rects.begin(), rects.end(), [&](const VkRect2D& r) { return covers(r, t.plane); })) {
    emit_fast_depth_clear(c.cs, *t.format, t.plane, value);
    const uint32_t done = zmask_rows(t.plane);
    const VkRect2D rest[1] = {{{0, static_cast<int32_t>(done)}, {t.plane.width, t.plane.height - done}}};
    if (done < t.plane.height) clear_depth(c, aspects, value, rest);
    return;
  }
  MetaDraw d;
  d.depth_format = t.format;
  d.write_depth = aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
  d.write_stencil = (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) && (t.format->flags & kStencil);
  d.stencil = value.stencil;
  d.emit_surfaces = false;
  std::vector<MetaRect> m;
  for (const VkRect2D& r : rects) m.push_back(rect_of(r, value.depth));
  if (d.write_depth || d.write_stencil) radeon(c.device).meta->draw(c, d, m);
}

}  // namespace

bool covers(const VkRect2D& r, const Plane& p) {
  return r.offset.x <= 0 && r.offset.y <= 0 && r.offset.x + int64_t{r.extent.width} >= p.width &&
         r.offset.y + int64_t{r.extent.height} >= p.height;
}

void CommandBuffer::enter_subpass() {
  const Subpass& s = gfx.pass->subpasses[gfx.subpass];
  const auto target = [&](const VkAttachmentReference& ref) {
    Target t;
    if (ref.attachment == VK_ATTACHMENT_UNUSED) return t;
    t.format = find_format(gfx.pass->attachments[ref.attachment].format);
    if (gfx.framebuffer) {
      const ImageView& v = *gfx.framebuffer->attachments[ref.attachment];
      t.format = &v.format;
      t.plane = v.plane();
    }
    return t;
  };
  gfx.color = {};
  for (size_t i = 0; i < s.color.size() && i < gfx.color.size(); ++i) gfx.color[i] = target(s.color[i]);
  gfx.depth = target(s.depth);
  gfx.samples = std::max(s.samples, 1u);
  gfx.set_dirty(kTargets | kMemory);
}

void CommandBuffer::clear_on_load() {
  const Subpass& s = gfx.pass->subpasses[gfx.subpass];
  const VkRect2D area[1] = {gfx.render_area};
  bool targets = false;
  const auto begins = [&](const VkAttachmentReference& r) {
    return r.attachment != VK_ATTACHMENT_UNUSED && gfx.pass->first_use[r.attachment] == gfx.subpass &&
           r.attachment < gfx.clear_values.size();
  };
  const auto once = [&] {
    if (!targets) emit_targets(*this);
    targets = true;
  };
  if (gfx.color_mask.on) {
    once();
    emit_fast_color_clear(cs, gfx.color_mask);
  }
  for (uint32_t i = 0; i < s.color.size() && i < gfx.color.size(); ++i) {
    if (!begins(s.color[i]) || gfx.pass->attachments[s.color[i].attachment].loadOp != VK_ATTACHMENT_LOAD_OP_CLEAR) continue;
    once();
    VkRect2D rest = gfx.render_area;  // of a masked one, which was covered as a whole
    rest.extent.height -= gfx.color_mask.rows[i];
    rest.offset.y += static_cast<int32_t>(gfx.color_mask.rows[i]);
    if (rest.extent.height) clear_color(*this, i, gfx.clear_values[s.color[i].attachment].color, {&rest, 1});
  }
  if (begins(s.depth)) {
    const VkAttachmentDescription& a = gfx.pass->attachments[s.depth.attachment];
    VkImageAspectFlags aspects = 0;
    if (a.loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR) aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
    if (a.stencilLoadOp == VK_ATTACHMENT_LOAD_OP_CLEAR) aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
    if (gfx.fast_depth) aspects = aspects_of(*gfx.depth.format);  // nothing of the other is kept
    if (aspects) {
      once();
      clear_depth(*this, aspects, gfx.clear_values[s.depth.attachment].depthStencil, area);
    }
  }
}

VKAPI_ATTR void VKAPI_CALL pm_CmdBeginRenderPass(VkCommandBuffer handle, const VkRenderPassBeginInfo* info, VkSubpassContents contents) {
  auto& c = *from<CommandBuffer>(handle);
  GfxState& g = c.gfx;
  g.pass = from<RenderPass>(info->renderPass);
  g.framebuffer = from<Framebuffer>(info->framebuffer);
  g.subpass = 0;
  g.render_area = info->renderArea;
  g.clear_values.assign(info->pClearValues, info->pClearValues + info->clearValueCount);
  c.enter_subpass();
  g.fast_depth = begins_fast(g, contents);
  choose_color_masks(c.cs.chip(), g, contents);
  c.clear_on_load();
}
VKAPI_ATTR void VKAPI_CALL pm_CmdNextSubpass(VkCommandBuffer handle, VkSubpassContents contents) {
  auto& c = *from<CommandBuffer>(handle);
  c.resolve_attachments();
  c.barrier();
  ++c.gfx.subpass;
  c.enter_subpass();
  choose_color_masks(c.cs.chip(), c.gfx, contents);
  c.clear_on_load();
}
VKAPI_ATTR void VKAPI_CALL pm_CmdEndRenderPass(VkCommandBuffer handle) {
  auto& c = *from<CommandBuffer>(handle);
  if (c.gfx.fast_depth) end_fast(c);
  c.resolve_attachments();
  c.barrier();
  c.gfx.pass = nullptr;
  c.gfx.framebuffer = nullptr;
  c.gfx.color = {};
  c.gfx.depth = {};
  c.gfx.color_mask = {};
  c.gfx.set_dirty(kTargets | kMemory);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdClearAttachments(VkCommandBuffer handle, uint32_t count, const VkClearAttachment* attachments,
                                                  uint32_t rect_count, const VkClearRect* rects) {
  auto& c = *from<CommandBuffer>(handle);
  if (!c.gfx.pass) return;
  std::vector<VkRect2D> areas;
  for (uint32_t i = 0; i < rect_count; ++i) areas.push_back(rects[i].rect);
  emit_targets(c);
  const Subpass& s = c.gfx.pass->subpasses[c.gfx.subpass];
  for (uint32_t i = 0; i < count; ++i) {
    const VkClearAttachment& a = attachments[i];
    if (a.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) {
      if (a.colorAttachment < s.color.size() && a.colorAttachment < 4) clear_color(c, a.colorAttachment, a.clearValue.color, areas);
    } else {
      clear_depth(c, a.aspectMask, a.clearValue.depthStencil, areas);
    }
  }
}

VKAPI_ATTR void VKAPI_CALL pm_CmdClearColorImage(VkCommandBuffer handle, VkImage img, VkImageLayout, const VkClearColorValue* value,
                                                 uint32_t count, const VkImageSubresourceRange* ranges) {
  auto& c = *from<CommandBuffer>(handle);
  const Image& image = *from<Image>(img);
  uint8_t pixel[16];
  pack_pixel(image.format, *value, pixel);
  c.barrier();
  for_each_plane(image, count, ranges, [&](const Plane& p, VkImageAspectFlags) {
    fill_rows(c.cs, {p.address, p.pitch_bytes}, p.width * image.unit_bytes, p.height * p.samples, {pixel, image.unit_bytes});
  });
  c.gfx.set_dirty(kMemory);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdClearDepthStencilImage(VkCommandBuffer handle, VkImage img, VkImageLayout,
                                                        const VkClearDepthStencilValue* value, uint32_t count,
                                                        const VkImageSubresourceRange* ranges) {
  auto& c = *from<CommandBuffer>(handle);
  const Image& image = *from<Image>(img);
  for_each_plane(image, count, ranges, [&](const Plane& p, VkImageAspectFlags aspects) {
    MetaDraw d;
    d.depth_format = &image.format;
    d.depth = p;
    d.write_depth = aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
    d.write_stencil = (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) && (image.format.flags & kStencil);
    d.stencil = value->stencil;
    const MetaRect all[1] = {rect_of({{0, 0}, {p.width, p.height}}, value->depth)};
    if (d.write_depth || d.write_stencil) radeon(c.device).meta->draw(c, d, all);
  });
}

}  // namespace pumice::icd
