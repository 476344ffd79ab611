// SPDX-License-Identifier: MIT
/// A first pass draws a triangle into an image; a second pass shows that image through ripples.
/// Shows: rendering to an image, a second render pass, sampling what was drawn, push constants in a fragment shader.
#include "examples/common/pipeline.h"
#include "examples/common/render_pass.h"
#include "examples/common/texture.h"
#include "flat_color.frag.h"
#include "flat_color.vert.h"
#include "ripple.frag.h"
#include "textured.vert.h"

namespace {

class Offscreen final : public example::Scene {
 public:
  void create(example::Context& context, const example::Target& target) override {
    create_first_pass(context);
    const float quad[][4] = {{-0.9f, -0.9f, 0, 0}, {0.9f, -0.9f, 1, 0}, {-0.9f, 0.9f, 0, 1}, {0.9f, 0.9f, 1, 1}};
    quad_ = context.create_buffer(sizeof quad, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, quad);
    sampler_ = example::create_sampler(context, {.address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE});
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    set_ = example::create_descriptor_set(context, {&binding, 1});
    example::write_texture(context, set_.set, 0, image_.view, sampler_);
    const VkPushConstantRange push{VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(float)};
    layout_ = example::create_layout(context, {&set_.layout, 1}, {&push, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof quad[0], VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32_SFLOAT, 8}};
    builder.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    pipeline_ = builder.create(context, target.render_pass, layout_, textured_vert, ripple_frag);
  }

  // The first pass comes before the picture's own render pass; its final layout makes the image ready for sampling.
  void prepare(example::Context&, const example::Frame& frame) override {
    const VkClearValue clear{.color = {{0.9f, 0.9f, 0.8f, 1.0f}}};
    const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = first_pass_,
                                      .framebuffer = framebuffer_,
                                      .renderArea = {{0, 0}, {kSize, kSize}},
                                      .clearValueCount = 1,
                                      .pClearValues = &clear};
    vkCmdBeginRenderPass(frame.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    const VkViewport viewport{0, 0, static_cast<float>(kSize), static_cast<float>(kSize), 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    const VkDeviceSize offset = 0;
    vkCmdSetViewport(frame.commands, 0, 1, &viewport);
    vkCmdSetScissor(frame.commands, 0, 1, &scissor);
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first_pipeline_);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &triangle_.buffer, &offset);
    vkCmdDraw(frame.commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(frame.commands);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    const float time = static_cast<float>(frame.index) * 0.1f;
    const VkDeviceSize offset = 0;
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof time, &time);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &quad_.buffer, &offset);
    vkCmdDraw(frame.commands, 4, 1, 0, 0);
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    vkDestroyPipeline(context.device, first_pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, first_layout_, nullptr);
    vkDestroyFramebuffer(context.device, framebuffer_, nullptr);
    vkDestroyRenderPass(context.device, first_pass_, nullptr);
    example::destroy(context, set_);
    vkDestroySampler(context.device, sampler_, nullptr);
    context.destroy(image_);
    context.destroy(quad_);
    context.destroy(triangle_);
  }

 private:
  static constexpr uint32_t kSize = 256;

  void create_first_pass(example::Context& context) {
    const float vertices[][5] = {{0.0f, -0.8f, 0.9f, 0.2f, 0.2f}, {0.8f, 0.7f, 0.1f, 0.7f, 0.3f}, {-0.8f, 0.7f, 0.2f, 0.3f, 0.9f}};
    triangle_ = context.create_buffer(sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
    image_ =
        context.create_image({.width = kSize, .height = kSize, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    first_pass_ = example::create_render_pass(context, image_.format, VK_FORMAT_UNDEFINED, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    framebuffer_ = example::create_framebuffer(context, first_pass_, {&image_.view, 1}, {kSize, kSize});
    first_layout_ = example::create_layout(context);
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof vertices[0], VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32_SFLOAT, 8}};
    first_pipeline_ = builder.create(context, first_pass_, first_layout_, flat_color_vert, flat_color_frag);
  }

  example::Buffer triangle_, quad_;
  example::Image image_;
  VkRenderPass first_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  VkPipelineLayout first_layout_ = VK_NULL_HANDLE, layout_ = VK_NULL_HANDLE;
  VkPipeline first_pipeline_ = VK_NULL_HANDLE, pipeline_ = VK_NULL_HANDLE;
  VkSampler sampler_ = VK_NULL_HANDLE;
  example::DescriptorSet set_;
};

}  // namespace

int main(int argc, char** argv) {
  Offscreen scene;
  return example::run(example::parse_options(argc, argv, "offscreen target"), scene);
}
