// SPDX-License-Identifier: MIT
/// A floor that runs to the horizon. Its texture has a full chain of mip levels, each made from the one before by vkCmdBlitImage.
/// Shows: mip levels, blits, trilinear filtering, layout transitions of single levels.
#include <bit>

#include "examples/common/matrix.h"
#include "examples/common/pipeline.h"
#include "examples/common/texture.h"
#include "floor.vert.h"
#include "textured.frag.h"

namespace {

struct Vertex {
  float position[3];
  float uv[2];
};

class Mipmaps final : public example::Scene {
 public:
  void create(example::Context& context, const example::Target& target) override {
    aspect_ = static_cast<float>(target.extent.width) / static_cast<float>(target.extent.height);
    const Vertex vertices[] = {{{-20, 0, 1}, {0, 0}}, {{20, 0, 1}, {5, 0}},    {{20, 0, -80}, {5, 10}},
                               {{-20, 0, 1}, {0, 0}}, {{20, 0, -80}, {5, 10}}, {{-20, 0, -80}, {0, 10}}};
    vertices_ = context.create_buffer(sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
    create_texture(context);
    sampler_ = example::create_sampler(context, {.mipmap = VK_SAMPLER_MIPMAP_MODE_LINEAR, .max_lod = static_cast<float>(kLevels - 1)});
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    set_ = example::create_descriptor_set(context, {&binding, 1});
    example::write_texture(context, set_.set, 0, image_.view, sampler_);
    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(example::Mat4)};
    layout_ = example::create_layout(context, {&set_.layout, 1}, {&push, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32_SFLOAT, 12}};
    pipeline_ = builder.create(context, target.render_pass, layout_, floor_vert, textured_frag);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    using namespace example;
    const Mat4 transform =
        perspective(1.0f, aspect_, 0.1f, 100.0f) * rotate_x(0.2f) * translate({0, -1.2f, static_cast<float>(frame.index) * 0.02f});
    const VkDeviceSize offset = 0;
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof transform, &transform);
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdDraw(frame.commands, 6, 1, 0, 0);
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    example::destroy(context, set_);
    vkDestroySampler(context.device, sampler_, nullptr);
    context.destroy(image_);
    context.destroy(vertices_);
  }

 private:
  static constexpr uint32_t kSize = 128, kLevels = std::bit_width(kSize);

  void create_texture(example::Context& context) {
    image_ = context.create_image({.width = kSize,
                                   .height = kSize,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                   .mip_levels = kLevels});
    context.upload(image_, example::checkerboard(kSize, 32, {200, 196, 180, 255}, {110, 124, 140, 255}));
    context.run_once([&](VkCommandBuffer commands) {
      const auto aspect = VK_IMAGE_ASPECT_COLOR_BIT;
      example::transition(commands, image_.image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, aspect, 0,
                          1);
      for (uint32_t level = 1; level < kLevels; ++level) {
        const auto size = [](uint32_t l) { return static_cast<int32_t>(kSize >> l); };
        example::transition(commands, image_.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, aspect, level, 1);
        const VkImageBlit blit{.srcSubresource = {aspect, level - 1, 0, 1},
                               .srcOffsets = {{0, 0, 0}, {size(level - 1), size(level - 1), 1}},
                               .dstSubresource = {aspect, level, 0, 1},
                               .dstOffsets = {{0, 0, 0}, {size(level), size(level), 1}}};
        vkCmdBlitImage(commands, image_.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image_.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                       &blit, VK_FILTER_LINEAR);
        example::transition(commands, image_.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, aspect,
                            level, 1);
      }
      example::transition(commands, image_.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    });
  }

  float aspect_ = 1;
  example::Buffer vertices_;
  example::Image image_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  example::DescriptorSet set_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  Mipmaps scene;
  return example::run(example::parse_options(argc, argv, "mipmaps"), scene);
}
