// SPDX-License-Identifier: MIT
/// A scene is what an example adds to the common part: it creates its objects once and records its draws for each frame.
#pragma once
#include "examples/common/context.h"

namespace example {

/// What a scene needs to know about the picture it draws into.
struct Target {
  VkRenderPass render_pass = VK_NULL_HANDLE;  ///< colour attachment 0, depth/stencil attachment 1 if the scene requested one
  VkExtent2D extent{};
};

struct Frame {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  uint64_t index = 0;  ///< animations use this, not a clock: the same frame is the same picture everywhere
};

class Scene {
 public:
  virtual ~Scene() = default;
  /// A depth/stencil format if the scene uses such an attachment, else VK_FORMAT_UNDEFINED.
  virtual VkFormat depth_format(const Context&) const { return VK_FORMAT_UNDEFINED; }
  /// With several samples per pixel, attachments 0 and 1 are multisampled, and attachment 0 is resolved to the image.
  virtual VkSampleCountFlagBits samples() const { return VK_SAMPLE_COUNT_1_BIT; }
  virtual VkClearColorValue clear_color(uint64_t /*frame*/) const { return {{0.05f, 0.06f, 0.10f, 1.0f}}; }
  virtual void create(Context& context, const Target& target) = 0;
  /// Recorded before the render pass begins: copies, other passes.
  virtual void prepare(Context&, const Frame&) {}
  /// Recorded inside the render pass; viewport and scissor cover the whole picture already.
  virtual void draw(Context& context, const Frame& frame) = 0;
  virtual void destroy(Context& context) = 0;
};

/// Runs the scene in a window or headless, as the options say. Returns the program's exit code.
int run(const Options& options, Scene& scene);

}  // namespace example
