// SPDX-License-Identifier: MIT
#include "icd/render_pass.h"

#include <algorithm>
#include <bit>

#include "icd/names.h"

namespace pumice::icd {

RenderPass::RenderPass(Device& d, const VkRenderPassCreateInfo& info)
    : DeviceObject(d, kType),
      attachments(info.pAttachments, info.pAttachments + info.attachmentCount),
      first_use(info.attachmentCount, ~0u),
      last_use(info.attachmentCount, ~0u) {
  const auto* views = find_next<VkRenderPassMultiviewCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const VkSubpassDescription& s = info.pSubpasses[i];
    Subpass out;
    if (views && i < views->subpassCount) out.view_mask = views->pViewMasks[i];
    out.color.assign(s.pColorAttachments, s.pColorAttachments + s.colorAttachmentCount);
    if (s.pResolveAttachments) out.resolve.assign(s.pResolveAttachments, s.pResolveAttachments + s.colorAttachmentCount);
    out.input.assign(s.pInputAttachments, s.pInputAttachments + s.inputAttachmentCount);
    if (s.pDepthStencilAttachment) out.depth = *s.pDepthStencilAttachment;
    const auto use = [&](const VkAttachmentReference& r) {
      if (r.attachment == VK_ATTACHMENT_UNUSED) return;
      if (first_use[r.attachment] == ~0u) first_use[r.attachment] = i;
      last_use[r.attachment] = i;
    };
    std::for_each(out.color.begin(), out.color.end(), use);
    std::for_each(out.resolve.begin(), out.resolve.end(), use);
    std::for_each(out.input.begin(), out.input.end(), use);
    use(out.depth);
    const auto count = [&](const VkAttachmentReference& r) {
      if (r.attachment != VK_ATTACHMENT_UNUSED) out.samples = attachments[r.attachment].samples;
    };
    std::for_each(out.color.begin(), out.color.end(), count);
    count(out.depth);
    subpasses.push_back(std::move(out));
  }
}

uint32_t RenderPass::first_views(uint32_t attachment, uint32_t subpass) const {
  const auto uses = [&](const Subpass& s) {
    const auto is = [&](const VkAttachmentReference& r) { return r.attachment == attachment; };
    return is(s.depth) || std::any_of(s.color.begin(), s.color.end(), is) || std::any_of(s.resolve.begin(), s.resolve.end(), is) ||
           std::any_of(s.input.begin(), s.input.end(), is);
  };
  uint32_t before = 0;
  for (uint32_t i = 0; i < subpass; ++i)
    if (uses(subpasses[i])) before |= subpasses[i].view_mask ? subpasses[i].view_mask : ~0u;
  return (subpasses[subpass].view_mask ? subpasses[subpass].view_mask : ~0u) & ~before;
}

Framebuffer::Framebuffer(Device& d, const VkFramebufferCreateInfo& info)
    : DeviceObject(d, kType), width(info.width), height(info.height), layers(info.layers) {
  if (info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT_KHR) return;  // vkCmdBeginRenderPass names them
  for (uint32_t i = 0; i < info.attachmentCount; ++i) attachments.push_back(from<ImageView>(info.pAttachments[i]));
}

