// SPDX-License-Identifier: MIT
/// vkCmdBeginRendering (VK_KHR_dynamic_rendering): turned into a render pass of one subpass that the command buffer owns, so that
/// targets, clears and resolves (targets.cpp) have one source.
#include <array>

#include "icd/r5x/command_buffer.h"

namespace pumice::icd {
namespace r5x {
namespace {

/// The attachments of a pass of one subpass, collected one by one.
class OnePass {
 public:
  OnePass() {
    depth_.sType = depth_resolve_.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2;
    depth_.attachment = depth_resolve_.attachment = VK_ATTACHMENT_UNUSED;
  }

  void add_color(VkFormat format, uint32_t samples, VkAttachmentLoadOp load, VkAttachmentStoreOp store) {
    color_.push_back(reference(format == VK_FORMAT_UNDEFINED ? VK_ATTACHMENT_UNUSED : add(format, samples, load, load)));
    if (format != VK_FORMAT_UNDEFINED) attachments_.back().storeOp = store;
    resolve_.push_back(reference(VK_ATTACHMENT_UNUSED));
  }
  void add_resolve(VkFormat format) { resolve_.back() = reference(add(format, 1, VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_LOAD_OP_LOAD)); }
  void set_depth(VkFormat format, uint32_t samples, VkAttachmentLoadOp depth, VkAttachmentLoadOp stencil) {
    depth_.attachment = add(format, samples, depth, stencil);
  }
  void set_depth_stores(VkAttachmentStoreOp depth, VkAttachmentStoreOp stencil) {
    attachments_[depth_.attachment].storeOp = depth, attachments_[depth_.attachment].stencilStoreOp = stencil;
  }
  void set_depth_resolve(VkFormat format, VkResolveModeFlagBits depth, VkResolveModeFlagBits stencil) {
    depth_resolve_.attachment = add(format, 1, VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_LOAD_OP_LOAD);
    depth_mode_ = depth, stencil_mode_ = stencil;
  }

  std::unique_ptr<const RenderPass> make(Device& device, uint32_t view_mask) const {
    VkSubpassDescriptionDepthStencilResolve resolve{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE};
    resolve.depthResolveMode = depth_mode_, resolve.stencilResolveMode = stencil_mode_;
    resolve.pDepthStencilResolveAttachment = &depth_resolve_;
    VkSubpassDescription2 s{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, &resolve};
    s.viewMask = view_mask;
    s.colorAttachmentCount = static_cast<uint32_t>(color_.size());
    s.pColorAttachments = color_.data(), s.pResolveAttachments = resolve_.data();
    s.pDepthStencilAttachment = &depth_;
    VkRenderPassCreateInfo2 info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
    info.attachmentCount = static_cast<uint32_t>(attachments_.size()), info.pAttachments = attachments_.data();
    info.subpassCount = 1, info.pSubpasses = &s;
    return std::make_unique<const RenderPass>(device, info);
  }

 private:
  static VkAttachmentReference2 reference(uint32_t attachment) {
    return {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, VK_IMAGE_LAYOUT_GENERAL, 0};
  }
  uint32_t add(VkFormat format, uint32_t samples, VkAttachmentLoadOp load, VkAttachmentLoadOp stencil) {
    VkAttachmentDescription2 a{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2};
    a.format = format, a.samples = static_cast<VkSampleCountFlagBits>(samples), a.loadOp = load, a.stencilLoadOp = stencil;
    attachments_.push_back(a);
    return static_cast<uint32_t>(attachments_.size()) - 1;
  }

