// SPDX-License-Identifier: MIT
/// A lit cube with a bright outline: the cube marks its pixels in the stencil buffer, then a slightly larger one is drawn
/// everywhere but there.
/// Shows: stencil operations and tests, a uniform buffer, two pipelines on one layout.
#include "examples/common/matrix.h"
#include "examples/common/meshes.h"
#include "examples/common/pipeline.h"
#include "lit.frag.h"
#include "lit.vert.h"
#include "outline.frag.h"
#include "outline.vert.h"

namespace {

struct SceneUniforms {
  example::Mat4 view_projection, model;
  float light[4];
};

class StencilOutline final : public example::Scene {
 public:
  VkFormat depth_format(const example::Context& context) const override {
    const VkFormat candidates[] = {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
    return context.choose_format(candidates, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
  }

  void create(example::Context& context, const example::Target& target) override {
    aspect_ = static_cast<float>(target.extent.width) / static_cast<float>(target.extent.height);
    const example::Mesh cube = example::cube_mesh();
    vertices_ =
        context.create_buffer(cube.vertices.size() * sizeof(example::MeshVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, cube.vertices.data());
    indices_ = context.create_buffer(cube.indices.size() * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, cube.indices.data());
    index_count_ = static_cast<uint32_t>(cube.indices.size());
    uniforms_ = context.create_buffer(sizeof(SceneUniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                               VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    set_ = example::create_descriptor_set(context, {&binding, 1});
    example::write_buffer(context, set_.set, 0, uniforms_);

    layout_ = example::create_layout(context, {&set_.layout, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof(example::MeshVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32_SFLOAT, 12}};
    builder.rasterization.cullMode = VK_CULL_MODE_BACK_BIT;
    builder.depth_stencil.depthTestEnable = VK_TRUE;
    builder.depth_stencil.depthWriteEnable = VK_TRUE;
    builder.depth_stencil.stencilTestEnable = VK_TRUE;
    builder.depth_stencil.front = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xFF, 0xFF, 1};
    builder.depth_stencil.back = builder.depth_stencil.front;
    solid_ = builder.create(context, target.render_pass, layout_, lit_vert, lit_frag);

    builder.depth_stencil.depthTestEnable = VK_FALSE;
    builder.depth_stencil.front = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_NOT_EQUAL, 0xFF, 0xFF, 1};
    builder.depth_stencil.back = builder.depth_stencil.front;
    builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    outline_ = builder.create(context, target.render_pass, layout_, outline_vert, outline_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    using namespace example;
    // One frame is in flight at a time, so the buffer may be rewritten here.
    auto& u = *static_cast<SceneUniforms*>(uniforms_.mapped);
    u.view_projection = perspective(0.9f, aspect_, 0.5f, 20.0f) * translate({0, 0, -5});
    u.model = rotate_y(0.7f + static_cast<float>(frame.index) * 0.02f) * rotate_x(0.5f);
    const float light[] = {0.36f, 0.48f, 0.8f, 0.08f};
    std::copy(std::begin(light), std::end(light), u.light);
    const VkDeviceSize offset = 0;
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdBindIndexBuffer(frame.commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT16);
    for (const VkPipeline pipeline : {solid_, outline_}) {
      vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdDrawIndexed(frame.commands, index_count_, 1, 0, 0, 0);
    }
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, outline_, nullptr);
    vkDestroyPipeline(context.device, solid_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    example::destroy(context, set_);
    context.destroy(uniforms_);
    context.destroy(indices_);
    context.destroy(vertices_);
  }

 private:
  float aspect_ = 1;
  example::Buffer vertices_, indices_, uniforms_;
  uint32_t index_count_ = 0;
  example::DescriptorSet set_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline solid_ = VK_NULL_HANDLE, outline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  StencilOutline scene;
  return example::run(example::parse_options(argc, argv, "stencil outline"), scene);
}
