// SPDX-License-Identifier: MIT
/// Sizes of triangles, numbers of draws and what changes between them, and recording by several threads.
#include <thread>

#include "tests/bench/matrix/formats.h"
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

constexpr uint32_t kCell = 4;  ///< pixels of a small draw's square
constexpr uint32_t kCells = (kSize / kCell) * (kSize / kCell);

Case size_case(Gpu& gpu, uint32_t cell) {
  const Target target = make_target(gpu, {.depth = VK_FORMAT_D16_UNORM});
  const VkPipelineLayout layout = make_layout(gpu);
  PipelineInfo p{.layout = layout, .pass = target.pass};
  p.depth.depthTestEnable = p.depth.depthWriteEnable = VK_TRUE;
  const VkPipeline pipeline = make_pipeline(gpu, p);
  const std::vector<float> triangles = grid(cell);
  const Buffer vertices = gpu.buffer(triangles, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  return {.record =
              [=, count = static_cast<uint32_t>(triangles.size() / 2)](VkCommandBuffer commands) {
                target.begin(commands);
                vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
                push(commands, layout, {});
                const VkDeviceSize offset = 0;
                vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &offset);
                vkCmdDraw(commands, count, 1, 0, 0);
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

enum class Change { nothing, push, offset, set, pipeline, vertices, texture };
constexpr std::pair<const char*, Change> kChanges[] = {{"nothing changed", Change::nothing},  {"push constants", Change::push},
                                                       {"dynamic offset", Change::offset},    {"descriptor set", Change::set},
                                                       {"pipeline", Change::pipeline},        {"vertex buffer", Change::vertices},
                                                       {"texture by number", Change::texture}};

/// Everything that small draws bind.
struct Draws {
  Target target;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipelines[2]{};
  Set sets[2];
  Buffer vertices, blocks;
  uint32_t step = 0;  ///< between blocks of the uniform buffer
  Change change{};

  /// Draws `count` squares from number `first` on.
  void record(VkCommandBuffer commands, uint32_t first, uint32_t count) const {
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    const bool blocks_used = change == Change::offset || change == Change::set;
    const VkDeviceSize start = 0;
    uint32_t offset = 0;
    vkCmdBindPipeline(commands, graphics, pipelines[0]);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &start);
    if (blocks_used)
      vkCmdBindDescriptorSets(commands, graphics, layout, 0, 1, &sets[0].set, 1, &offset);
    else
      matrix::push(commands, layout, {});
    if (change == Change::texture) vkCmdBindDescriptorSets(commands, graphics, layout, 0, 1, &sets[0].set, 0, nullptr);
    for (uint32_t i = first; i < first + count; ++i) {
      const uint32_t cell = i % kCells;
      uint32_t vertex = cell * 6;
      switch (change) {
        case Change::nothing: break;
        case Change::texture:
        case Change::push: {
          Push values;
          values.w[2] = static_cast<float>(cell) / kCells;
          values.extra[1] = static_cast<float>(i % 4);
          matrix::push(commands, layout, values);
          break;
        }
        case Change::offset:
          offset = i % 64 * step;
          vkCmdBindDescriptorSets(commands, graphics, layout, 0, 1, &sets[0].set, 1, &offset);
          break;
        case Change::set: vkCmdBindDescriptorSets(commands, graphics, layout, 0, 1, &sets[i & 1].set, 1, &offset); break;
        case Change::pipeline: vkCmdBindPipeline(commands, graphics, pipelines[i & 1]); break;
        case Change::vertices: {
          const VkDeviceSize at = VkDeviceSize{vertex} * 8;
          vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &at);
          vertex = 0;
          break;
        }
      }
      vkCmdDraw(commands, 6, 1, vertex, 0);
    }
  }
};

Draws make_draws(Gpu& gpu, Change change) {
  Draws d{.target = make_target(gpu, {}), .change = change};
  const bool blocks = change == Change::offset || change == Change::set;
  d.vertices = gpu.buffer(grid(kCell), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  if (blocks) {
    d.step = static_cast<uint32_t>(std::max<VkDeviceSize>(sizeof(Push), gpu.properties.limits.minUniformBufferOffsetAlignment));
    std::vector<uint8_t> bytes(size_t{d.step} * 128);
    for (uint32_t i = 0; i < 128; ++i) {
      Push values;
      values.w[2] = static_cast<float>(i) / 128;
      std::copy_n(reinterpret_cast<const uint8_t*>(&values), sizeof values, bytes.data() + size_t{i} * d.step);
    }
    for (Set& s : d.sets) {
      d.blocks = gpu.buffer(bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
      const Binding binding{.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                            .stages = VK_SHADER_STAGE_VERTEX_BIT,
                            .buffer = d.blocks.buffer,
                            .range = sizeof(Push)};
      s = gpu.set({&binding, 1});
    }
  }
  const bool textures = change == Change::texture;
  if (textures) {
    gpu.need(gpu.features.shaderSampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing");
    const VkExtent3D extent{64, 64, 1};
    const Image image = gpu.image({.extent = extent, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    gpu.upload(image, [&](uint32_t, uint32_t) { return pattern(format_of(VK_FORMAT_R8G8B8A8_UNORM), extent, 0); });
    const Binding binding{.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                          .stages = VK_SHADER_STAGE_FRAGMENT_BIT,
                          .view = image.view,
                          .sampler = gpu.sampler({.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO}),
                          .count = 4};
    d.sets[0] = gpu.set({&binding, 1});
  }
  d.layout = make_layout(gpu, d.sets[0]);
  PipelineInfo p{.vertex = blocks ? "block.vert" : "screen.vert", .layout = d.layout, .pass = d.target.pass};
  if (textures) p.fragment = "CHOSEN 1";
  d.pipelines[0] = make_pipeline(gpu, p);
  p.blend.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT;
  if (change == Change::pipeline) d.pipelines[1] = make_pipeline(gpu, p);
  return d;
}

Case draws_case(Gpu& gpu, uint32_t count, Change change) {
  const Draws draws = make_draws(gpu, change);
  const VkCommandPool pool = gpu.pool();
  const VkCommandBuffer commands = gpu.commands(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  return {.step =
              [=, &gpu] {
                const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
                check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
                draws.target.begin(commands);
                draws.record(commands, 0, count);
                vkCmdEndRenderPass(commands);
                check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
                gpu.submit(commands);
              },
          .picture = draws.target.picture()};
}

/// `threads` threads record a secondary command buffer each, from their own pools; one submission executes all.
Case threads_case(Gpu& gpu, uint32_t count, uint32_t threads) {
  const Draws draws = make_draws(gpu, Change::push);
  const VkCommandBuffer primary = gpu.commands(gpu.pool(), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  std::vector<VkCommandBuffer> parts;
  for (uint32_t t = 0; t < threads; ++t) parts.push_back(gpu.commands(gpu.pool(), VK_COMMAND_BUFFER_LEVEL_SECONDARY));
  return {.step =
              [=, &gpu] {
                const auto part = [&](uint32_t t) {
                  const VkCommandBufferInheritanceInfo inherited{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                                 .renderPass = draws.target.pass,
                                                                 .framebuffer = draws.target.framebuffer};
                  const VkCommandBufferBeginInfo begin{
                      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT | VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                      .pInheritanceInfo = &inherited};
                  check(vkBeginCommandBuffer(parts[t], &begin), "vkBeginCommandBuffer");
                  draws.target.whole_viewport(parts[t]);
                  draws.record(parts[t], count / threads * t, count / threads);
                  check(vkEndCommandBuffer(parts[t]), "vkEndCommandBuffer");
                };
                std::vector<std::jthread> others;
                for (uint32_t t = 1; t < threads; ++t) others.emplace_back(part, t);
                part(0);
                others.clear();
                const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
                check(vkBeginCommandBuffer(primary, &begin), "vkBeginCommandBuffer");
                draws.target.begin(primary, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
                vkCmdExecuteCommands(primary, threads, parts.data());
                vkCmdEndRenderPass(primary);
                check(vkEndCommandBuffer(primary), "vkEndCommandBuffer");
                gpu.submit(primary);
              },
          .picture = draws.target.picture()};
}

}  // namespace

void add_draws(std::vector<Line>& lines) {
  for (uint32_t cell = 2; cell <= kSize; cell *= 2) {
    const double triangles = 2.0 * (kSize / cell) * (kSize / cell);
    const std::string size = cell == kSize ? "the whole target" : std::to_string(cell * cell / 2) + " pixels";
    lines.push_back({"triangles/" + size, triangles * 1e-6, "Mtri/s", true, [cell](Gpu& gpu) { return size_case(gpu, cell); }});
  }
  for (const uint32_t count : {10u, 100u, 1000u, 10000u, 100000u})
    for (const auto& [name, change] : kChanges)
      lines.push_back({"draws/" + std::to_string(count) + "/" + name, count * 1e-3, "kdraws/s", count == 100 || count == 10000,
                       [=](Gpu& gpu) { return draws_case(gpu, count, change); }});
  for (const uint32_t threads : {1u, 2u, 4u})
    lines.push_back({"draws/20000, recorded by " + std::to_string(threads) + (threads > 1 ? " threads" : " thread"), 20, "kdraws/s", true,
                     [=](Gpu& gpu) { return threads_case(gpu, 20000, threads); }});
}

}  // namespace pumice::bench::matrix
