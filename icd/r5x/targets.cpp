// SPDX-License-Identifier: MIT
/// Render passes: targets of a subpass (X_CB, X_ZB), clears of attachments and resolves. Clears are fills (X_FILL_ROWS) where a pixel is
/// written as a whole, of every layer; one aspect of a combined format is a dispatch of the driver's own (meta.h).
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "icd/atoms.h"
#include "icd/r5x/command_buffer.h"
#include "icd/r5x/meta.h"
#include "icd/r5x/registers.h"
#include "icd/transfer_2d.h"

namespace pumice::icd {
namespace r5x {

Target target_of(const ImageView& v) {
  Target t;
  const Image& image = v.image;
  const bool volume = image.info.imageType == VK_IMAGE_TYPE_3D;
  t.format = &v.format;
  t.image = &image;
  t.plane = v.plane();
  t.first_layer = v.range.baseArrayLayer;
  t.layers = v.range.layerCount;
  t.layer_stride = volume ? image.layout.level[v.range.baseMipLevel].layer_bytes : image.layer_stride;
  return t;
}

void CommandBuffer::enter_subpass() {
  const Subpass& s = draw.pass->subpasses[draw.subpass];
  const auto target = [&](const VkAttachmentReference& ref) {
    Target t;
    if (ref.attachment == VK_ATTACHMENT_UNUSED) return t;
    if (ref.attachment < draw.attachments.size() && draw.attachments[ref.attachment]) return target_of(*draw.attachments[ref.attachment]);
    t.format = find_format(draw.pass->attachments[ref.attachment].format);
    return t;
  };
  draw.color = {};
  for (size_t i = 0; i < s.color.size() && i < draw.color.size(); ++i) draw.color[i] = target(s.color[i]);
  draw.depth = target(s.depth);
  draw.samples = std::max(s.samples, 1u);
  draw.dirty |= kTargetsDirty;
}

void CommandBuffer::emit_targets() {
  // A secondary recorded without its framebuffer runs with the surfaces its primary set.
  if (!draw.extent && draw.pass && draw.pass->subpasses[draw.subpass].samples) return;
  emit_barrier(cs);
  const uint32_t samples = static_cast<uint32_t>(std::countr_zero(std::max(draw.samples, 1u)));
  const uint32_t layers = draw.layers();
  for (uint32_t i = 0; i < kTargets; ++i) {
    const Target& t = draw.color[i];
    if (!t.image) {
      cs.state(xr::X_CB_BASE_HI{}, i);
      continue;
    }
    // The address is that of the first layer: X_CB_LAYERS counts from there.
    state_raw<xr::X_CB_BASE_LO>(cs, static_cast<uint32_t>(t.plane.address), i);
    cs.state(xr::X_CB_BASE_HI{}.ADDRESS(static_cast<uint32_t>(t.plane.address >> 32)).FORMAT(chip_format(*t.format)).ENABLE(1), i);
    state_raw<xr::X_CB_PITCH>(cs, t.plane.pitch_bytes, i);
    state_raw<xr::X_CB_LAYER_PITCH>(cs, static_cast<uint32_t>(t.layer_stride / xr::X_CB_LAYER_PITCH::BYTES__UNIT), i);
    cs.state(xr::X_CB_EXTENT{}.WIDTH(t.plane.width - 1).HEIGHT(t.plane.height - 1), i);
    cs.state(xr::X_CB_LAYERS{}.FIRST(0).COUNT(std::min(t.layers, layers) - 1), i);
    state_raw<xr::X_CB_SAMPLES>(cs, samples, i);
  }
  const Target& d = draw.depth;
  if (!d.image) {
    cs.state(xr::X_ZB_BASE_HI{});
    return;
  }
  state_raw<xr::X_ZB_BASE_LO>(cs, static_cast<uint32_t>(d.plane.address));
  cs.state(xr::X_ZB_BASE_HI{}.ADDRESS(static_cast<uint32_t>(d.plane.address >> 32)).FORMAT(chip_format(*d.format)).ENABLE(1));
  state_raw<xr::X_ZB_PITCH>(cs, d.plane.pitch_bytes);
  state_raw<xr::X_ZB_LAYER_PITCH>(cs, static_cast<uint32_t>(d.layer_stride / xr::X_ZB_LAYER_PITCH::BYTES__UNIT));
  state_raw<xr::X_ZB_LAYER>(cs, 0);
  cs.state(xr::X_ZB_EXTENT{}.WIDTH(d.plane.width - 1).HEIGHT(d.plane.height - 1));
}

namespace {

/// A rectangle of a target's layers.
struct Area {
  VkRect2D rect;
  uint32_t first_layer, layers;
  uint32_t views = 0;  ///< not 0: only layers of which the bit is set
};

template <class F>
void for_each_layer(const Target& t, const Area& a, F f) {
  for (uint32_t layer = a.first_layer; layer < a.first_layer + a.layers && layer < t.layers; ++layer) {
    if (a.views && !(layer < 32 && a.views >> layer & 1)) continue;
    Plane p = t.plane;
    p.address += layer * t.layer_stride;
    f(p);
  }
}

/// The rectangle, cut down to the plane; false: nothing is left.
bool cut(VkRect2D& r, const Plane& p) {
  const int64_t x0 = std::clamp<int64_t>(r.offset.x, 0, p.width),
                x1 = std::clamp<int64_t>(int64_t{r.offset.x} + r.extent.width, 0, p.width);
  const int64_t y0 = std::clamp<int64_t>(r.offset.y, 0, p.height),
                y1 = std::clamp<int64_t>(int64_t{r.offset.y} + r.extent.height, 0, p.height);
  r = {{static_cast<int32_t>(x0), static_cast<int32_t>(y0)}, {static_cast<uint32_t>(x1 - x0), static_cast<uint32_t>(y1 - y0)}};
  return x1 > x0 && y1 > y0;
}

void clear_color(CommandBuffer& c, const Target& t, const VkClearColorValue& value, const Area& area) {
  if (!t.image) return;
  uint8_t pixel[16];
  pack_pixel(*t.format, value, pixel);
  for_each_layer(t, area, [&](const Plane& p) {
    VkRect2D r = area.rect;
    if (cut(r, p)) clear_pixels(c, p, r, {pixel, layout_of(*t.format).bytes});
  });
}

void clear_depth(CommandBuffer& c, const Target& t, VkImageAspectFlags aspects, const VkClearDepthStencilValue& value, const Area& area) {
  if (!t.image) return;
  for_each_layer(t, area, [&](const Plane& p) {
    VkRect2D r = area.rect;
    if (cut(r, p)) clear_depth_pixels(c, *t.format, p, r, aspects & aspects_of(*t.format), value);
  });
}

}  // namespace

void CommandBuffer::clear_on_load() {
  const Subpass& s = draw.pass->subpasses[draw.subpass];
  const auto area = [&](const VkAttachmentReference& r) {
    return Area{draw.render_area, 0, draw.layers(), s.view_mask ? draw.pass->first_views(r.attachment, draw.subpass) : 0};
  };
  const auto begins = [&](const VkAttachmentReference& r) {
    if (r.attachment == VK_ATTACHMENT_UNUSED || r.attachment >= draw.clear_values.size()) return false;
    return s.view_mask ? draw.pass->first_views(r.attachment, draw.subpass) != 0 : draw.pass->first_use[r.attachment] == draw.subpass;
  };
  bool any = false;
  const auto once = [&] {
    if (!any) barrier();
    any = true;
  };
  for (uint32_t i = 0; i < s.color.size() && i < draw.color.size(); ++i) {
    if (!begins(s.color[i]) || draw.pass->attachments[s.color[i].attachment].loadOp != VK_ATTACHMENT_LOAD_OP_CLEAR) continue;
    once();
    clear_color(*this, draw.color[i], draw.clear_values[s.color[i].attachment].color, area(s.color[i]));
  }
  if (begins(s.depth)) {
    const VkAttachmentDescription& a = draw.pass->attachments[s.depth.attachment];
    const auto with = [&](VkAttachmentLoadOp op) {
      VkImageAspectFlags out = 0;
      if (a.loadOp == op) out |= VK_IMAGE_ASPECT_DEPTH_BIT;
      if (a.stencilLoadOp == op) out |= VK_IMAGE_ASPECT_STENCIL_BIT;
      return out;
    };
    const VkImageAspectFlags aspects = draw.depth.image ? with(VK_ATTACHMENT_LOAD_OP_CLEAR) & aspects_of(*draw.depth.format) : 0;
    if (aspects) {
      once();
      // What need not be kept is cleared along: whole pixels are filled, single aspects merged by a dispatch.
      clear_depth(*this, draw.depth, aspects | with(VK_ATTACHMENT_LOAD_OP_DONT_CARE), draw.clear_values[s.depth.attachment].depthStencil,
                  area(s.depth));
    }
  }
  if (any) barrier();
}

void CommandBuffer::resolve_attachments() {
  const Subpass& s = draw.pass->subpasses[draw.subpass];
  if (!draw.extent) return;
  for (size_t i = 0; i < s.resolve.size() && i < draw.color.size(); ++i) {
    if (s.resolve[i].attachment == VK_ATTACHMENT_UNUSED || !draw.color[i].image) continue;
    const Target to = target_of(*draw.attachments[s.resolve[i].attachment]);
    for (uint32_t layer = 0; layer < std::min({draw.layers(), to.layers, draw.color[i].layers}); ++layer) {
      if (s.view_mask && !(s.view_mask >> layer & 1)) continue;
      Plane a = draw.color[i].plane, b = to.plane;
      a.address += layer * draw.color[i].layer_stride;
      b.address += layer * to.layer_stride;
      barrier();
      resolve_pixels(*this, *draw.color[i].format, a, b, draw.render_area, draw.render_area.offset);
    }
  }
  if (s.depth_resolve.attachment == VK_ATTACHMENT_UNUSED || !draw.depth.image) return;
  const Target to = target_of(*draw.attachments[s.depth_resolve.attachment]);
  for (uint32_t layer = 0; layer < std::min({draw.layers(), to.layers, draw.depth.layers}); ++layer) {
    if (s.view_mask && !(s.view_mask >> layer & 1)) continue;
    Plane a = draw.depth.plane, b = to.plane;
    a.address += layer * draw.depth.layer_stride;
    b.address += layer * to.layer_stride;
    barrier();
    take_first_sample(*this, *draw.depth.format, *to.format, a, b, draw.render_area, s.resolved_aspects);
  }
}

/// What the pass clears and does not store is of no use behind it: where the chip has all that draws to a target in one batch, none of it
/// comes to memory (hw/radeon/fast/draw). Of colour only samples that are resolved: programs that read what they did not store are not
/// rare.
void CommandBuffer::fill_unstored_targets() {
  const Subpass& s = draw.pass->subpasses[draw.subpass];
  if (!draw.extent || s.view_mask) return;
  const auto attachment = [&](const Target& t, const VkAttachmentReference& r) -> const VkAttachmentDescription* {
    if (!t.image || r.attachment >= draw.clear_values.size() || t.layers != 1) return nullptr;
    const VkRect2D& area = draw.render_area;
    const bool whole = area.offset.x <= 0 && area.offset.y <= 0 && int64_t{area.offset.x} + area.extent.width >= t.plane.width &&
                       int64_t{area.offset.y} + area.extent.height >= t.plane.height;
    const VkAttachmentDescription& a = draw.pass->attachments[r.attachment];
    return whole && !(a.flags & VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT) ? &a : nullptr;
  };
  bool any = false;
  const auto fill = [&](const Target& t, std::span<const uint8_t> pixel) {
    if (!std::exchange(any, true)) barrier();
    fill_unstored(cs, t.plane, pixel);
  };
  for (size_t i = 0; i < s.color.size() && i < draw.color.size(); ++i) {
    const Target& t = draw.color[i];
    const VkAttachmentDescription* const a = attachment(t, s.color[i]);
    if (!a || i >= s.resolve.size() || s.resolve[i].attachment == VK_ATTACHMENT_UNUSED) continue;
    if (a->loadOp != VK_ATTACHMENT_LOAD_OP_CLEAR || a->storeOp != VK_ATTACHMENT_STORE_OP_DONT_CARE) continue;
    uint8_t pixel[16];
    pack_pixel(*t.format, draw.clear_values[s.color[i].attachment].color, pixel);
    fill(t, {pixel, layout_of(*t.format).bytes});
  }
  const Target& t = draw.depth;
  const VkAttachmentDescription* const a = attachment(t, s.depth);
  if (!a || s.depth_resolve.attachment != VK_ATTACHMENT_UNUSED) return;
  VkImageAspectFlags cleared = 0, unstored = 0;
  const auto add = [&](VkImageAspectFlags aspect, VkAttachmentLoadOp load, VkAttachmentStoreOp store) {
    if (load == VK_ATTACHMENT_LOAD_OP_CLEAR) cleared |= aspect;
    if (load != VK_ATTACHMENT_LOAD_OP_LOAD && store == VK_ATTACHMENT_STORE_OP_DONT_CARE) unstored |= aspect;
  };
  add(VK_IMAGE_ASPECT_DEPTH_BIT, a->loadOp, a->storeOp);
  add(VK_IMAGE_ASPECT_STENCIL_BIT, a->stencilLoadOp, a->stencilStoreOp);
  const VkImageAspectFlags all = aspects_of(*t.format);
  if (!(cleared & all) || (unstored & all) != all) return;
  fill(t, {depth_pixel(*t.format, draw.clear_values[s.depth.attachment].depthStencil).data(), layout_of(*t.format).bytes});
}

void CommandBuffer::begin_pass(const VkRenderPassBeginInfo& info) {
  draw.pass = from<RenderPass>(info.renderPass);
  const Framebuffer& f = *from<Framebuffer>(info.framebuffer);
  draw.extent = {f.width, f.height, f.layers};
  draw.attachments.assign(f.attachments.begin(), f.attachments.end());
  if (const auto* own = find_next<VkRenderPassAttachmentBeginInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO_KHR);
      own && own->attachmentCount) {
    draw.attachments.clear();
    for (uint32_t i = 0; i < own->attachmentCount; ++i) draw.attachments.push_back(from<ImageView>(own->pAttachments[i]));
  }
  draw.subpass = 0;
  draw.render_area = info.renderArea;
  draw.clear_values.assign(info.pClearValues, info.pClearValues + info.clearValueCount);
  enter_subpass();
  clear_on_load();
}

void CommandBuffer::next_subpass() {
  resolve_attachments();
  barrier();
  ++draw.subpass;
  enter_subpass();
  clear_on_load();
}

void CommandBuffer::end_pass() {
  resolve_attachments();
  fill_unstored_targets();
  barrier();
  draw.pass = nullptr;
  draw.extent.reset();
  draw.attachments.clear();
  draw.color = {};
  draw.depth = {};
  draw.dirty |= kTargetsDirty;
}

void CommandBuffer::clear_attachments(std::span<const VkClearAttachment> attachments, std::span<const VkClearRect> rects) {
  if (!draw.pass) return;
  if (!draw.extent) {
    cs.close();
    open_clears.push_back({cs.steps().size(), {attachments.begin(), attachments.end()}, {rects.begin(), rects.end()}, conditional});
    return forget_state();
  }
  barrier();
  clears_attachments = true;
  for (const VkClearAttachment& a : attachments)
    for (const VkClearRect& r : rects) {
      // With multiview: the layers of all views.
      const uint32_t views = draw.view_mask();
      const Area area = views ? Area{r.rect, 0, draw.layers(), views} : Area{r.rect, r.baseArrayLayer, r.layerCount};
      if (a.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) {
        if (a.colorAttachment < draw.color.size()) clear_color(*this, draw.color[a.colorAttachment], a.clearValue.color, area);
      } else {
        clear_depth(*this, draw.depth, a.aspectMask, a.clearValue.depthStencil, area);
      }
    }
  clears_attachments = false;
  barrier();
}

}  // namespace r5x

