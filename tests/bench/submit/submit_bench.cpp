// SPDX-License-Identifier: MIT
/// What work costs besides its pixels: start-up, an empty submission, one draw, and command buffers of 2,000 small draws that change
/// something between any two (recorded anew each time; the total is recording, submission and waiting).
#include <array>
#include <cstring>
#include <functional>
#include <string>

#include "examples/common/pipeline.h"
#include "examples/common/render_pass.h"
#include "small.frag.h"
#include "small.vert.h"
#include "small_block.vert.h"
#include "small_push.frag.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace {

using namespace pumice::bench;

constexpr uint32_t kSize = 256, kDraws = 2000, kSets = 64;

struct Push {
  float place[4], color[4];
};
Push push_of(uint32_t i) {
  const float x = static_cast<float>(i % 40) / 20.0f - 1.0f, y = static_cast<float>(i / 40) / 25.0f - 1.0f;
  return {{x, y, 0.04f, 0.04f}, {static_cast<float>(i % 7) / 7.0f, static_cast<float>(i % 11) / 11.0f, 0.5f, 1.0f}};
}

class Bench {
 public:
  Bench(int argc, char** argv, const example::Options& options)
      : argc_(argc), argv_(argv), context_(options, {}, {}), commands_(context_) {}
  void create();
  void run();
  void destroy();

 private:
  bool selected(const std::string& name) const { return wanted(argc_, argv_, name); }
  void record(const std::function<void()>& draws);
  void latency(const std::string& name, const std::function<void()>& once);
  void draws(const std::string& name, const std::function<void(uint32_t)>& one, const std::function<void()>& before);
  VkDescriptorSet set(uint32_t i) const { return sets_[i % kSets].set; }

  int argc_;
  char** argv_;
  example::Context context_;
  Commands commands_;
  example::Image image_;
  example::Buffer vertices_, block_;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  std::array<example::DescriptorSet, kSets> sets_;
  VkPipelineLayout push_layout_ = VK_NULL_HANDLE, block_layout_ = VK_NULL_HANDLE;
  VkPipeline push_ = VK_NULL_HANDLE, push_fragment_ = VK_NULL_HANDLE, blended_ = VK_NULL_HANDLE, block_pipeline_ = VK_NULL_HANDLE;
};