  std::vector<VkAttachmentDescription2> attachments_;
  std::vector<VkAttachmentReference2> color_, resolve_;
  VkAttachmentReference2 depth_{}, depth_resolve_{};
  VkResolveModeFlagBits depth_mode_ = VK_RESOLVE_MODE_NONE, stencil_mode_ = VK_RESOLVE_MODE_NONE;
};

const ImageView* view_of(const VkRenderingAttachmentInfo* a) { return a ? from<ImageView>(a->imageView) : nullptr; }
const ImageView* resolve_of(const VkRenderingAttachmentInfo* a) {
  return view_of(a) && a->resolveMode ? from<ImageView>(a->resolveImageView) : nullptr;
}

}  // namespace

void CommandBuffer::begin_rendering(const VkRenderingInfo& info) {
  // A pass may be suspended and resumed: the first part clears and the last one resolves.
  const bool first = !(info.flags & VK_RENDERING_RESUMING_BIT), last = !(info.flags & VK_RENDERING_SUSPENDING_BIT);
  const auto load_of = [&](const VkRenderingAttachmentInfo* a) { return first && view_of(a) ? a->loadOp : VK_ATTACHMENT_LOAD_OP_LOAD; };
  const auto store_of = [&](const VkRenderingAttachmentInfo* a) { return last && view_of(a) ? a->storeOp : VK_ATTACHMENT_STORE_OP_STORE; };
  OnePass pass;
  draw.attachments.clear();
  draw.clear_values.clear();
  const auto keep = [&](const ImageView& v, const VkClearValue& clear) {
    draw.attachments.push_back(&v);
    draw.clear_values.push_back(clear);
  };
  for (uint32_t i = 0; i < info.colorAttachmentCount; ++i) {
    const VkRenderingAttachmentInfo& a = info.pColorAttachments[i];
    const ImageView* v = view_of(&a);
    pass.add_color(v ? v->format.format : VK_FORMAT_UNDEFINED, v ? v->image.info.samples : 1, load_of(&a), store_of(&a));
    if (v) keep(*v, a.clearValue);
    if (const ImageView* to = last ? resolve_of(&a) : nullptr) {
      pass.add_resolve(to->format.format);
      keep(*to, {});
    }
  }
  const VkRenderingAttachmentInfo *depth = info.pDepthAttachment, *stencil = info.pStencilAttachment;
  VkImageAspectFlags aspects = 0;
  if (view_of(depth)) aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
  if (view_of(stencil)) aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  if (const ImageView* v = view_of(depth) ? view_of(depth) : view_of(stencil)) {
    pass.set_depth(v->format.format, v->image.info.samples, load_of(depth), load_of(stencil));
    pass.set_depth_stores(store_of(depth), store_of(stencil));
    VkClearValue clear{};
    if (view_of(depth)) clear.depthStencil.depth = depth->clearValue.depthStencil.depth;
    if (view_of(stencil)) clear.depthStencil.stencil = stencil->clearValue.depthStencil.stencil;
    keep(*v, clear);
    if (const ImageView* to = resolve_of(depth) ? resolve_of(depth) : resolve_of(stencil); to && last) {
      const auto mode = [](const VkRenderingAttachmentInfo* a) { return resolve_of(a) ? a->resolveMode : VK_RESOLVE_MODE_NONE; };
      pass.set_depth_resolve(to->format.format, mode(depth), mode(stencil));
      keep(*to, {});
    }
  }
  own_pass_ = pass.make(device, info.viewMask);
  draw.pass = own_pass_.get();
  draw.subpass = 0;
  draw.render_area = info.renderArea;
  draw.extent = VkExtent3D{static_cast<uint32_t>(info.renderArea.offset.x) + info.renderArea.extent.width,
                           static_cast<uint32_t>(info.renderArea.offset.y) + info.renderArea.extent.height, info.layerCount};
  enter_subpass();
  draw.depth.aspects = aspects;
  clear_on_load();
}

void CommandBuffer::end_rendering() {
  end_pass();
  own_pass_.reset();
}

void CommandBuffer::inherit_rendering(const VkCommandBufferInheritanceRenderingInfo& info) {
  OnePass pass;
  for (uint32_t i = 0; i < info.colorAttachmentCount; ++i)
    pass.add_color(info.pColorAttachmentFormats[i], info.rasterizationSamples, VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_STORE_OP_STORE);
  VkImageAspectFlags aspects = 0;
  if (info.depthAttachmentFormat) aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
  if (info.stencilAttachmentFormat) aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  if (aspects)
    pass.set_depth(info.depthAttachmentFormat ? info.depthAttachmentFormat : info.stencilAttachmentFormat, info.rasterizationSamples,
                   VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_LOAD_OP_LOAD);
  own_pass_ = pass.make(device, info.viewMask);
  draw.pass = own_pass_.get();
  enter_subpass();
  draw.depth.aspects = aspects;
}

}  // namespace r5x

VKAPI_ATTR void VKAPI_CALL r5x_CmdBeginRendering(VkCommandBuffer c, const VkRenderingInfo* info) {
  from<r5x::CommandBuffer>(c)->begin_rendering(*info);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdEndRendering(VkCommandBuffer c) { from<r5x::CommandBuffer>(c)->end_rendering(); }

}  // namespace pumice::icd
