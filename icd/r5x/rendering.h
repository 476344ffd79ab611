// SPDX-License-Identifier: MIT
/// VK_KHR_dynamic_rendering: rendering without a VkRenderPass is a pass of one subpass that is made when it begins.
#pragma once
#include <memory>

#include "icd/render_pass.h"

namespace pumice::icd::r5x {

struct Rendering {
  std::unique_ptr<RenderPass> pass;
  std::unique_ptr<Framebuffer> framebuffer;  ///< null in secondary command buffers
  std::vector<const ImageView*> views;       ///< of the pass' attachments
  std::vector<VkClearValue> clear_values;
};

Rendering make_rendering(Device& device, const VkRenderingInfo& info);
/// Of a secondary command buffer, which knows formats only.
Rendering make_rendering(Device& device, const VkCommandBufferInheritanceRenderingInfo& info);

/// The subpass of a pipeline: of its render pass, or what VkPipelineRenderingCreateInfo says. `depth` and `stencil`: it has such an
/// attachment.
struct PipelineSubpass {
  Subpass subpass;
  bool depth = false, stencil = false;
};
PipelineSubpass subpass_of(const VkGraphicsPipelineCreateInfo& info);

}  // namespace pumice::icd::r5x
