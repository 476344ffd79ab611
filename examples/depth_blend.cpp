// SPDX-License-Identifier: MIT
/// Two opaque cubes that pierce each other, and a glass pane in front.
/// Shows: a depth attachment, depth test and write, blending (tested against depth but not written), push constants, back-face culling.
#include <cstring>

#include "examples/common/matrix.h"
#include "examples/common/meshes.h"
#include "examples/common/pipeline.h"
#include "transformed.vert.h"
#include "varying_color.frag.h"

namespace {

struct Push {
  example::Mat4 transform;
  float color[4];
};

class DepthBlend final : public example::Scene {
 public:
  VkFormat depth_format(const example::Context& context) const override {
    const VkFormat candidates[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT};
    return context.choose_format(candidates, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
  }

  void create(example::Context& context, const example::Target& target) override {
    aspect_ = static_cast<float>(target.extent.width) / static_cast<float>(target.extent.height);
    const example::Mesh cube = example::cube_mesh();
    vertices_ =
        context.create_buffer(cube.vertices.size() * sizeof(example::MeshVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, cube.vertices.data());
    indices_ = context.create_buffer(cube.indices.size() * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, cube.indices.data());
    index_count_ = static_cast<uint32_t>(cube.indices.size());

    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(Push)};
    layout_ = example::create_layout(context, {}, {&push, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof(example::MeshVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    builder.rasterization.cullMode = VK_CULL_MODE_BACK_BIT;
    builder.depth_stencil.depthTestEnable = VK_TRUE;
    builder.depth_stencil.depthWriteEnable = VK_TRUE;
    opaque_ = builder.create(context, target.render_pass, layout_, transformed_vert, varying_color_frag);

    builder.depth_stencil.depthWriteEnable = VK_FALSE;
    builder.blend.blendEnable = VK_TRUE;
    builder.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    builder.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    builder.blend.colorBlendOp = VK_BLEND_OP_ADD;
    builder.blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
    builder.blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    builder.blend.alphaBlendOp = VK_BLEND_OP_ADD;
    glass_ = builder.create(context, target.render_pass, layout_, transformed_vert, varying_color_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    const VkDeviceSize offset = 0;
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdBindIndexBuffer(frame.commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT16);
    const float angle = 0.6f + static_cast<float>(frame.index) * 0.02f;
    using namespace example;
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, opaque_);
    box(frame, translate({-0.4f, 0, 0}) * rotate_y(angle) * rotate_x(0.4f), {0.85f, 0.3f, 0.2f, 1});
    box(frame, translate({0.7f, 0.2f, -0.5f}) * rotate_y(-angle), {0.2f, 0.6f, 0.3f, 1});
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, glass_);
    box(frame, translate({0.2f, -0.1f, 1.6f}) * scale({0.9f, 0.7f, 0.05f}), {0.3f, 0.5f, 1.0f, 0.45f});
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, glass_, nullptr);
    vkDestroyPipeline(context.device, opaque_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    context.destroy(indices_);
    context.destroy(vertices_);
  }

 private:
  void box(const example::Frame& frame, const example::Mat4& model, std::array<float, 4> color) {
    Push push;
    push.transform = example::perspective(0.9f, aspect_, 0.5f, 20.0f) * example::translate({0, 0, -5}) * model;
    std::memcpy(push.color, color.data(), sizeof push.color);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
    vkCmdDrawIndexed(frame.commands, index_count_, 1, 0, 0, 0);
  }

  float aspect_ = 1;
  example::Buffer vertices_, indices_;
  uint32_t index_count_ = 0;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline opaque_ = VK_NULL_HANDLE, glass_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  DepthBlend scene;
  return example::run(example::parse_options(argc, argv, "depth and blend"), scene);
}
