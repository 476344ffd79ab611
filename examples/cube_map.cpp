// SPDX-License-Identifier: MIT
/// A box seen from outside, coloured by a cube map that is looked up with the direction to each point.
/// Shows: cube-compatible images, one upload per face, cube views, samplerCube.
#include "examples/common/matrix.h"
#include "examples/common/meshes.h"
#include "examples/common/pipeline.h"
#include "examples/common/texture.h"
#include "sky.frag.h"
#include "sky.vert.h"

namespace {

class CubeMap final : public example::Scene {
 public:
  void create(example::Context& context, const example::Target& target) override {
    aspect_ = static_cast<float>(target.extent.width) / static_cast<float>(target.extent.height);
    const example::Mesh cube = example::cube_mesh();
    vertices_ =
        context.create_buffer(cube.vertices.size() * sizeof(example::MeshVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, cube.vertices.data());
    indices_ = context.create_buffer(cube.indices.size() * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, cube.indices.data());
    index_count_ = static_cast<uint32_t>(cube.indices.size());

    const uint32_t size = 32;
    image_ = context.create_image(
        {.width = size, .height = size, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, .layers = 6, .cube = true});
    // +X, -X, +Y, -Y, +Z, -Z: red, cyan, green, magenta, blue, yellow.
    const example::Rgba faces[] = {{220, 60, 50, 255},  {50, 200, 200, 255}, {70, 190, 70, 255},
                                   {200, 60, 190, 255}, {60, 90, 220, 255},  {230, 210, 60, 255}};
    for (uint32_t face = 0; face < 6; ++face) {
      const example::Rgba c = faces[face];
      const auto dark = [](uint8_t v) { return static_cast<uint8_t>(v * 2 / 3); };
      context.upload(image_, example::checkerboard(size, 4, c, {dark(c.r), dark(c.g), dark(c.b), 255}), 0, face);
    }
    sampler_ = example::create_sampler(context, {.filter = VK_FILTER_NEAREST, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE});
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    set_ = example::create_descriptor_set(context, {&binding, 1});
    example::write_texture(context, set_.set, 0, image_.view, sampler_);

    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(example::Mat4)};
    layout_ = example::create_layout(context, {&set_.layout, 1}, {&push, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof(example::MeshVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    builder.rasterization.cullMode = VK_CULL_MODE_BACK_BIT;
    pipeline_ = builder.create(context, target.render_pass, layout_, sky_vert, sky_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    using namespace example;
    const Mat4 transform = perspective(0.9f, aspect_, 0.5f, 20.0f) * translate({0, 0, -4.5f}) * rotate_x(0.5f) *
                           rotate_y(0.75f + static_cast<float>(frame.index) * 0.02f);
    const VkDeviceSize offset = 0;
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof transform, &transform);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdBindIndexBuffer(frame.commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(frame.commands, index_count_, 1, 0, 0, 0);
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
  float aspect_ = 1;
  example::Buffer vertices_, indices_;
  uint32_t index_count_ = 0;
  example::Image image_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  example::DescriptorSet set_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  CubeMap scene;
  return example::run(example::parse_options(argc, argv, "cube map"), scene);
}