/// One count in a subpass, of those the device offers; inputs are textures, and those have one sample.
static VkResult check_samples(Device& device, const VkRenderPassCreateInfo& info) {
  const VkSampleCountFlags offered = device.chip.limits.framebufferColorSampleCounts;
  for (uint32_t i = 0; i < info.attachmentCount; ++i)
    if (!(info.pAttachments[i].samples & offered))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateRenderPass: attachment %u has %u samples, the device offers %s", i,
                    info.pAttachments[i].samples, names_of<VkSampleCountFlagBits>(offered).c_str());
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const VkSubpassDescription& s = info.pSubpasses[i];
    VkSampleCountFlags counts = 0, input = 0;
    const auto add = [&](VkSampleCountFlags& to, const VkAttachmentReference& r) {
      if (r.attachment != VK_ATTACHMENT_UNUSED) to |= info.pAttachments[r.attachment].samples;
    };
    for (uint32_t k = 0; k < s.colorAttachmentCount; ++k) add(counts, s.pColorAttachments[k]);
    if (s.pDepthStencilAttachment) add(counts, *s.pDepthStencilAttachment);
    for (uint32_t k = 0; k < s.inputAttachmentCount; ++k) add(input, s.pInputAttachments[k]);
    if (counts && !std::has_single_bit(counts))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateRenderPass: subpass %u has attachments of different sample counts (%s)",
                    i, names_of<VkSampleCountFlagBits>(counts).c_str());
    if (!is_r5x(device) && (input & ~VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT}))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                    "vkCreateRenderPass: subpass %u has input attachments of several samples; textures of the chip have one", i);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo* info, const VkAllocationCallbacks* a,
                                                   VkRenderPass* out) {
  auto& device = *from<Device>(handle);
  if (const VkResult r = check_samples(device, *info); r != VK_SUCCESS) return r;
  *out = to_handle(create<RenderPass>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, *info));
  return VK_SUCCESS;
}
/// As the first version with view masks and resolves of depth: what else it adds (aspects of input attachments, layouts of stencil) changes
/// nothing here.
VKAPI_ATTR VkResult VKAPI_CALL pm_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2* info, const VkAllocationCallbacks* a,
                                                    VkRenderPass* out) {
  std::vector<VkAttachmentDescription> attachments;
  for (uint32_t i = 0; i < info->attachmentCount; ++i) {
    const VkAttachmentDescription2& d = info->pAttachments[i];
    attachments.push_back(
        {d.flags, d.format, d.samples, d.loadOp, d.storeOp, d.stencilLoadOp, d.stencilStoreOp, d.initialLayout, d.finalLayout});
  }
  struct References {
    std::vector<VkAttachmentReference> input, color, resolve;
    VkAttachmentReference depth;
  };
  const auto convert = [](const VkAttachmentReference2* list, uint32_t count) {
    std::vector<VkAttachmentReference> refs;
    for (uint32_t i = 0; list && i < count; ++i) refs.push_back({list[i].attachment, list[i].layout});
    return refs;
  };
  std::vector<References> references(info->subpassCount);
  std::vector<VkSubpassDescription> subpasses;
  std::vector<uint32_t> masks;
  for (uint32_t i = 0; i < info->subpassCount; ++i) {
    const VkSubpassDescription2& s = info->pSubpasses[i];
    References& r = references[i];
    r = {convert(s.pInputAttachments, s.inputAttachmentCount),
         convert(s.pColorAttachments, s.colorAttachmentCount),
         convert(s.pResolveAttachments, s.colorAttachmentCount),
         {}};
    VkSubpassDescription d{};
    d.inputAttachmentCount = s.inputAttachmentCount;
    d.pInputAttachments = r.input.data();
    d.colorAttachmentCount = s.colorAttachmentCount;
    d.pColorAttachments = r.color.data();
    d.pResolveAttachments = r.resolve.empty() ? nullptr : r.resolve.data();
    if (s.pDepthStencilAttachment) {
      r.depth = {s.pDepthStencilAttachment->attachment, s.pDepthStencilAttachment->layout};
      d.pDepthStencilAttachment = &r.depth;
    }
    subpasses.push_back(d);
    masks.push_back(s.viewMask);
  }
  VkRenderPassMultiviewCreateInfo views{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  views.subpassCount = info->subpassCount;
  views.pViewMasks = masks.data();
  VkRenderPassCreateInfo first{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  first.pNext = &views;
  first.attachmentCount = info->attachmentCount;
  first.pAttachments = attachments.data();
  first.subpassCount = info->subpassCount;
  first.pSubpasses = subpasses.data();
  if (const VkResult result = pm_CreateRenderPass(handle, &first, a, out); result != VK_SUCCESS) return result;
  for (uint32_t i = 0; i < info->subpassCount; ++i)
    if (const auto* r = find_next<VkSubpassDescriptionDepthStencilResolve>(info->pSubpasses[i].pNext,
                                                                           VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
        r && r->pDepthStencilResolveAttachment)
      from<RenderPass>(*out)->subpasses[i].depth_resolve = {r->pDepthStencilResolveAttachment->attachment,
                                                            r->pDepthStencilResolveAttachment->layout};
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyRenderPass(VkDevice, VkRenderPass r, const VkAllocationCallbacks* a) {
  destroy(from<RenderPass>(r), a);
}

VKAPI_ATTR void VKAPI_CALL pm_GetRenderAreaGranularity(VkDevice, VkRenderPass, VkExtent2D* out) { *out = {1, 1}; }

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateFramebuffer(VkDevice device, const VkFramebufferCreateInfo* info, const VkAllocationCallbacks* a,
                                                    VkFramebuffer* out) {
  *out = to_handle(create<Framebuffer>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyFramebuffer(VkDevice, VkFramebuffer f, const VkAllocationCallbacks* a) {
  destroy(from<Framebuffer>(f), a);
}

}  // namespace pumice::icd
