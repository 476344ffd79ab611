// SPDX-License-Identifier: MIT
/// A quad from an index buffer, with a texture on it.
/// Shows: index buffers, uploading an image, image views and samplers, a descriptor set, address modes (the texture repeats).
#include "examples/common/pipeline.h"
#include "examples/common/texture.h"
#include "textured.frag.h"
#include "textured.vert.h"

namespace {

struct Vertex {
  float position[2];
  float uv[2];
};

class TexturedQuad final : public example::Scene {
 public:
  void create(example::Context& context, const example::Target& target) override {
    const Vertex vertices[] = {{{-0.8f, -0.8f}, {-0.25f, -0.25f}},
                               {{0.8f, -0.8f}, {1.25f, -0.25f}},
                               {{0.7f, 0.8f}, {1.25f, 1.25f}},
                               {{-0.7f, 0.8f}, {-0.25f, 1.25f}}};
    const uint16_t indices[] = {0, 1, 2, 0, 2, 3};
    vertices_ = context.create_buffer(sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
    indices_ = context.create_buffer(sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);

    const uint32_t size = 64;
    image_ = context.create_image({.width = size, .height = size, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    context.upload(image_, example::checkerboard(size, 8, {230, 90, 60, 255}, {60, 130, 230, 255}));
    sampler_ = example::create_sampler(context);

    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    set_ = example::create_descriptor_set(context, {&binding, 1});
    example::write_texture(context, set_.set, 0, image_.view, sampler_);

    layout_ = example::create_layout(context, {&set_.layout, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, position)},
                          {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, uv)}};
    pipeline_ = builder.create(context, target.render_pass, layout_, textured_vert, textured_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    const VkDeviceSize offset = 0;
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdBindIndexBuffer(frame.commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(frame.commands, 6, 1, 0, 0, 0);
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    example::destroy(context, set_);
    vkDestroySampler(context.device, sampler_, nullptr);
    context.destroy(image_);
    context.destroy(indices_);
    context.destroy(vertices_);
  }

 private:
  example::Buffer vertices_, indices_;
  example::Image image_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  example::DescriptorSet set_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  TexturedQuad scene;
  return example::run(example::parse_options(argc, argv, "textured quad"), scene);
}
