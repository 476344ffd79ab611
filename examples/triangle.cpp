// SPDX-License-Identifier: MIT
/// One triangle with a colour at each corner.
/// Shows: shader modules, a vertex buffer with two attributes, a graphics pipeline, interpolation.
#include "examples/common/pipeline.h"
#include "flat_color.frag.h"
#include "flat_color.vert.h"

namespace {

struct Vertex {
  float position[2];
  float color[3];
};

class Triangle final : public example::Scene {
 public:
  void create(example::Context& context, const example::Target& target) override {
    const Vertex vertices[] = {{{0.0f, -0.7f}, {1, 0, 0}}, {{0.7f, 0.6f}, {0, 1, 0}}, {{-0.7f, 0.6f}, {0, 0, 1}}};
    vertices_ = context.create_buffer(sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
    layout_ = example::create_layout(context);
    example::PipelineBuilder builder;
    // One binding: the vertices lie in one buffer, one after the other; two attributes inside each.
    builder.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, position)},
                          {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, color)}};
    pipeline_ = builder.create(context, target.render_pass, layout_, flat_color_vert, flat_color_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    const VkDeviceSize offset = 0;
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdDraw(frame.commands, 3, 1, 0, 0);
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    context.destroy(vertices_);
  }

 private:
  example::Buffer vertices_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  Triangle scene;
  return example::run(example::parse_options(argc, argv, "triangle"), scene);
}
