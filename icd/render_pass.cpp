// SPDX-License-Identifier: MIT
#include "icd/render_pass.h"

#include <algorithm>
#include <bit>

#include "icd/names.h"

namespace pumice::icd {

namespace {

std::vector<VkAttachmentReference> references(const VkAttachmentReference2* list, uint32_t count) {
  std::vector<VkAttachmentReference> out;
  for (uint32_t i = 0; list && i < count; ++i) out.push_back({list[i].attachment, list[i].layout});
  return out;
}

void depth_resolve(Subpass& out, const VkSubpassDescription2& s, const std::vector<VkAttachmentDescription>& attachments) {
  const auto* r = find_next<VkSubpassDescriptionDepthStencilResolve>(s.pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
  if (!r || !r->pDepthStencilResolveAttachment || r->pDepthStencilResolveAttachment->attachment == VK_ATTACHMENT_UNUSED) return;
  out.depth_resolve = {r->pDepthStencilResolveAttachment->attachment, r->pDepthStencilResolveAttachment->layout};
  if (r->depthResolveMode) out.resolved_aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
  if (r->stencilResolveMode) out.resolved_aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  if (const FormatInfo* f = find_format(attachments[out.depth_resolve.attachment].format)) out.resolved_aspects &= aspects_of(*f);
}

}  // namespace

RenderPass::RenderPass(Device& d, const VkRenderPassCreateInfo2& info)
    : DeviceObject(d, kType), first_use(info.attachmentCount, ~0u), last_use(info.attachmentCount, ~0u) {
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    const VkAttachmentDescription2& a = info.pAttachments[i];
    attachments.push_back(
        {a.flags, a.format, a.samples, a.loadOp, a.storeOp, a.stencilLoadOp, a.stencilStoreOp, a.initialLayout, a.finalLayout});
  }
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const VkSubpassDescription2& s = info.pSubpasses[i];
    Subpass out;
    out.view_mask = s.viewMask;
    out.color = references(s.pColorAttachments, s.colorAttachmentCount);
    out.resolve = references(s.pResolveAttachments, s.colorAttachmentCount);
    out.input = references(s.pInputAttachments, s.inputAttachmentCount);
    if (s.pDepthStencilAttachment) out.depth = {s.pDepthStencilAttachment->attachment, s.pDepthStencilAttachment->layout};
    depth_resolve(out, s, attachments);
    const auto use = [&](const VkAttachmentReference& r) {
      if (r.attachment == VK_ATTACHMENT_UNUSED) return;
      if (first_use[r.attachment] == ~0u) first_use[r.attachment] = i;
      last_use[r.attachment] = i;
    };
    std::for_each(out.color.begin(), out.color.end(), use);
    std::for_each(out.resolve.begin(), out.resolve.end(), use);
    std::for_each(out.input.begin(), out.input.end(), use);
    use(out.depth);
    use(out.depth_resolve);
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
           std::any_of(s.input.begin(), s.input.end(), is) || is(s.depth_resolve);
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

/// One count in a subpass, of those the device offers; inputs of strict chips are textures, and those have one sample.
static VkResult check_samples(Device& device, const VkRenderPassCreateInfo2& info) {
  const VkSampleCountFlags offered = device.chip.limits.framebufferColorSampleCounts;
  for (uint32_t i = 0; i < info.attachmentCount; ++i)
    if (!(info.pAttachments[i].samples & offered))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateRenderPass: attachment %u has %u samples, the device offers %s", i,
                    info.pAttachments[i].samples, names_of<VkSampleCountFlagBits>(offered).c_str());
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const VkSubpassDescription2& s = info.pSubpasses[i];
    VkSampleCountFlags counts = 0, input = 0;
    const auto add = [&](VkSampleCountFlags& to, const VkAttachmentReference2& r) {
      if (r.attachment != VK_ATTACHMENT_UNUSED) to |= info.pAttachments[r.attachment].samples;
    };
    for (uint32_t k = 0; k < s.colorAttachmentCount; ++k) add(counts, s.pColorAttachments[k]);
    if (s.pDepthStencilAttachment) add(counts, *s.pDepthStencilAttachment);
    for (uint32_t k = 0; k < s.inputAttachmentCount; ++k) add(input, s.pInputAttachments[k]);
    if (counts && !std::has_single_bit(counts))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateRenderPass: subpass %u has attachments of different sample counts (%s)",
                    i, names_of<VkSampleCountFlagBits>(counts).c_str());
    if (!has_descriptors(device.chip) && (input & ~VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT}))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                    "vkCreateRenderPass: subpass %u has input attachments of several samples; textures of the chip have one", i);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2* info, const VkAllocationCallbacks* a,
                                                    VkRenderPass* out) {
  auto& device = *from<Device>(handle);
  if (const VkResult r = check_samples(device, *info); r != VK_SUCCESS) return r;
  *out = to_handle(create<RenderPass>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, *info));
  return VK_SUCCESS;
}

/// As the second version, with view masks in a structure of their own. Aspects of input attachments and dependencies change nothing here.
VKAPI_ATTR VkResult VKAPI_CALL pm_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo* info, const VkAllocationCallbacks* a,
                                                   VkRenderPass* out) {
  std::vector<VkAttachmentDescription2> attachments;
  for (uint32_t i = 0; i < info->attachmentCount; ++i) {
    const VkAttachmentDescription& d = info->pAttachments[i];
    attachments.push_back({VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, nullptr, d.flags, d.format, d.samples, d.loadOp, d.storeOp,
                           d.stencilLoadOp, d.stencilStoreOp, d.initialLayout, d.finalLayout});
  }
  struct References {
    std::vector<VkAttachmentReference2> input, color, resolve, depth;
  };
  const auto convert = [](const VkAttachmentReference* list, uint32_t count) {
    std::vector<VkAttachmentReference2> refs;
    for (uint32_t i = 0; list && i < count; ++i)
      refs.push_back({VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, list[i].attachment, list[i].layout, 0});
    return refs;
  };
  const auto* views = find_next<VkRenderPassMultiviewCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
  std::vector<References> references(info->subpassCount);
  std::vector<VkSubpassDescription2> subpasses;
  for (uint32_t i = 0; i < info->subpassCount; ++i) {
    const VkSubpassDescription& s = info->pSubpasses[i];
    References& r = references[i];
    r = {convert(s.pInputAttachments, s.inputAttachmentCount), convert(s.pColorAttachments, s.colorAttachmentCount),
         convert(s.pResolveAttachments, s.colorAttachmentCount), convert(s.pDepthStencilAttachment, 1)};
    VkSubpassDescription2 d{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    if (views && i < views->subpassCount) d.viewMask = views->pViewMasks[i];
    d.inputAttachmentCount = s.inputAttachmentCount;
    d.pInputAttachments = r.input.data();
    d.colorAttachmentCount = s.colorAttachmentCount;
    d.pColorAttachments = r.color.data();
    d.pResolveAttachments = r.resolve.empty() ? nullptr : r.resolve.data();
    d.pDepthStencilAttachment = r.depth.empty() ? nullptr : r.depth.data();
    subpasses.push_back(d);
  }
  VkRenderPassCreateInfo2 second{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  second.attachmentCount = info->attachmentCount;
  second.pAttachments = attachments.data();
  second.subpassCount = info->subpassCount;
  second.pSubpasses = subpasses.data();
  return pm_CreateRenderPass2(handle, &second, a, out);
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
