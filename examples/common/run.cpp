// SPDX-License-Identifier: MIT
/// The two ways an example runs: headless into an image that is read back, or in a window through a swapchain.
#include <cstring>

#include "examples/common/png.h"
#include "examples/common/render_pass.h"
#include "examples/common/scene.h"
#include "examples/common/window.h"

namespace example {
namespace {

void record(Context& context, Scene& scene, const Target& target, const Frame& frame, bool has_depth) {
  scene.prepare(context, frame);
  VkClearValue clear[2]{};
  clear[0].color = scene.clear_color(frame.index);
  clear[1].depthStencil = {1.0f, 0};
  const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    .renderPass = target.render_pass,
                                    .framebuffer = frame.framebuffer,
                                    .renderArea = {{0, 0}, target.extent},
                                    .clearValueCount = has_depth ? 2u : 1u,
                                    .pClearValues = clear};
  vkCmdBeginRenderPass(frame.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport{0, 0, static_cast<float>(target.extent.width), static_cast<float>(target.extent.height), 0.0f, 1.0f};
  const VkRect2D scissor{{0, 0}, target.extent};
  vkCmdSetViewport(frame.commands, 0, 1, &viewport);
  vkCmdSetScissor(frame.commands, 0, 1, &scissor);
  scene.draw(context, frame);
  vkCmdEndRenderPass(frame.commands);
}

/// Attachments of a scene besides the output image: depth, and the multisampled colour image if there is more than one sample.
struct Attachments {
  Image samples, depth;

  void create(Context& context, const Scene& scene, VkFormat color, VkFormat depth_format, VkExtent2D extent) {
    if (depth_format != VK_FORMAT_UNDEFINED)
      depth = context.create_image({.format = depth_format,
                                    .width = extent.width,
                                    .height = extent.height,
                                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                    .aspect = depth_aspects(depth_format),
                                    .samples = scene.samples()});
    if (scene.samples() != VK_SAMPLE_COUNT_1_BIT)
      samples = context.create_image({.format = color,
                                      .width = extent.width,
                                      .height = extent.height,
                                      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT,
                                      .samples = scene.samples()});
  }
  /// In the order create_render_pass() gives them.
  std::vector<VkImageView> views(VkImageView picture) const {
    std::vector<VkImageView> list{samples.view ? samples.view : picture};
    if (depth.view) list.push_back(depth.view);
    if (samples.view) list.push_back(picture);
    return list;
  }
  void destroy(Context& context) {
    if (samples.view) context.destroy(samples);
    if (depth.view) context.destroy(depth);
  }
};

int run_headless(const Options& options, Scene& scene) {
  Context context(options, {}, {});
  const VkExtent2D extent{options.width, options.height};
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkFormat depth_format = scene.depth_format(context);
  const bool has_depth = depth_format != VK_FORMAT_UNDEFINED;
  Image color = context.create_image({.format = format,
                                      .width = extent.width,
                                      .height = extent.height,
                                      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT});
  Attachments attachments;
  attachments.create(context, scene, format, depth_format, extent);
  const Target target{create_render_pass(context, format, depth_format, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, scene.samples()), extent};
  const VkFramebuffer framebuffer = create_framebuffer(context, target.render_pass, attachments.views(color.view), extent);
  Buffer pixels = context.create_buffer(VkDeviceSize{4} * extent.width * extent.height, VK_BUFFER_USAGE_TRANSFER_DST_BIT);

  scene.create(context, target);
  for (uint64_t i = 0; i < options.frames; ++i)
    context.run_once([&](VkCommandBuffer commands) {
      record(context, scene, target, {commands, framebuffer, i}, has_depth);
      const VkBufferImageCopy region{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {extent.width, extent.height, 1}};
      vkCmdCopyImageToBuffer(commands, color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.buffer, 1, &region);
      const VkMemoryBarrier to_host{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, nullptr, 0, nullptr);
    });
  bool ok = true;
  if (!options.png.empty()) {
    ok = write_png(options.png, static_cast<const uint8_t*>(pixels.mapped), extent.width, extent.height);
    if (ok) std::printf("%s\n", options.png.c_str());
  }
  scene.destroy(context);
  context.destroy(pixels);
  vkDestroyFramebuffer(context.device, framebuffer, nullptr);
  vkDestroyRenderPass(context.device, target.render_pass, nullptr);
  attachments.destroy(context);
  context.destroy(color);
  return ok && context.validation_messages() == 0 ? 0 : 1;
}

int run_window(const Options& options, Scene& scene) {
  Window window(options);
  const char* const instance_extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME, Window::surface_extension()};
  const char* const device_extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  Context context(options, instance_extensions, device_extensions);
  const VkFormat depth_format = scene.depth_format(context);
  const bool has_depth = depth_format != VK_FORMAT_UNDEFINED;
  Swapchain swapchain(context, window);
  const Target target{create_render_pass(context, swapchain.format(), depth_format, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, scene.samples()),
                      swapchain.extent()};
  Attachments attachments;
  attachments.create(context, scene, swapchain.format(), depth_format, target.extent);
  std::vector<VkFramebuffer> framebuffers;
  for (const VkImageView view : swapchain.views())
    framebuffers.push_back(create_framebuffer(context, target.render_pass, attachments.views(view), target.extent));
  scene.create(context, target);
  for (uint64_t i = 0; (options.frames == 0 || i < options.frames) && window.process_events(); ++i) {
    const bool shown = swapchain.show([&](VkCommandBuffer commands, uint32_t image) {
      record(context, scene, target, {commands, framebuffers[image], i}, has_depth);
    });
    if (!shown) break;  // the window was resized or closed: a demonstration ends here
  }
  vkDeviceWaitIdle(context.device);
  scene.destroy(context);
  for (const VkFramebuffer f : framebuffers) vkDestroyFramebuffer(context.device, f, nullptr);
  attachments.destroy(context);
  vkDestroyRenderPass(context.device, target.render_pass, nullptr);
  swapchain.destroy();
  return context.validation_messages() == 0 ? 0 : 1;
}

}  // namespace

int run(const Options& options, Scene& scene) { return options.headless ? run_headless(options, scene) : run_window(options, scene); }

}  // namespace example
