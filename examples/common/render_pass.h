// SPDX-License-Identifier: MIT
#pragma once
#include "examples/common/context.h"

namespace example {

/// One subpass, colour attachment 0 cleared and left in `final_layout`, attachment 1 for depth/stencil unless UNDEFINED. Of several
/// samples: the last attachment is what attachment 0 resolves to, and is left in `final_layout` instead.
VkRenderPass create_render_pass(Context& context, VkFormat color, VkFormat depth, VkImageLayout final_layout,
                                VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT);
VkFramebuffer create_framebuffer(Context& context, VkRenderPass pass, std::span<const VkImageView> views, VkExtent2D extent);
/// The aspects of a depth/stencil format.
VkImageAspectFlags depth_aspects(VkFormat format);

}  // namespace example