using namespace r5x;

VKAPI_ATTR void VKAPI_CALL r5x_CmdBeginRenderPass(VkCommandBuffer c, const VkRenderPassBeginInfo* info, VkSubpassContents) {
  from<r5x::CommandBuffer>(c)->begin_pass(*info);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdNextSubpass(VkCommandBuffer c, VkSubpassContents) { from<r5x::CommandBuffer>(c)->next_subpass(); }
VKAPI_ATTR void VKAPI_CALL r5x_CmdEndRenderPass(VkCommandBuffer c) { from<r5x::CommandBuffer>(c)->end_pass(); }
VKAPI_ATTR void VKAPI_CALL r5x_CmdBeginRenderPass2(VkCommandBuffer c, const VkRenderPassBeginInfo* info, const VkSubpassBeginInfoKHR*) {
  from<r5x::CommandBuffer>(c)->begin_pass(*info);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdNextSubpass2(VkCommandBuffer c, const VkSubpassBeginInfoKHR*, const VkSubpassEndInfoKHR*) {
  from<r5x::CommandBuffer>(c)->next_subpass();
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdEndRenderPass2(VkCommandBuffer c, const VkSubpassEndInfoKHR*) { from<r5x::CommandBuffer>(c)->end_pass(); }

VKAPI_ATTR void VKAPI_CALL r5x_CmdClearAttachments(VkCommandBuffer handle, uint32_t count, const VkClearAttachment* attachments,
                                                   uint32_t rect_count, const VkClearRect* rects) {
  from<r5x::CommandBuffer>(handle)->clear_attachments({attachments, count}, {rects, rect_count});
}

}  // namespace pumice::icd
