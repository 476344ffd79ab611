// SPDX-License-Identifier: MIT
/// VkRenderPass and VkFramebuffer.
#pragma once
#include <vector>

#include "icd/resources.h"

namespace pumice::icd {

struct Subpass {
  std::vector<VkAttachmentReference> color, resolve, input;
  VkAttachmentReference depth{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};
  VkAttachmentReference depth_resolve{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};
  VkImageAspectFlags resolved_aspects = 0;  ///< of depth_resolve: those that become sample 0
  uint32_t view_mask = 0;                   ///< the layers that every draw goes to, one after the other; 0: draws choose their layer
  uint32_t samples = 0;                     ///< of its colour and depth attachments; 0: it has none, so its pipelines say
};

class RenderPass : public DeviceObject {
 public:
  using Handle = VkRenderPass;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_RENDER_PASS;
  RenderPass(Device& d, const VkRenderPassCreateInfo2& info);
  std::vector<VkAttachmentDescription> attachments;
  std::vector<Subpass> subpasses;
  std::vector<uint32_t> first_use;  ///< per attachment: the subpass whose begin clears it
  std::vector<uint32_t> last_use;   ///< the last subpass that draws to it or reads it
  /// Of what `subpass` is the first to use of an attachment: views; all bits where there are no views.
  uint32_t first_views(uint32_t attachment, uint32_t subpass) const;
};

class Framebuffer : public DeviceObject {
 public:
  using Handle = VkFramebuffer;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FRAMEBUFFER;
  Framebuffer(Device& d, const VkFramebufferCreateInfo& info);
  std::vector<ImageView*> attachments;
  uint32_t width, height, layers;
};

}  // namespace pumice::icd