void Bench::create() {
  image_ = context_.create_image({.width = kSize, .height = kSize, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
  pass_ = create_render_pass(context_, image_.format, VK_FORMAT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  const VkImageView views[] = {image_.view};
  framebuffer_ = create_framebuffer(context_, pass_, views, {kSize, kSize});
  const float corners[] = {-1, -1, 1, -1, 0, 1};
  vertices_ = context_.create_buffer(sizeof corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, corners);

  constexpr VkDeviceSize kStride = 256;
  block_ = context_.create_buffer(kStride * kSets, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr};
  for (uint32_t i = 0; i < kSets; ++i) {
    const Push p = push_of(i * 30);
    std::memcpy(static_cast<char*>(block_.mapped) + kStride * i, &p, sizeof p);
    sets_[i] = create_descriptor_set(context_, {&binding, 1});
    const VkDescriptorBufferInfo buffer{block_.buffer, kStride * i, sizeof p};
    const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                     .dstSet = sets_[i].set,
                                     .dstBinding = 0,
                                     .descriptorCount = 1,
                                     .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                     .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(context_.device, 1, &write, 0, nullptr);
  }
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
  push_layout_ = example::create_layout(context_, {}, {&range, 1});
  block_layout_ = example::create_layout(context_, {&sets_[0].layout, 1});
  example::PipelineBuilder builder;
  builder.bindings = {{0, 2 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX}};
  builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
  push_ = builder.create(context_, pass_, push_layout_, small_vert, small_frag);
  push_fragment_ = builder.create(context_, pass_, push_layout_, small_vert, small_push_frag);
  block_pipeline_ = builder.create(context_, pass_, block_layout_, small_block_vert, small_frag);
  builder.blend.blendEnable = VK_TRUE;
  builder.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  builder.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  blended_ = builder.create(context_, pass_, push_layout_, small_vert, small_frag);
}

void Bench::record(const std::function<void()>& what) {
  const VkClearValue clear{};
  const VkRenderPassBeginInfo pass{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = pass_,
                                   .framebuffer = framebuffer_,
                                   .renderArea = {{}, {kSize, kSize}},
                                   .clearValueCount = 1,
                                   .pClearValues = &clear};
  const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
  const VkRect2D scissor{{}, {kSize, kSize}};
  const VkDeviceSize zero = 0;
  commands_.record(
      [&] {
        vkCmdBeginRenderPass(commands_, &pass, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdSetViewport(commands_, 0, 1, &viewport);
        vkCmdSetScissor(commands_, 0, 1, &scissor);
        vkCmdBindVertexBuffers(commands_, 0, 1, &vertices_.buffer, &zero);
        what();
        vkCmdEndRenderPass(commands_);
      },
      VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
}

void Bench::latency(const std::string& name, const std::function<void()>& once) {
  const auto times = sample(once, 0.5);
  print(name + ", median", times[times.size() / 2] * 1e6, "us");
  print(name + ", p99", times[times.size() * 99 / 100] * 1e6, "us");
}

void Bench::draws(const std::string& name, const std::function<void(uint32_t)>& one, const std::function<void()>& before) {
  if (!selected(name)) return;
  const auto all = [&] {
    before();
    for (uint32_t i = 0; i < kDraws; ++i) {
      one(i);
      vkCmdDraw(commands_, 3, 1, 0, 0);
    }
  };
  std::vector<double> recording, total;
  sample([&] {
    const Clock::time_point begin = Clock::now();
    record(all);
    recording.push_back(seconds_since(begin));
    commands_.run();
    total.push_back(seconds_since(begin));
  });
  print(name + ", recorded", kDraws / *std::min_element(recording.begin(), recording.end()) * 1e-3, "k/s");
  print(name + ", total", kDraws / *std::min_element(total.begin(), total.end()) * 1e-3, "k/s");
}

void Bench::run() {
  if (selected("submit: nothing")) latency("submit: nothing", [&] { commands_.run_nothing(); });
  if (selected("submit: empty command buffer")) {
    commands_.record([] {});
    latency("submit: empty command buffer", [&] { commands_.run(); });
  }
  const auto bind = [&](VkPipeline p) { vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, p); };
  const auto constants = [&](uint32_t i) {
    const Push p = push_of(i);
    vkCmdPushConstants(commands_, push_layout_, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof p, &p);
  };
  if (selected("submit: one small draw")) {
    record([&] {
      bind(push_);
      constants(100);
      vkCmdDraw(commands_, 3, 1, 0, 0);
    });
    latency("submit: one small draw", [&] { commands_.run(); });
  }
  draws(
      "draws: nothing changed", [](uint32_t) {}, [&] { bind(push_), constants(100); });
  draws("draws: push constants", constants, [&] { bind(push_); });
  draws("draws: push constants of both stages", constants, [&] { bind(push_fragment_); });
  draws(
      "draws: descriptor set",
      [&](uint32_t i) {
        const VkDescriptorSet s = set(i);
        vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, block_layout_, 0, 1, &s, 0, nullptr);
      },
      [&] { bind(block_pipeline_); });
  draws(
      "draws: pipeline and push constants",
      [&](uint32_t i) {
        bind(i % 2 ? push_ : blended_);
        constants(i);
      },
      [] {});
}

void Bench::destroy() {
  for (VkPipeline p : {push_, push_fragment_, blended_, block_pipeline_}) vkDestroyPipeline(context_.device, p, nullptr);
  vkDestroyPipelineLayout(context_.device, push_layout_, nullptr);
  vkDestroyPipelineLayout(context_.device, block_layout_, nullptr);
  for (example::DescriptorSet& s : sets_) example::destroy(context_, s);
  context_.destroy(block_);
  context_.destroy(vertices_);
  vkDestroyFramebuffer(context_.device, framebuffer_, nullptr);
  vkDestroyRenderPass(context_.device, pass_, nullptr);
  context_.destroy(image_);
}

}  // namespace

int main(int argc, char** argv) {
  const Clock::time_point begin = Clock::now();
  example::Options options;
  options.title = "submit";
  options.headless = true;
  Bench bench(argc, argv, options);
  print("start: loader, instance and device", seconds_since(begin) * 1e3, "ms");
  bench.create();
  bench.run();
  bench.destroy();
}
