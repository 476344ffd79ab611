// SPDX-License-Identifier: MIT
/// See rendering.h.
#include "icd/r5x/rendering.h"

#include "icd/r5x/command_buffer.h"

namespace pumice::icd {
namespace r5x {
namespace {

constexpr VkAttachmentReference kUnused{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};

/// Attachments of the one subpass, in the order in which they are added.
struct Attachments {
  std::vector<VkAttachmentDescription> list;
  std::vector<const ImageView*> views;
  std::vector<VkClearValue> clear_values;

  VkAttachmentReference add(VkFormat format, VkSampleCountFlagBits samples, const ImageView* view = nullptr,
                            VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD, VkAttachmentLoadOp stencil = VK_ATTACHMENT_LOAD_OP_LOAD,
                            VkClearValue clear = {}) {
    VkAttachmentDescription d{};
    d.format = format, d.samples = samples, d.loadOp = load, d.stencilLoadOp = stencil;
    list.push_back(d);
    views.push_back(view);
    clear_values.push_back(clear);
    return {static_cast<uint32_t>(list.size() - 1), VK_IMAGE_LAYOUT_GENERAL};
  }
  VkAttachmentReference add(const ImageView& view, VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD,
                            VkAttachmentLoadOp stencil = VK_ATTACHMENT_LOAD_OP_LOAD, VkClearValue clear = {}) {
    return add(view.format.format, view.image.info.samples, &view, load, stencil, clear);
  }
  std::unique_ptr<RenderPass> pass(Device& device, const VkSubpassDescription& s, uint32_t view_mask) const {
    VkRenderPassMultiviewCreateInfo multiview{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
    multiview.subpassCount = 1, multiview.pViewMasks = &view_mask;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, &multiview};
    info.attachmentCount = static_cast<uint32_t>(list.size()), info.pAttachments = list.data();
    info.subpassCount = 1, info.pSubpasses = &s;
    return std::make_unique<RenderPass>(device, info);
  }
};

const ImageView* view_of(const VkRenderingAttachmentInfo* a) { return a ? from<ImageView>(a->imageView) : nullptr; }

}  // namespace

Rendering make_rendering(Device& device, const VkRenderingInfo& info) {
  const bool resumes = info.flags & VK_RENDERING_RESUMING_BIT, suspends = info.flags & VK_RENDERING_SUSPENDING_BIT;
  const auto load = [&](const VkRenderingAttachmentInfo* a) { return a && !resumes ? a->loadOp : VK_ATTACHMENT_LOAD_OP_LOAD; };
  const auto resolved = [&](const VkRenderingAttachmentInfo* a) {
    return a && a->resolveMode != VK_RESOLVE_MODE_NONE && !suspends ? from<ImageView>(a->resolveImageView) : nullptr;
  };
  Attachments all;
  std::vector<VkAttachmentReference> color, resolve;
  for (uint32_t i = 0; i < info.colorAttachmentCount; ++i) {
    const VkRenderingAttachmentInfo& a = info.pColorAttachments[i];
    const ImageView *view = view_of(&a), *to = view ? resolved(&a) : nullptr;
    color.push_back(view ? all.add(*view, load(&a), VK_ATTACHMENT_LOAD_OP_LOAD, a.clearValue) : kUnused);
    resolve.push_back(to ? all.add(*to) : kUnused);
  }
  // Depth and stencil have the same view where both are there.
  const VkRenderingAttachmentInfo *depth = view_of(info.pDepthAttachment) ? info.pDepthAttachment : nullptr,
                                  *stencil = view_of(info.pStencilAttachment) ? info.pStencilAttachment : nullptr;
  VkAttachmentReference both = kUnused, resolved_both = kUnused;
  if (depth || stencil) {
    VkClearValue clear{};
    if (depth) clear.depthStencil.depth = depth->clearValue.depthStencil.depth;
    if (stencil) clear.depthStencil.stencil = stencil->clearValue.depthStencil.stencil;
    both = all.add(*view_of(depth ? depth : stencil), load(depth), load(stencil), clear);
    if (const ImageView* to = resolved(depth) ? resolved(depth) : resolved(stencil)) resolved_both = all.add(*to);
  }
  VkSubpassDescription s{};
  s.colorAttachmentCount = static_cast<uint32_t>(color.size());
  s.pColorAttachments = color.data(), s.pResolveAttachments = resolve.data(), s.pDepthStencilAttachment = &both;
  Rendering r;
  r.pass = all.pass(device, s, info.viewMask);
  r.pass->subpasses[0].depth_resolve = resolved_both;
  VkFramebufferCreateInfo f{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  f.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  f.width = static_cast<uint32_t>(info.renderArea.offset.x) + info.renderArea.extent.width;
  f.height = static_cast<uint32_t>(info.renderArea.offset.y) + info.renderArea.extent.height;
  f.layers = info.viewMask ? 1 : info.layerCount;
  r.framebuffer = std::make_unique<Framebuffer>(device, f);
  r.views = std::move(all.views);
  r.clear_values = std::move(all.clear_values);
  return r;
}

Rendering make_rendering(Device& device, const VkCommandBufferInheritanceRenderingInfo& info) {
  Attachments all;
  std::vector<VkAttachmentReference> color;
  for (uint32_t i = 0; i < info.colorAttachmentCount; ++i)
    color.push_back(info.pColorAttachmentFormats[i] ? all.add(info.pColorAttachmentFormats[i], info.rasterizationSamples) : kUnused);
  const VkFormat format = info.depthAttachmentFormat ? info.depthAttachmentFormat : info.stencilAttachmentFormat;
  const VkAttachmentReference both = format ? all.add(format, info.rasterizationSamples) : kUnused;
  VkSubpassDescription s{};
  s.colorAttachmentCount = static_cast<uint32_t>(color.size()), s.pColorAttachments = color.data(), s.pDepthStencilAttachment = &both;
  Rendering r;
  r.pass = all.pass(device, s, info.viewMask);
  return r;
}

PipelineSubpass subpass_of(const VkGraphicsPipelineCreateInfo& info) {
  PipelineSubpass p;
  if (const auto* pass = from<RenderPass>(info.renderPass)) {
    p.subpass = pass->subpasses[info.subpass];
    p.depth = p.stencil = p.subpass.depth.attachment != VK_ATTACHMENT_UNUSED;
    return p;
  }
  const auto* r = find_next<VkPipelineRenderingCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  if (!r) return p;
  p.subpass.view_mask = r->viewMask;
  for (uint32_t i = 0; i < r->colorAttachmentCount; ++i) {
    p.subpass.color.push_back(kUnused);
    if (r->pColorAttachmentFormats[i]) p.subpass.color.back().attachment = i;
  }
  p.depth = r->depthAttachmentFormat != VK_FORMAT_UNDEFINED;
  p.stencil = r->stencilAttachmentFormat != VK_FORMAT_UNDEFINED;
  return p;
}

void CommandBuffer::begin_rendering(const VkRenderingInfo& info) {
  rendering = make_rendering(device, info);
  draw.pass = rendering.pass.get();
  draw.framebuffer = rendering.framebuffer.get();
  draw.attachments = rendering.views;
  draw.subpass = 0;
  draw.render_area = info.renderArea;
  draw.clear_values = rendering.clear_values;
  enter_subpass();
  clear_on_load();
}

}  // namespace r5x

VKAPI_ATTR void VKAPI_CALL r5x_CmdBeginRendering(VkCommandBuffer c, const VkRenderingInfo* info) {
  from<r5x::CommandBuffer>(c)->begin_rendering(*info);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdEndRendering(VkCommandBuffer c) { from<r5x::CommandBuffer>(c)->end_pass(); }

}  // namespace pumice::icd
