// SPDX-License-Identifier: MIT
#include "examples/common/render_pass.h"

namespace example {

VkRenderPass create_render_pass(Context& context, VkFormat color, VkFormat depth, VkImageLayout final_layout,
                                VkSampleCountFlagBits samples) {
  const bool has_depth = depth != VK_FORMAT_UNDEFINED, resolves = samples != VK_SAMPLE_COUNT_1_BIT;
  const VkAttachmentDescription picture{.format = color,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                        .finalLayout = final_layout};
  std::vector<VkAttachmentDescription> attachments{picture};
  if (has_depth)
    attachments.push_back({.format = depth,
                           .samples = samples,
                           .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                           .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                           .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                           .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                           .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                           .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL});
  if (resolves) {
    // The samples are not needed after the resolve, nor are the previous contents of the resolve target.
    attachments[0].samples = samples;
    attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    attachments.push_back(picture);
    attachments.back().loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  }
  const VkAttachmentReference color_reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depth_reference{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference resolve_reference{static_cast<uint32_t>(attachments.size()) - 1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &color_reference,
                                     .pResolveAttachments = resolves ? &resolve_reference : nullptr,
                                     .pDepthStencilAttachment = has_depth ? &depth_reference : nullptr};
  // The picture is copied from, sampled, or drawn again before and after the pass.
  const VkPipelineStageFlags inside = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                      VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  const VkPipelineStageFlags outside = inside | VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  const VkAccessFlags drawing = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                                VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
  const VkAccessFlags before = drawing | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_SHADER_READ_BIT;
  const VkSubpassDependency dependencies[] = {{VK_SUBPASS_EXTERNAL, 0, outside, inside, before, drawing, 0},
                                              {0, VK_SUBPASS_EXTERNAL, inside, outside, drawing, before, 0}};
  const VkRenderPassCreateInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                    .attachmentCount = static_cast<uint32_t>(attachments.size()),
                                    .pAttachments = attachments.data(),
                                    .subpassCount = 1,
                                    .pSubpasses = &subpass,
                                    .dependencyCount = 2,
                                    .pDependencies = dependencies};
  VkRenderPass pass;
  VK_CHECK(vkCreateRenderPass(context.device, &info, nullptr, &pass));
  return pass;
}

VkFramebuffer create_framebuffer(Context& context, VkRenderPass pass, std::span<const VkImageView> views, VkExtent2D extent) {
  const VkFramebufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                     .renderPass = pass,
                                     .attachmentCount = static_cast<uint32_t>(views.size()),
                                     .pAttachments = views.data(),
                                     .width = extent.width,
                                     .height = extent.height,
                                     .layers = 1};
  VkFramebuffer framebuffer;
  VK_CHECK(vkCreateFramebuffer(context.device, &info, nullptr, &framebuffer));
  return framebuffer;
}

VkImageAspectFlags depth_aspects(VkFormat format) {
  switch (format) {
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT: return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default: return VK_IMAGE_ASPECT_DEPTH_BIT;
  }
}

}  // namespace example
