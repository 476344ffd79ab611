// SPDX-License-Identifier: MIT
/// Structures of passes: what a frame is made of beside its draws.
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

constexpr VkFormat kColor = VK_FORMAT_R8G8B8A8_UNORM, kDepth = VK_FORMAT_D16_UNORM;

VkSampler linear(Gpu& gpu, bool compare = false) {
  return gpu.sampler({.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                      .magFilter = VK_FILTER_LINEAR,
                      .minFilter = VK_FILTER_LINEAR,
                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                      .compareEnable = compare,
                      .compareOp = VK_COMPARE_OP_LESS});
}

Binding sampled(VkImageView view, VkSampler sampler) {
  return {.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .stages = VK_SHADER_STAGE_FRAGMENT_BIT, .view = view, .sampler = sampler};
}

void bind(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, const Set& set) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  if (set.set) vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set.set, 0, nullptr);
}

/// `triangles` cover part of the target, none: it is cleared only.
Case small_frame(Gpu& gpu, const TargetInfo& info, bool triangle) {
  const Target target = make_target(gpu, info);
  const VkPipelineLayout layout = make_layout(gpu);
  const VkPipeline pipeline = make_pipeline(gpu, {.layout = layout, .pass = target.pass});
  const Buffer vertices = gpu.buffer(std::vector<float>{0, -0.6f, 0.6f, 0.5f, -0.6f, 0.5f}, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  return {.record =
              [=](VkCommandBuffer commands) {
                target.begin(commands);
                if (triangle) {
                  bind(commands, pipeline, layout, {});
                  draw_screen(commands, vertices, layout, {});
                }
                vkCmdEndRenderPass(commands);
              },
          .alone = true,
          .picture = target.picture()};
}

/// Four full-screen passes, each of which samples the one before.
Case four_passes(Gpu& gpu) {
  const Target first = make_target(gpu, {.sampled = true}), second = make_target(gpu, {.sampled = true}), last = make_target(gpu, {});
  const VkSampler sampler = linear(gpu);
  const Binding from_first = sampled(first.colors[0].view, sampler), from_second = sampled(second.colors[0].view, sampler);
  const Set sets[] = {gpu.set({&from_first, 1}), gpu.set({&from_second, 1})};
  const VkPipelineLayout layout = make_layout(gpu, sets[0]), plain = make_layout(gpu);
  const VkPipeline start = make_pipeline(gpu, {.layout = plain, .pass = first.pass}),
                   filter = make_pipeline(gpu, {.fragment = "pass 1", .layout = layout, .pass = first.pass}),
                   end = make_pipeline(gpu, {.fragment = "pass 1", .layout = layout, .pass = last.pass});
  const Buffer vertices = screen_vertices(gpu);
  return {.record =
              [=](VkCommandBuffer commands) {
                const auto pass = [&](const Target& to, VkPipeline pipeline, const Set& set) {
                  to.begin(commands);
                  bind(commands, pipeline, set.set ? layout : plain, set);
                  draw_screen(commands, vertices, set.set ? layout : plain, {});
                  vkCmdEndRenderPass(commands);
                };
                pass(first, start, {});
                pass(second, filter, sets[0]);
                pass(first, filter, sets[1]);
                pass(last, end, sets[0]);
              },
          .picture = last.picture()};
}

/// Two subpasses: the second reads what the first drew.
Case input_attachment(Gpu& gpu) {
  const VkExtent3D extent{kSize, kSize, 1};
  const Image before = gpu.image({.extent = extent, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT});
  Target target;  // of two subpasses, which make_target() does not make
  target.info.colors = {kColor, kColor};
  target.colors.push_back(gpu.image({.extent = extent, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT}));
  VkAttachmentDescription all[2];
  for (VkAttachmentDescription& a : all)
    a = {.format = kColor,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .storeOp = &a == all ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE,
         .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
         .finalLayout = &a == all ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  const VkAttachmentReference result{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}, drawn{1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
      read{1, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  const VkSubpassDescription subpasses[] = {
      {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &drawn},
      {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
       .inputAttachmentCount = 1,
       .pInputAttachments = &read,
       .colorAttachmentCount = 1,
       .pColorAttachments = &result}};
  const VkAccessFlags access = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT;
  const VkSubpassDependency between[] = {
      {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, access, access, 0},
      {0, 1, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
       VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, VK_DEPENDENCY_BY_REGION_BIT},
      {1, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, access,
       access | VK_ACCESS_TRANSFER_READ_BIT, 0}};
  target.pass = gpu.render_pass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                 .attachmentCount = 2,
                                 .pAttachments = all,
                                 .subpassCount = 2,
                                 .pSubpasses = subpasses,
                                 .dependencyCount = 3,
                                 .pDependencies = between});
  const VkImageView views[] = {target.colors[0].view, before.view};
  target.framebuffer = gpu.framebuffer(target.pass, views, {kSize, kSize});
  const Binding binding{.type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, .stages = VK_SHADER_STAGE_FRAGMENT_BIT, .view = before.view};
  const Set set = gpu.set({&binding, 1});
  const VkPipelineLayout layout = make_layout(gpu, set), plain = make_layout(gpu);
  const VkPipeline first = make_pipeline(gpu, {.layout = plain, .pass = target.pass}),
                   second = make_pipeline(gpu, {.fragment = "pass 2", .layout = layout, .pass = target.pass, .subpass = 1});
  const Buffer vertices = screen_vertices(gpu);
  return {.record =
              [=](VkCommandBuffer commands) {
                target.begin(commands);
                bind(commands, first, plain, {});
                draw_screen(commands, vertices, plain, {});
                vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
                bind(commands, second, layout, set);
                draw_screen(commands, vertices, layout, {});
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

/// Four draws that blend by themselves: each reads its pixel of the target.
Case blending_program(Gpu& gpu) {
  const VkExtent3D extent{kSize, kSize, 1};
  Target target;  // both attachment and input, which make_target() does not make
  target.info.colors = {kColor};
  target.colors.push_back(
      gpu.image({.extent = extent,
                 .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT}));
  const VkAttachmentDescription all{.format = kColor,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                    .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                    .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                    .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
  const VkAttachmentReference both{0, VK_IMAGE_LAYOUT_GENERAL};
  const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                     .inputAttachmentCount = 1,
                                     .pInputAttachments = &both,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &both};
  const VkAccessFlags access = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT;
  const VkSubpassDependency between[] = {
      {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, access, access, 0},
      {0, 0, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
       VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, VK_DEPENDENCY_BY_REGION_BIT},
      {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, access,
       access | VK_ACCESS_TRANSFER_READ_BIT, 0}};
  target.pass = gpu.render_pass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                 .attachmentCount = 1,
                                 .pAttachments = &all,
                                 .subpassCount = 1,
                                 .pSubpasses = &subpass,
                                 .dependencyCount = 3,
                                 .pDependencies = between});
  target.framebuffer = gpu.framebuffer(target.pass, {&target.colors[0].view, 1}, {kSize, kSize});
  const Binding binding{.type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                        .stages = VK_SHADER_STAGE_FRAGMENT_BIT,
                        .view = target.colors[0].view,
                        .layout = VK_IMAGE_LAYOUT_GENERAL};
  const Set set = gpu.set({&binding, 1});
  const VkPipelineLayout layout = make_layout(gpu, set), plain = make_layout(gpu);
  const VkPipeline first = make_pipeline(gpu, {.layout = plain, .pass = target.pass}),
                   next = make_pipeline(gpu, {.fragment = "pass 2", .layout = layout, .pass = target.pass});
  const Buffer vertices = screen_vertices(gpu);
  return {.record =
              [=](VkCommandBuffer commands) {
                const VkMemoryBarrier written{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                              .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                              .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
                target.begin(commands);
                bind(commands, first, plain, {});
                draw_screen(commands, vertices, plain, {});
                bind(commands, next, layout, set);
                for (int i = 0; i < 4; ++i) {
                  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                       VK_DEPENDENCY_BY_REGION_BIT, 1, &written, 0, nullptr, 0, nullptr);
                  draw_screen(commands, vertices, layout, {});
                }
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

/// A mesh of which only the vertices are shaded.
Case discarded(Gpu& gpu) {
  const Target target = make_target(gpu, {});
  const VkPipelineLayout layout = make_layout(gpu);
  const VkPipeline draw = make_pipeline(gpu, {.layout = layout, .pass = target.pass, .discard = true});
  const std::vector<float> triangles = grid(32);
  const Buffer mesh = gpu.buffer(triangles, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  return {.record =
              [=, count = static_cast<uint32_t>(triangles.size() / 2)](VkCommandBuffer commands) {
                target.begin(commands);
                bind(commands, draw, layout, {});
                push(commands, layout, {});
                const VkDeviceSize offset = 0;
                vkCmdBindVertexBuffers(commands, 0, 1, &mesh.buffer, &offset);
                for (int i = 0; i < 8; ++i) vkCmdDraw(commands, count, 1, 0, 0);
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

Case four_samples(Gpu& gpu, uint32_t cell) {
  const VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_4_BIT;
  const Target target = make_target(gpu, {.depth = kDepth, .samples = samples});
  const VkPipelineLayout layout = make_layout(gpu);
  PipelineInfo p{.layout = layout, .pass = target.pass, .samples = samples};
  p.depth.depthTestEnable = p.depth.depthWriteEnable = VK_TRUE;
  const VkPipeline pipeline = make_pipeline(gpu, p);
  std::vector<float> triangles = grid(cell);
  for (float& x : triangles) x = x * 0.97f + 0.001f;  // edges between pixels' samples
  const Buffer vertices = gpu.buffer(triangles, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  return {.record =
              [=, count = static_cast<uint32_t>(triangles.size() / 2)](VkCommandBuffer commands) {
                target.begin(commands);
                bind(commands, pipeline, layout, {});
                push(commands, layout, {});
                const VkDeviceSize offset = 0;
                vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &offset);
                vkCmdDraw(commands, count, 1, 0, 0);
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

/// A map of depths, drawn by triangles, then compared with for every pixel.
Case shadow_map(Gpu& gpu, const char* fragment) {
  const Target map = make_target(gpu, {.colors = {}, .depth = kDepth, .sampled = true, .keep_depth = true}), target = make_target(gpu, {});
  const Binding binding = sampled(map.depth.view, linear(gpu, true));
  const Set set = gpu.set({&binding, 1});
  const VkPipelineLayout layout = make_layout(gpu, set), plain = make_layout(gpu);
  PipelineInfo p{.fragment = fragment, .layout = plain, .pass = map.pass, .colors = 0};
  p.depth.depthTestEnable = p.depth.depthWriteEnable = VK_TRUE;
  const VkPipeline depths = make_pipeline(gpu, p), lit = make_pipeline(gpu, {.fragment = "pass 3", .layout = layout, .pass = target.pass});
  std::vector<float> triangles = grid(16);
  triangles.resize(triangles.size() / 2);  // half of the map
  const Buffer casters = gpu.buffer(triangles, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), vertices = screen_vertices(gpu);
  return {.record =
              [=, count = static_cast<uint32_t>(triangles.size() / 2)](VkCommandBuffer commands) {
                Push near;
                near.extra[2] = 0.4f;
                map.begin(commands);
                bind(commands, depths, plain, {});
                push(commands, plain, near);
                const VkDeviceSize offset = 0;
                vkCmdBindVertexBuffers(commands, 0, 1, &casters.buffer, &offset);
                vkCmdDraw(commands, count, 1, 0, 0);
                vkCmdEndRenderPass(commands);
                target.begin(commands);
                bind(commands, lit, layout, set);
                draw_screen(commands, vertices, layout, {});
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

/// Four targets and depth, then a pass that lights from all of them.
Case deferred(Gpu& gpu) {
  if (gpu.properties.limits.maxColorAttachments < 4) throw Unsupported("fewer than 4 colour attachments");
  const Target objects = make_target(gpu, {.colors = {kColor, kColor, kColor, kColor}, .depth = kDepth, .sampled = true}),
               target = make_target(gpu, {});
  const VkSampler sampler = linear(gpu);
  std::vector<Binding> bindings;
  for (const Image& i : objects.colors) bindings.push_back(sampled(i.view, sampler));
  const Set set = gpu.set(bindings);
  const VkPipelineLayout layout = make_layout(gpu, set), plain = make_layout(gpu);
  PipelineInfo p{.fragment = "pass 4", .layout = plain, .pass = objects.pass, .colors = 4};
  p.depth.depthTestEnable = p.depth.depthWriteEnable = VK_TRUE;
  const VkPipeline draw = make_pipeline(gpu, p), light = make_pipeline(gpu, {.fragment = "pass 5", .layout = layout, .pass = target.pass});
  const std::vector<float> triangles = grid(32);
  const Buffer mesh = gpu.buffer(triangles, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), vertices = screen_vertices(gpu);
  return {.record =
              [=, count = static_cast<uint32_t>(triangles.size() / 2)](VkCommandBuffer commands) {
                objects.begin(commands);
                bind(commands, draw, plain, {});
                push(commands, plain, {});
                const VkDeviceSize offset = 0;
                vkCmdBindVertexBuffers(commands, 0, 1, &mesh.buffer, &offset);
                vkCmdDraw(commands, count, 1, 0, 0);
                vkCmdEndRenderPass(commands);
                target.begin(commands);
                bind(commands, light, layout, set);
                draw_screen(commands, vertices, layout, {});
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

/// The same with a query of pipeline statistics around it.
Case counted(Gpu& gpu, const Case& what) {
  gpu.need(gpu.features.pipelineStatisticsQuery, "pipelineStatisticsQuery");
  const VkQueryPoolCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
      .queryCount = 1,
      .pipelineStatistics =
          VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT | VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
          VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT | VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
          VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT | VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT};
  VkQueryPool pool = VK_NULL_HANDLE;
  check(vkCreateQueryPool(gpu.device, &info, nullptr, &pool), "vkCreateQueryPool");
  gpu.later([device = gpu.device, pool] { vkDestroyQueryPool(device, pool, nullptr); });
  Case c = what;
  c.record = [pool, inner = what.record](VkCommandBuffer commands) {
    vkCmdResetQueryPool(commands, pool, 0, 1);
    vkCmdBeginQuery(commands, pool, 0, 0);
    inner(commands);
    vkCmdEndQuery(commands, pool, 0);
  };
  return c;
}

}  // namespace

void add_passes(std::vector<Line>& lines) {
  constexpr std::pair<uint32_t, uint32_t> kSizes[] = {{256, 256}, {500, 500}, {1920, 1080}};
  for (const auto& [width, height] : kSizes)
    for (const bool triangle : {false, true})
      lines.push_back({"pass/" + std::to_string(width) + "x" + std::to_string(height) + (triangle ? ", one triangle" : ", clear only"), 1,
                       "frames/s", true, [=](Gpu& gpu) { return small_frame(gpu, {.width = width, .height = height}, triangle); }});
  const auto add = [&](const char* name, Case (*make)(Gpu&)) { lines.push_back({std::string("pass/") + name, 1, "frames/s", true, make}); };
  add("4 full-screen passes", four_passes);
  add("input attachment", input_attachment);
  add("4 samples, triangles of 32 pixels", [](Gpu& gpu) { return four_samples(gpu, 8); });
  add("4 samples, triangles of 2048 pixels", [](Gpu& gpu) { return four_samples(gpu, 64); });
  add("shadow map", [](Gpu& gpu) { return shadow_map(gpu, "empty.frag"); });
  add("shadow map without a fragment program", [](Gpu& gpu) { return shadow_map(gpu, ""); });
  // As applications do that need depth only.
  add("one triangle, D32S8 whose depth alone is cleared", [](Gpu& gpu) {
    constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
    gpu.need(kFormat, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
    return small_frame(gpu, {.depth = kFormat, .width = 1280, .height = 720, .clears_stencil = false}, true);
  });
  add("deferred, 4 targets", deferred);
  add("deferred, 4 targets, statistics", [](Gpu& gpu) { return counted(gpu, deferred(gpu)); });
  add("discarded, statistics", [](Gpu& gpu) { return counted(gpu, discarded(gpu)); });
  add("blending program", blending_program);
}

}  // namespace pumice::bench::matrix
