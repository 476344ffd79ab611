// SPDX-License-Identifier: MIT
/// A lit cube and a thin star turn around each other, four samples per pixel: edges are smooth, also where the two intersect.
/// Shows: attachments of several samples, a resolve attachment (create_render_pass in common/render_pass.cpp), transient images, and what a
/// pipeline must say about samples.
#include <cmath>
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

class Multisample final : public example::Scene {
 public:
  // 4 is the count that every device has for every attachment format.
  VkSampleCountFlagBits samples() const override { return VK_SAMPLE_COUNT_4_BIT; }

  VkFormat depth_format(const example::Context& context) const override {
    const VkFormat candidates[] = {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D16_UNORM};
    return context.choose_format(candidates, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
  }

  void create(example::Context& context, const example::Target& target) override {
    aspect_ = static_cast<float>(target.extent.width) / static_cast<float>(target.extent.height);
    example::Mesh mesh = example::cube_mesh();
    cube_indices_ = static_cast<uint32_t>(mesh.indices.size());
    add_star(mesh);
    star_indices_ = static_cast<uint32_t>(mesh.indices.size()) - cube_indices_;
    vertices_ =
        context.create_buffer(mesh.vertices.size() * sizeof(example::MeshVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, mesh.vertices.data());
    indices_ = context.create_buffer(mesh.indices.size() * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, mesh.indices.data());

    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(Push)};
    layout_ = example::create_layout(context, {}, {&push, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof(example::MeshVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    builder.depth_stencil.depthTestEnable = VK_TRUE;
    builder.depth_stencil.depthWriteEnable = VK_TRUE;
    builder.samples = samples();  // the attachments' count
    pipeline_ = builder.create(context, target.render_pass, layout_, transformed_vert, varying_color_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    using namespace example;
    const VkDeviceSize offset = 0;
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdBindIndexBuffer(frame.commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT16);
    const float angle = 0.5f + static_cast<float>(frame.index) * 0.02f;
    const Mat4 cube = rotate_y(angle) * rotate_x(0.5f) * scale({0.6f, 0.6f, 0.6f});
    static constexpr std::array<float, 4> kFaces[6] = {{0.7f, 0.3f, 0.2f, 1}, {0.6f, 0.25f, 0.15f, 1}, {0.9f, 0.6f, 0.3f, 1},
                                                       {0.5f, 0.3f, 0.2f, 1}, {0.8f, 0.45f, 0.25f, 1}, {0.55f, 0.2f, 0.2f, 1}};
    for (uint32_t face = 0; face < 6; ++face) shape(frame, cube, kFaces[face], face * 6, 6);
    shape(frame, rotate_x(0.3f) * rotate_y(-angle) * scale({1.1f, 1.1f, 1.1f}), {0.4f, 0.7f, 0.9f, 1}, cube_indices_, star_indices_);
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    context.destroy(indices_);
    context.destroy(vertices_);
  }

 private:
  /// Five points in the plane z = 0.
  static void add_star(example::Mesh& mesh) {
    const auto first = static_cast<uint16_t>(mesh.vertices.size());
    mesh.vertices.push_back({{0, 0, 0}, {0, 0, 1}});
    for (int i = 0; i < 10; ++i) {
      const float radius = i % 2 ? 0.45f : 1.0f, turn = static_cast<float>(i) * 0.62831853f;
      mesh.vertices.push_back({{radius * std::sin(turn), -radius * std::cos(turn), 0}, {0, 0, 1}});
      for (const int k : {0, 1 + i, 1 + (i + 1) % 10}) mesh.indices.push_back(static_cast<uint16_t>(first + k));
    }
  }

  void shape(const example::Frame& frame, const example::Mat4& model, std::array<float, 4> color, uint32_t first, uint32_t count) {
    Push push;
    push.transform = example::perspective(0.9f, aspect_, 0.5f, 20.0f) * example::translate({0, 0, -5}) * model;
    std::memcpy(push.color, color.data(), sizeof push.color);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
    vkCmdDrawIndexed(frame.commands, count, 1, first, 0, 0);
  }

  float aspect_ = 1;
  example::Buffer vertices_, indices_;
  uint32_t cube_indices_ = 0, star_indices_ = 0;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  Multisample scene;
  return example::run(example::parse_options(argc, argv, "four samples per pixel"), scene);
}
