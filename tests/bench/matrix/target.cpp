// SPDX-License-Identifier: MIT
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

VkRenderPass make_pass(Gpu& gpu, const TargetInfo& in) {
  const VkImageLayout left = in.sampled ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const bool resolve = in.samples != VK_SAMPLE_COUNT_1_BIT;
  std::vector<VkAttachmentDescription> all;
  std::vector<VkAttachmentReference> colors;
  for (const VkFormat format : in.colors) {
    colors.push_back({static_cast<uint32_t>(all.size()), VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL});
    all.push_back({.format = format,
                   .samples = in.samples,
                   .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                   .storeOp = resolve ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
                   .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                   .finalLayout = resolve ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : left});
  }
  VkAttachmentReference depth{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED}, resolved = depth;
  if (in.depth) {
    depth = {static_cast<uint32_t>(all.size()), VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkAttachmentStoreOp store = in.keep_depth ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE;
    all.push_back({.format = in.depth,
                   .samples = in.samples,
                   .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                   .storeOp = store,
                   .stencilLoadOp = in.clears_stencil ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   .stencilStoreOp = store,
                   .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                   .finalLayout = in.keep_depth ? left : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL});
  }
  if (resolve) {
    resolved = {static_cast<uint32_t>(all.size()), VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    all.push_back({.format = in.colors[0],
                   .samples = VK_SAMPLE_COUNT_1_BIT,
                   .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                   .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                   .finalLayout = left});
  }
  const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                     .colorAttachmentCount = static_cast<uint32_t>(colors.size()),
                                     .pColorAttachments = colors.data(),
                                     .pResolveAttachments = resolve ? &resolved : nullptr,
                                     .pDepthStencilAttachment = &depth};
  const VkAccessFlags writes = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                      reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                              VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
  const VkSubpassDependency around[] = {
      {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, writes, writes | reads, 0},
      {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, writes, writes | reads, 0}};
  return gpu.render_pass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                          .attachmentCount = static_cast<uint32_t>(all.size()),
                          .pAttachments = all.data(),
                          .subpassCount = 1,
                          .pSubpasses = &subpass,
                          .dependencyCount = 2,
                          .pDependencies = around});
}

}  // namespace

Target make_target(Gpu& gpu, const TargetInfo& in) {
  Target t{.info = in};
  const VkExtent3D extent{in.width, in.height, 1};
  const VkImageUsageFlags then = in.sampled ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  const bool resolve = in.samples != VK_SAMPLE_COUNT_1_BIT;
  std::vector<VkImageView> views;
  for (const VkFormat format : in.colors) {
    gpu.need(format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    t.colors.push_back(gpu.image(
        {.format = format, .extent = extent, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | (resolve ? 0 : then), .samples = in.samples}));
    views.push_back(t.colors.back().view);
  }
  if (in.depth) {
    gpu.need(in.depth, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
    t.depth = gpu.image({.format = in.depth,
                         .extent = extent,
                         .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | (in.keep_depth ? then : 0),
                         .samples = in.samples});
    views.push_back(t.depth.view);
  }
  if (resolve) {
    t.resolved = gpu.image({.format = in.colors[0], .extent = extent, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | then});
    views.push_back(t.resolved.view);
  }
  t.pass = make_pass(gpu, in);
  t.framebuffer = gpu.framebuffer(t.pass, views, {in.width, in.height});
  return t;
}

void Target::begin(VkCommandBuffer commands, VkSubpassContents contents) const {
  VkClearValue clear[8]{};
  uint32_t count = 0;
  for (const VkFormat format : info.colors) {
    const bool integers = format == VK_FORMAT_R8_UINT || format == VK_FORMAT_R8G8B8A8_UINT || format == VK_FORMAT_R16G16B16A16_SINT ||
                          format == VK_FORMAT_R32_UINT || format == VK_FORMAT_R32G32B32A32_UINT;
    if (integers)
      clear[count++].color = {.uint32 = {20, 40, 60, 100}};
    else
      clear[count++].color = {.float32 = {0.12f, 0.22f, 0.31f, 0.6f}};
  }
  if (info.depth) clear[count++].depthStencil = {1.0f, 0};
  const VkRenderPassBeginInfo begin_info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {info.width, info.height}},
                                         .clearValueCount = count,
                                         .pClearValues = clear};
  vkCmdBeginRenderPass(commands, &begin_info, contents);
  if (contents == VK_SUBPASS_CONTENTS_INLINE) whole_viewport(commands);
}

void Target::whole_viewport(VkCommandBuffer commands) const {
  const VkViewport viewport{0, 0, static_cast<float>(info.width), static_cast<float>(info.height), 0, 1};
  const VkRect2D scissor{{0, 0}, {info.width, info.height}};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &scissor);
}

Picture Target::picture() const { return {.image = resolved.image ? resolved : colors.empty() ? depth : colors[0]}; }

