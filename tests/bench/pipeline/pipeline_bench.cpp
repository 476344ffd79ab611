// SPDX-License-Identifier: MIT
/// How long the driver chosen by VK_DRIVER_FILES takes to make pipelines, cold: every iteration has other specialization constants and
/// there is no VkPipelineCache. Medians of the iterations:
///   start: device                from main() to the end of vkCreateDevice
///   NAME: modules and pipeline   vkCreateShaderModule twice and vkCreateGraphicsPipelines
///   NAME: to the first picture   the same, then a draw into 256x256 pixels until its fence (drivers may compile as late as there)
/// usage: bench_pipeline [PART OF A NAME]...
#include <algorithm>
#include <cstdio>
#include <string>

#include "bench_blur.frag.h"
#include "bench_branches.frag.h"
#include "bench_flat.frag.h"
#include "bench_lit.vert.h"
#include "bench_noise.frag.h"
#include "bench_pixel_lit.frag.h"
#include "bench_plain.vert.h"
#include "bench_vertex_color.frag.h"
#include "examples/common/matrix.h"
#include "examples/common/pipeline.h"
#include "examples/common/render_pass.h"
#include "examples/common/texture.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace {

using pumice::bench::Clock;
/// The first ten or so are those of a process whose memory grows: with few iterations the median is one of them.
constexpr int kIterations = 100;
constexpr const char* kStart = "start: device";
double ms_since(Clock::time_point begin) { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); }
double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

struct Vertex {
  float position[3], normal[3], uv[2];
};
struct Scene {
  example::Mat4 view_projection, model;
  float light[3][4]{{0, 0, 1, 0}, {1, 1, 1, 0}, {0.2f, 0.1f, 2, 0}},
      color[3][4]{{0.4f, 0.4f, 0.4f, 1}, {0.5f, 0.2f, 0.1f, 1}, {2, 2, 1, 1}}, ambient[4]{0.1f, 0.1f, 0.1f, 1};
};

struct Case {
  const char* name;
  std::span<const uint32_t> vertex, fragment;
};
const Case kCases[] = {
    {"flat", plain_vert, flat_frag},         {"lit mesh", lit_vert, vertex_color_frag}, {"lit pixels", plain_vert, pixel_lit_frag},
    {"blur 25 taps", plain_vert, blur_frag}, {"noise", plain_vert, noise_frag},         {"branches", plain_vert, branches_frag},
};

