// SPDX-License-Identifier: MIT
/// Six pictures that are nothing but a fragment program each, hung side by side, and a chain of passes over all of them: what is bright
/// glows, colours fringe at the corners, a curve and a vignette make a photograph of it.
/// Shows: rendering to textures and sampling them in the next pass, several framebuffers of one render pass, a pipeline per shader,
/// viewports as frames, push constants.
#include <algorithm>
#include <array>
#include <cstdint>

#include "blur.frag.h"
#include "bright.frag.h"
#include "examples/common/pipeline.h"
#include "examples/common/render_pass.h"
#include "examples/common/texture.h"
#include "fullscreen.vert.h"
#include "gallery_cells.frag.h"
#include "gallery_julia.frag.h"
#include "gallery_kaleidoscope.frag.h"
#include "gallery_spheres.frag.h"
#include "gallery_tunnel.frag.h"
#include "gallery_waves.frag.h"
#include "grade.frag.h"

namespace {

constexpr uint32_t kColumns = 3, kRows = 2, kPictures = kColumns * kRows;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

struct Push {
  float place[4];
};

/// An image that one pass renders and another samples.
struct Canvas {
  VkExtent2D extent{};
  example::Image image;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;

  void create(example::Context& context, VkRenderPass pass, VkExtent2D e) {
    extent = e;
    image = context.create_image({.format = kFormat,
                                  .width = e.width,
                                  .height = e.height,
                                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT});
    framebuffer = example::create_framebuffer(context, pass, {&image.view, 1}, e);
  }
  void destroy(example::Context& context) {
    vkDestroyFramebuffer(context.device, framebuffer, nullptr);
    context.destroy(image);
  }
};

class ShaderGallery final : public example::Scene {
 public:
  void create(example::Context& context, const example::Target& target) override {
    extent_ = target.extent;
    pass_ = example::create_render_pass(context, kFormat, VK_FORMAT_UNDEFINED, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    wall_.create(context, pass_, extent_);
    const VkExtent2D small{(extent_.width + 3) / 4, (extent_.height + 3) / 4};
    for (Canvas& canvas : glow_) canvas.create(context, pass_, small);

    const float corners[] = {-1, -1, 3, -1, -1, 3};
    corners_ = context.create_buffer(sizeof corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, corners);
    sampler_ = example::create_sampler(context, {.address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE});
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
    // What each pass reads: wall; glow 0; glow 1; wall and glow 0.
    const VkImageView first[] = {wall_.image.view, glow_[0].image.view, glow_[1].image.view, wall_.image.view};
    for (size_t i = 0; i < sets_.size(); ++i) {
      sets_[i] = example::create_descriptor_set(context, bindings);
      example::write_texture(context, sets_[i].set, 0, first[i], sampler_);
      example::write_texture(context, sets_[i].set, 1, i == 3 ? glow_[0].image.view : first[i], sampler_);
    }
    const VkPushConstantRange push{VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
    layout_ = example::create_layout(context, {&sets_[0].layout, 1}, {&push, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
    const auto pipeline = [&](std::span<const uint32_t> fragment, VkRenderPass pass) {
      return builder.create(context, pass, layout_, fullscreen_vert, fragment);
    };
    pictures_ = {pipeline(gallery_julia_frag, pass_), pipeline(gallery_spheres_frag, pass_), pipeline(gallery_tunnel_frag, pass_),
                 pipeline(gallery_cells_frag, pass_), pipeline(gallery_waves_frag, pass_),   pipeline(gallery_kaleidoscope_frag, pass_)};
    bright_ = pipeline(bright_frag, pass_);
    blur_ = pipeline(blur_frag, pass_);
    grade_ = pipeline(grade_frag, target.render_pass);
  }

  void prepare(example::Context&, const example::Frame& frame) override {
    const VkDeviceSize offset = 0;
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &corners_.buffer, &offset);
    hang_pictures(frame);
    const auto texel = [](const Canvas& of) {
      return std::array{1.0f / static_cast<float>(of.extent.width), 1.0f / static_cast<float>(of.extent.height)};
    };
    const auto [x, y] = texel(wall_);
    pass(frame, glow_[0], bright_, sets_[0], {{x, y, 0, 0}});
    const auto [u, v] = texel(glow_[0]);
    pass(frame, glow_[1], blur_, sets_[1], {{u, 0, 0, 0}});
    pass(frame, glow_[0], blur_, sets_[2], {{0, v, 0, 0}});
  }

  void draw(example::Context&, const example::Frame& frame) override {
    const VkDeviceSize offset = 0;
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &corners_.buffer, &offset);
    fill(frame, grade_, sets_[3], {});
  }

  void destroy(example::Context& context) override {
    for (const VkPipeline p : pictures_) vkDestroyPipeline(context.device, p, nullptr);
    for (const VkPipeline p : {bright_, blur_, grade_}) vkDestroyPipeline(context.device, p, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    for (example::DescriptorSet& set : sets_) example::destroy(context, set);
    vkDestroySampler(context.device, sampler_, nullptr);
    context.destroy(corners_);
    for (Canvas& canvas : glow_) canvas.destroy(context);
    wall_.destroy(context);
    vkDestroyRenderPass(context.device, pass_, nullptr);
  }

 private:
  void begin(const example::Frame& frame, const Canvas& canvas) {
    const VkClearValue clear{.color = {{0.035f, 0.035f, 0.045f, 1.0f}}};
    const VkRenderPassBeginInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = pass_,
                                     .framebuffer = canvas.framebuffer,
                                     .renderArea = {{0, 0}, canvas.extent},
                                     .clearValueCount = 1,
                                     .pClearValues = &clear};
    vkCmdBeginRenderPass(frame.commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  }

  static void window(const example::Frame& frame, const VkRect2D& area) {
    const VkViewport viewport{static_cast<float>(area.offset.x),
                              static_cast<float>(area.offset.y),
                              static_cast<float>(area.extent.width),
                              static_cast<float>(area.extent.height),
                              0.0f,
                              1.0f};
    vkCmdSetViewport(frame.commands, 0, 1, &viewport);
    vkCmdSetScissor(frame.commands, 0, 1, &area);
  }

  /// Fills the viewport.
  void fill(const example::Frame& frame, VkPipeline pipeline, const example::DescriptorSet& set, const Push& push) {
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set.set, 0, nullptr);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof push, &push);
    vkCmdDraw(frame.commands, 3, 1, 0, 0);
  }

  /// Draws the six pictures, each in its frame.
  void hang_pictures(const example::Frame& frame) {
    begin(frame, wall_);
    const uint32_t gap = std::max(1u, std::min(extent_.width, extent_.height) / 60);
    const uint32_t width = std::max(1u, (extent_.width - std::min(extent_.width, gap * (kColumns + 1))) / kColumns);
    const uint32_t height = std::max(1u, (extent_.height - std::min(extent_.height, gap * (kRows + 1))) / kRows);
    for (uint32_t i = 0; i < kPictures; ++i) {
      const auto x = static_cast<int32_t>(gap + i % kColumns * (width + gap)),
                 y = static_cast<int32_t>(gap + i / kColumns * (height + gap));
      window(frame, {{x, y}, {width, height}});
      const float time = 0.6f + 0.02f * static_cast<float>(frame.index);
      fill(frame, pictures_[i], sets_[3],
           {{1.0f / static_cast<float>(width), 1.0f / static_cast<float>(height), time,
             static_cast<float>(width) / static_cast<float>(height)}});
    }
    vkCmdEndRenderPass(frame.commands);
  }

  void pass(const example::Frame& frame, const Canvas& to, VkPipeline pipeline, const example::DescriptorSet& from, const Push& push) {
    begin(frame, to);
    window(frame, {{0, 0}, to.extent});
    fill(frame, pipeline, from, push);
    vkCmdEndRenderPass(frame.commands);
  }

  VkExtent2D extent_{};
  VkRenderPass pass_ = VK_NULL_HANDLE;
  Canvas wall_;
  std::array<Canvas, 2> glow_;  ///< a quarter of the size
  example::Buffer corners_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  std::array<example::DescriptorSet, 4> sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::array<VkPipeline, kPictures> pictures_{};
  VkPipeline bright_ = VK_NULL_HANDLE, blur_ = VK_NULL_HANDLE, grade_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  ShaderGallery scene;
  return example::run(example::parse_options(argc, argv, "shader gallery"), scene);
}
