// SPDX-License-Identifier: MIT
/// Eighty small triangles from one draw call.
/// Shows: instance-rate vertex bindings, gl_InstanceIndex, firstInstance.
#include <cmath>

#include "examples/common/pipeline.h"
#include "flat_color.frag.h"
#include "instanced.vert.h"

namespace {

struct Instance {
  float placement[4];  // x, y, size, angle
  float color[3];
};

class Instancing final : public example::Scene {
 public:
  void create(example::Context& context, const example::Target& target) override {
    const float corners[][2] = {{0, -1}, {0.87f, 0.5f}, {-0.87f, 0.5f}};
    corners_ = context.create_buffer(sizeof corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, corners);
    std::vector<Instance> instances;
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 10; ++column) {
        const float u = (static_cast<float>(column) + 0.5f) / 10, v = (static_cast<float>(row) + 0.5f) / 8;
        instances.push_back({{u * 2 - 1, v * 2 - 1, 0.07f + 0.03f * u, u * 3 + v * 2}, {u, 0.4f + 0.4f * v, 1 - u}});
      }
    instance_count_ = static_cast<uint32_t>(instances.size());
    instances_ = context.create_buffer(instances.size() * sizeof(Instance), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, instances.data());
    layout_ = example::create_layout(context);
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof corners[0], VK_VERTEX_INPUT_RATE_VERTEX}, {1, sizeof(Instance), VK_VERTEX_INPUT_RATE_INSTANCE}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                          {1, 1, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(Instance, placement)},
                          {2, 1, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Instance, color)}};
    pipeline_ = builder.create(context, target.render_pass, layout_, instanced_vert, flat_color_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    const VkBuffer buffers[] = {corners_.buffer, instances_.buffer};
    const VkDeviceSize offsets[] = {0, 0};
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindVertexBuffers(frame.commands, 0, 2, buffers, offsets);
    vkCmdDraw(frame.commands, 3, instance_count_ - 5, 0, 5);  // leaves the first five out
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    context.destroy(instances_);
    context.destroy(corners_);
  }

 private:
  example::Buffer corners_, instances_;
  uint32_t instance_count_ = 0;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  Instancing scene;
  return example::run(example::parse_options(argc, argv, "instancing"), scene);
}