class Bench {
 public:
  explicit Bench(example::Context& context) : c_(context), commands_(context) {
    const Vertex triangle[] = {{{-1, -1, 0.5f}, {0, 0, 1}, {0, 0}}, {{3, -1, 0.5f}, {0, 1, 1}, {2, 0}}, {{-1, 3, 0.5f}, {1, 0, 1}, {0, 2}}};
    vertices_ = c_.create_buffer(sizeof triangle, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, triangle);
    const Scene scene;
    uniforms_ = c_.create_buffer(sizeof scene, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &scene);
    texture_ = c_.create_image({.width = 64, .height = 64, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    c_.upload(texture_, example::checkerboard(64, 8, {230, 200, 120, 255}, {40, 60, 160, 255}));
    sampler_ = example::create_sampler(c_);
    const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, both, nullptr},
                                                     {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, both, nullptr}};
    set_ = example::create_descriptor_set(c_, bindings);
    example::write_buffer(c_, set_.set, 0, uniforms_);
    example::write_texture(c_, set_.set, 1, texture_.view, sampler_);
    layout_ = example::create_layout(c_, {&set_.layout, 1});
    target_ =
        c_.create_image({.width = kSize, .height = kSize, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT});
    pass_ = example::create_render_pass(c_, target_.format, VK_FORMAT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    framebuffer_ = example::create_framebuffer(c_, pass_, {&target_.view, 1}, {kSize, kSize});
  }
  ~Bench() {
    vkDestroyFramebuffer(c_.device, framebuffer_, nullptr);
    vkDestroyRenderPass(c_.device, pass_, nullptr);
    vkDestroyPipelineLayout(c_.device, layout_, nullptr);
    example::destroy(c_, set_);
    vkDestroySampler(c_.device, sampler_, nullptr);
    for (example::Image* i : {&texture_, &target_}) c_.destroy(*i);
    for (example::Buffer* b : {&vertices_, &uniforms_}) c_.destroy(*b);
  }

  void run(const Case& what) {
    std::vector<double> created, drawn;
    for (int i = 0; i < kIterations; ++i) {
      const Clock::time_point begin = Clock::now();
      const VkPipeline pipeline = create(what, 0.5f + static_cast<float>(++unique_) / 65536.0f);
      created.push_back(ms_since(begin));
      draw(pipeline);
      drawn.push_back(ms_since(begin));
      vkDestroyPipeline(c_.device, pipeline, nullptr);
    }
    pumice::bench::print(std::string(what.name) + ": modules and pipeline", median(created), "ms");
    pumice::bench::print(std::string(what.name) + ": to the first picture", median(drawn), "ms");
  }

 private:
  static constexpr uint32_t kSize = 256;

  VkPipeline create(const Case& what, float unique) {
    const VkSpecializationMapEntry entry{0, 0, sizeof unique};
    const VkSpecializationInfo special{1, &entry, sizeof unique, &unique};
    const VkShaderModule modules[] = {c_.create_shader(what.vertex), c_.create_shader(what.fragment)};
    VkPipelineShaderStageCreateInfo stages[2];
    for (int s = 0; s < 2; ++s)
      stages[s] = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = s ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
                   .module = modules[s],
                   .pName = "main",
                   .pSpecializationInfo = &special};
    const VkVertexInputBindingDescription binding{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, position)},
                                                            {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, normal)},
                                                            {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, uv)}};
    const VkPipelineVertexInputStateCreateInfo input{.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                     .vertexBindingDescriptionCount = 1,
                                                     .pVertexBindingDescriptions = &binding,
                                                     .vertexAttributeDescriptionCount = 3,
                                                     .pVertexAttributeDescriptions = attributes};
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    const VkPipelineViewportStateCreateInfo view{.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                 .viewportCount = 1,
                                                 .pViewports = &viewport,
                                                 .scissorCount = 1,
                                                 .pScissors = &scissor};
    const VkPipelineMultisampleStateCreateInfo samples{.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                       .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const example::PipelineBuilder plain;
    const VkPipelineColorBlendStateCreateInfo blending{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &plain.blend};
    const VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                            .stageCount = 2,
                                            .pStages = stages,
                                            .pVertexInputState = &input,
                                            .pInputAssemblyState = &plain.assembly,
                                            .pViewportState = &view,
                                            .pRasterizationState = &plain.rasterization,
                                            .pMultisampleState = &samples,
                                            .pColorBlendState = &blending,
                                            .layout = layout_,
                                            .renderPass = pass_};
    VkPipeline pipeline;
    VK_CHECK(vkCreateGraphicsPipelines(c_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
    for (const VkShaderModule m : modules) vkDestroyShaderModule(c_.device, m, nullptr);
    return pipeline;
  }

  void draw(VkPipeline pipeline) {
    const VkClearValue clear{};
    const VkRenderPassBeginInfo pass{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = pass_,
                                     .framebuffer = framebuffer_,
                                     .renderArea = {{0, 0}, {kSize, kSize}},
                                     .clearValueCount = 1,
                                     .pClearValues = &clear};
    const VkDeviceSize offset = 0;
    commands_.record(
        [&] {
          vkCmdBeginRenderPass(commands_, &pass, VK_SUBPASS_CONTENTS_INLINE);
          vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
          vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
          vkCmdBindVertexBuffers(commands_, 0, 1, &vertices_.buffer, &offset);
          vkCmdDraw(commands_, 3, 1, 0, 0);
          vkCmdEndRenderPass(commands_);
        },
        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    commands_.run();
  }

  example::Context& c_;
  example::Buffer vertices_, uniforms_;
  example::Image texture_, target_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  example::DescriptorSet set_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  pumice::bench::Commands commands_;
  int unique_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const Clock::time_point begin = Clock::now();
  example::Context context({.title = "pipeline benchmark", .headless = true}, {}, {});
  if (pumice::bench::wanted(argc, argv, kStart)) pumice::bench::print(kStart, ms_since(begin), "ms");
  Bench bench(context);
  for (const Case& c : kCases)
    if (pumice::bench::wanted(argc, argv, c.name)) bench.run(c);
  return 0;
}