VkPipelineLayout make_layout(Gpu& gpu, const Set& set) {
  return gpu.layout({&set.layout, set.layout ? 1u : 0u}, sizeof(Push), kPushStages);
}

void push(VkCommandBuffer commands, VkPipelineLayout layout, const Push& values) {
  vkCmdPushConstants(commands, layout, kPushStages, 0, sizeof values, &values);
}

VkPipeline make_pipeline(Gpu& gpu, const PipelineInfo& in) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  const auto add = [&](VkShaderStageFlagBits stage, const std::string& shader) {
    stages.push_back(
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .module = gpu.shader(shader), .pName = "main"});
  };
  add(VK_SHADER_STAGE_VERTEX_BIT, in.vertex);
  if (!in.fragment.empty()) add(VK_SHADER_STAGE_FRAGMENT_BIT, in.fragment);
  const VkPipelineVertexInputStateCreateInfo input{.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                   .vertexBindingDescriptionCount = static_cast<uint32_t>(in.bindings.size()),
                                                   .pVertexBindingDescriptions = in.bindings.data(),
                                                   .vertexAttributeDescriptionCount = static_cast<uint32_t>(in.attributes.size()),
                                                   .pVertexAttributeDescriptions = in.attributes.data()};
  const VkPipelineInputAssemblyStateCreateInfo assembly{.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                        .topology = in.topology};
  const VkPipelineViewportStateCreateInfo viewport{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo raster{.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                      .rasterizerDiscardEnable = in.discard,
                                                      .polygonMode = VK_POLYGON_MODE_FILL,
                                                      .cullMode = VK_CULL_MODE_NONE,
                                                      .lineWidth = 1.0f};
  const VkPipelineMultisampleStateCreateInfo samples{.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                     .rasterizationSamples = in.samples};
  const std::vector<VkPipelineColorBlendAttachmentState> blends(in.colors, in.blend);
  const VkPipelineColorBlendStateCreateInfo blending{.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .logicOpEnable = in.logic,
                                                     .logicOp = VK_LOGIC_OP_XOR,
                                                     .attachmentCount = in.colors,
                                                     .pAttachments = blends.data()};
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  const VkPipelineDynamicStateCreateInfo dynamic{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = 2, .pDynamicStates = states};
  return gpu.graphics({.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                       .stageCount = static_cast<uint32_t>(stages.size()),
                       .pStages = stages.data(),
                       .pVertexInputState = &input,
                       .pInputAssemblyState = &assembly,
                       .pViewportState = &viewport,
                       .pRasterizationState = &raster,
                       .pMultisampleState = &samples,
                       .pDepthStencilState = &in.depth,
                       .pColorBlendState = &blending,
                       .pDynamicState = &dynamic,
                       .layout = in.layout,
                       .renderPass = in.pass,
                       .subpass = in.subpass});
}

void blend_by_alpha(VkPipelineColorBlendAttachmentState& blend) {
  blend.blendEnable = VK_TRUE;
  blend.srcColorBlendFactor = blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  blend.dstColorBlendFactor = blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
}

Buffer screen_vertices(Gpu& gpu) { return gpu.buffer(std::vector<float>{-1, -1, 3, -1, -1, 3}, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT); }

void draw_screen(VkCommandBuffer commands, const Buffer& vertices, VkPipelineLayout layout, const Push& values) {
  const VkDeviceSize offset = 0;
  push(commands, layout, values);
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &offset);
  vkCmdDraw(commands, 3, 1, 0, 0);
}

std::vector<float> grid(uint32_t cell) {
  std::vector<float> out;
  const uint32_t cells = kSize / cell;
  const auto at = [&](uint32_t i) { return static_cast<float>(i) / static_cast<float>(cells) * 2 - 1; };
  for (uint32_t y = 0; y < cells; ++y)
    for (uint32_t x = 0; x < cells; ++x)
      for (const auto& [dx, dy] :
           {std::pair{0u, 0u}, std::pair{1u, 0u}, std::pair{0u, 1u}, std::pair{0u, 1u}, std::pair{1u, 0u}, std::pair{1u, 1u}}) {
        out.push_back(at(x + dx));
        out.push_back(at(y + dy));
      }
  return out;
}

Case screen_case(Gpu& gpu, const std::string& fragment, const Set& set, const Push& values, const TargetInfo& info) {
  const Target target = make_target(gpu, info);
  const VkPipelineLayout layout = make_layout(gpu, set);
  const VkPipeline pipeline = make_pipeline(gpu, {.fragment = fragment, .layout = layout, .pass = target.pass});
  const Buffer vertices = screen_vertices(gpu);
  return {.record =
              [=](VkCommandBuffer commands) {
                target.begin(commands);
                vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
                if (set.set) vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set.set, 0, nullptr);
                draw_screen(commands, vertices, layout, values);
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

}  // namespace pumice::bench::matrix
