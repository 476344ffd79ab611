// SPDX-License-Identifier: MIT
/// r5x: VK_KHR_dynamic_rendering with VK_KHR_depth_stencil_resolve, VK_EXT_extended_dynamic_state and its successor.
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "color.frag.h"
#include "position_color.vert.h"
#include "tests/vk/fixture.h"

namespace vktest {
namespace {

constexpr uint32_t kSize = 8;
using Pixel = std::array<uint8_t, 4>;
constexpr Pixel kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlack{0, 0, 0, 255};

struct Push {
  float tint[4];
  float z;
};

class Rendering : public Vk {
 protected:
  Rendering() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    device_extensions = {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,        VK_KHR_DEPTH_STENCIL_RESOLVE_EXTENSION_NAME,
                         VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME,      VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME,
                         VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME, VK_EXT_LOAD_STORE_OP_NONE_EXTENSION_NAME};
    device_next = &rendering_;
    api_version = VK_API_VERSION_1_1;
  }
  void SetUp() override {
    Vk::SetUp();
    const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(Push)};
    VkPipelineLayoutCreateInfo i{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    i.pushConstantRangeCount = 1, i.pPushConstantRanges = &range;
    VK_OK(vkCreatePipelineLayout(device, &i, nullptr, &layout));
    defer([this] { vkDestroyPipelineLayout(device, layout, nullptr); });
    // Two triangles of the whole target, as a list and (from vertex 6 on) as a strip, counter-clockwise in window coordinates.
    struct Vertex {
      float x, y, color[4];
    };
    const auto v = [](float x, float y) { return Vertex{x, y, {1, 1, 1, 1}}; };
    const Vertex all[] = {v(-1, -1), v(-1, 1), v(1, -1), v(1, -1), v(-1, 1), v(1, 1), v(-1, -1), v(-1, 1), v(1, -1), v(1, 1)};
    corners = buffer(sizeof all, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(corners.map, all, sizeof all);
  }

  Image target(VkFormat format, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT,
               VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT) {
    ImageOptions o;
    o.usage |= aspects == VK_IMAGE_ASPECT_COLOR_BIT ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    o.aspects = aspects;
    o.samples = samples;
    o.view = true;
    return image(format, kSize, kSize, o);
  }
  static VkRenderingAttachmentInfo attachment(const Image& i, VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR) {
    VkRenderingAttachmentInfo a{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    a.imageView = i.view;
    a.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    a.loadOp = load;
    a.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    if (i.aspects == VK_IMAGE_ASPECT_COLOR_BIT) a.clearValue.color = {{0, 0, 0, 1}};
    return a;
  }
  struct Begin {
    std::vector<VkRenderingAttachmentInfo> color;
    std::optional<VkRenderingAttachmentInfo> depth, stencil;
    VkRenderingFlags flags = 0;
  };
  static void begin(VkCommandBuffer c, const Begin& b) {
    VkRenderingInfo i{VK_STRUCTURE_TYPE_RENDERING_INFO};
    i.flags = b.flags;
    i.renderArea = {{0, 0}, {kSize, kSize}};
    i.layerCount = 1;
    i.colorAttachmentCount = static_cast<uint32_t>(b.color.size()), i.pColorAttachments = b.color.data();
    i.pDepthAttachment = b.depth ? &*b.depth : nullptr;
    i.pStencilAttachment = b.stencil ? &*b.stencil : nullptr;
    vkCmdBeginRenderingKHR(c, &i);
  }

  /// All that VK_EXT_extended_dynamic_state and its successor can make dynamic is so.
  VkPipeline pipeline(VkFormat color, VkFormat depth = VK_FORMAT_UNDEFINED, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
    VkPipelineShaderStageCreateInfo stages[2] = {{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO},
                                                 {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO}};
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT, stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[0].module = shader(position_color_vert, sizeof position_color_vert);
    stages[1].module = shader(color_frag, sizeof color_frag);
    stages[0].pName = stages[1].pName = "main";
    const VkVertexInputBindingDescription binding{0, 4, VK_VERTEX_INPUT_RATE_VERTEX};  // the stride is dynamic
    const VkVertexInputAttributeDescription attributes[2] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8}};
    VkPipelineVertexInputStateCreateInfo vi{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    vi.vertexBindingDescriptionCount = 1, vi.pVertexBindingDescriptions = &binding;
    vi.vertexAttributeDescriptionCount = 2, vi.pVertexAttributeDescriptions = attributes;
    VkPipelineInputAssemblyStateCreateInfo ia{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    ia.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
    VkPipelineViewportStateCreateInfo vp{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    VkPipelineRasterizationStateCreateInfo rs{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    rs.rasterizerDiscardEnable = VK_TRUE;  // dynamic
    rs.cullMode = VK_CULL_MODE_FRONT_AND_BACK;
    rs.lineWidth = 1;
    rs.depthBiasConstantFactor = 1 << 22;
    VkPipelineMultisampleStateCreateInfo ms{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    ms.rasterizationSamples = samples;
    VkPipelineDepthStencilStateCreateInfo ds{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    ds.front.compareMask = ds.back.compareMask = ds.front.writeMask = ds.back.writeMask = 0xFF;
    ds.front.reference = 5, ds.back.reference = 9;
    ds.minDepthBounds = 0.25f, ds.maxDepthBounds = 0.75f;
    VkPipelineColorBlendAttachmentState blend{};
    blend.colorWriteMask = 0xF;
    VkPipelineColorBlendStateCreateInfo cb{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    cb.attachmentCount = 1, cb.pAttachments = &blend;
    cb.logicOpEnable = VK_TRUE, cb.logicOp = VK_LOGIC_OP_CLEAR;  // the operation is dynamic
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_CULL_MODE,
                                     VK_DYNAMIC_STATE_FRONT_FACE,
                                     VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                     VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                     VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                                     VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
                                     VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
                                     VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                                     VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
                                     VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                                     VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
                                     VK_DYNAMIC_STATE_STENCIL_OP,
                                     VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                                     VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
                                     VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                                     VK_DYNAMIC_STATE_LOGIC_OP_EXT};
    VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    dynamic.dynamicStateCount = sizeof states / sizeof *states, dynamic.pDynamicStates = states;
    VkPipelineRenderingCreateInfo formats{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    formats.colorAttachmentCount = 1, formats.pColorAttachmentFormats = &color;
    formats.depthAttachmentFormat = depth;
    const bool stencil = depth == VK_FORMAT_D24_UNORM_S8_UINT || depth == VK_FORMAT_D32_SFLOAT_S8_UINT;
    if (stencil) formats.stencilAttachmentFormat = depth;
    VkGraphicsPipelineCreateInfo i{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &formats};
    i.stageCount = 2, i.pStages = stages, i.pVertexInputState = &vi, i.pInputAssemblyState = &ia, i.pViewportState = &vp;
    i.pRasterizationState = &rs, i.pMultisampleState = &ms, i.pDepthStencilState = &ds, i.pColorBlendState = &cb;
    i.pDynamicState = &dynamic, i.layout = layout;
    VkPipeline p = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  }
  /// Binds it, with everything dynamic set to what covers the target and tests nothing.
  void bind(VkCommandBuffer c, VkPipeline p) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    vkCmdSetViewportWithCountEXT(c, 1, &viewport);
    vkCmdSetScissorWithCountEXT(c, 1, &scissor);
    vkCmdSetCullModeEXT(c, VK_CULL_MODE_NONE);
    vkCmdSetFrontFaceEXT(c, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vkCmdSetPrimitiveTopologyEXT(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdSetPrimitiveRestartEnableEXT(c, VK_FALSE);
    vkCmdSetRasterizerDiscardEnableEXT(c, VK_FALSE);
    vkCmdSetDepthBiasEnableEXT(c, VK_FALSE);
    vkCmdSetLogicOpEXT(c, VK_LOGIC_OP_COPY);
    vkCmdSetDepthTestEnableEXT(c, VK_FALSE);
    vkCmdSetDepthWriteEnableEXT(c, VK_FALSE);
    vkCmdSetDepthCompareOpEXT(c, VK_COMPARE_OP_LESS);
    vkCmdSetDepthBoundsTestEnableEXT(c, VK_FALSE);
    vkCmdSetStencilTestEnableEXT(c, VK_FALSE);
    vkCmdSetStencilOpEXT(c, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
                         VK_COMPARE_OP_ALWAYS);
    vertices(c);
  }
  void vertices(VkCommandBuffer c, VkDeviceSize stride = 24, VkDeviceSize size = 0) {
    const VkDeviceSize zero = 0;
    if (!size) size = corners.size;
    vkCmdBindVertexBuffers2EXT(c, 0, 1, &corners.handle, &zero, &size, &stride);
  }
  void draw(VkCommandBuffer c, std::array<float, 4> tint, float z = 0.5f, uint32_t first = 0, uint32_t count = 6) {
    const Push push{{tint[0], tint[1], tint[2], tint[3]}, z};
    vkCmdPushConstants(c, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
    vkCmdDraw(c, count, 1, first, 0);
  }
  /// How many pixels have the value.
  uint32_t count(const Image& i, Pixel value) {
    const std::vector<uint8_t> all = read(i, 4);
    uint32_t n = 0;
    for (size_t k = 0; k + 4 <= all.size(); k += 4) n += std::memcmp(&all[k], value.data(), 4) == 0;
    return n;
  }

  VkPipelineLayout layout = VK_NULL_HANDLE;
  Buffer corners;

 private:
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic2_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
                                                             nullptr, VK_TRUE, VK_TRUE, VK_FALSE};
  VkPhysicalDeviceExtendedDynamicStateFeaturesEXT dynamic_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
                                                           &dynamic2_, VK_TRUE};
  VkPhysicalDeviceDynamicRenderingFeatures rendering_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, &dynamic_, VK_TRUE};
};

constexpr std::array<float, 4> kTintRed{1, 0, 0, 1}, kTintGreen{0, 1, 0, 1};
constexpr uint32_t kAll = kSize * kSize;

/// VK_EXT_load_store_op_none: a pass that neither loads, stores nor draws leaves its attachments as they were.
TEST_F(Rendering, NothingLoadedOrStored) {
  const Image color = target(VK_FORMAT_R8G8B8A8_UNORM),
              depth = target(VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
  run([&](VkCommandBuffer c) {
    Begin b{{attachment(color)}, attachment(depth), {}, 0};
    b.color[0].clearValue.color = {{1, 0, 1, 1}};
    b.depth->clearValue.depthStencil.depth = 0.625f;
    begin(c, b);
    vkCmdEndRenderingKHR(c);
    for (VkRenderingAttachmentInfo* a : {&b.color[0], &*b.depth}) {
      a->loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT, a->storeOp = VK_ATTACHMENT_STORE_OP_NONE;
      a->clearValue = {};
    }
    begin(c, b);
    vkCmdEndRenderingKHR(c);
  });
  const std::vector<uint8_t> pixels = read(color, 4);
  for (size_t i = 0; i < pixels.size(); ++i) ASSERT_EQ(pixels[i], i % 4 == 1 ? 0 : 255) << i;
  const std::vector<uint8_t> z = read(depth, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
  for (size_t i = 0; i < z.size(); i += 4) {
    float value = 0;
    std::memcpy(&value, &z[i], sizeof value);
    ASSERT_EQ(value, 0.625f) << i;
  }
}

TEST_F(Rendering, ClearsAreDoneOnceByAPassInPieces) {
  const Image color = target(VK_FORMAT_R8G8B8A8_UNORM);
  const VkPipeline p = pipeline(VK_FORMAT_R8G8B8A8_UNORM);
  const VkRect2D left{{0, 0}, {kSize / 2, kSize}}, right{{kSize / 2, 0}, {kSize / 2, kSize / 2}};
  run([&](VkCommandBuffer c) {
    begin(c, {{attachment(color)}, {}, {}, VK_RENDERING_SUSPENDING_BIT});
    bind(c, p);
    vkCmdSetScissorWithCountEXT(c, 1, &left);
    draw(c, kTintRed);
    vkCmdEndRenderingKHR(c);
    begin(c, {{attachment(color)}, {}, {}, VK_RENDERING_RESUMING_BIT});
    vkCmdSetScissorWithCountEXT(c, 1, &right);
    draw(c, kTintGreen);
    vkCmdEndRenderingKHR(c);
  });
  EXPECT_EQ(kAll / 2, count(color, kRed));
  EXPECT_EQ(kAll / 4, count(color, kGreen));
  EXPECT_EQ(kAll / 4, count(color, kBlack));
}

TEST_F(Rendering, SecondaryCommandBuffersDrawInIt) {
  const Image color = target(VK_FORMAT_R8G8B8A8_UNORM);
  const VkPipeline p = pipeline(VK_FORMAT_R8G8B8A8_UNORM);
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkCommandBufferInheritanceRenderingInfo rendering{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO};
  rendering.colorAttachmentCount = 1, rendering.pColorAttachmentFormats = &format;
  rendering.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkCommandBufferInheritanceInfo inheritance{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &rendering};
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  info.pInheritanceInfo = &inheritance;
  const VkCommandBuffer second = command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VK_OK(vkBeginCommandBuffer(second, &info));
  bind(second, p);
  draw(second, kTintRed);
  // Its targets are those of the pass it runs in, known when it is executed.
  VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  clear.clearValue.color = {{0, 0, 0, 1}};
  const VkClearRect upper{{{0, 0}, {kSize, kSize / 2}}, 0, 1};
  vkCmdClearAttachments(second, 1, &clear, 1, &upper);
  const VkRect2D left{{0, 0}, {kSize / 2, kSize / 2}};
  vkCmdSetScissorWithCountEXT(second, 1, &left);
  draw(second, kTintGreen);
  VK_OK(vkEndCommandBuffer(second));
  run([&](VkCommandBuffer c) {
    begin(c, {{attachment(color)}, {}, {}, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT});
    vkCmdExecuteCommands(c, 1, &second);
    vkCmdEndRenderingKHR(c);
  });
  EXPECT_EQ(kAll / 4, count(color, kGreen));
  EXPECT_EQ(kAll / 4, count(color, kBlack));
  EXPECT_EQ(kAll / 2, count(color, kRed));
}

TEST_F(Rendering, ATargetThatIsMissingTakesNothing) {
  const Image depth = target(VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
  const VkPipeline p = pipeline(VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT);
  VkRenderingAttachmentInfo none{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO}, z = attachment(depth);
  z.clearValue.depthStencil.depth = 1;
  run([&](VkCommandBuffer c) {
    begin(c, {{none}, z, {}});
    bind(c, p);
    vkCmdSetDepthTestEnableEXT(c, VK_TRUE);
    vkCmdSetDepthWriteEnableEXT(c, VK_TRUE);
    draw(c, kTintGreen, 0.25f);
    vkCmdEndRenderingKHR(c);
  });
  const std::vector<uint8_t> bytes = read(depth, 4);
  float first;
  std::memcpy(&first, bytes.data(), 4);
  EXPECT_EQ(0.25f, first);
}

/// Colours are averaged; depth and stencil, together or one alone, become those of sample 0.
TEST_F(Rendering, ResolvesOfDepthAndStencil) {
  for (const VkFormat format : {VK_FORMAT_D16_UNORM, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
    const bool has_stencil = format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
    const VkImageAspectFlags aspects = VK_IMAGE_ASPECT_DEPTH_BIT | (has_stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    const VkPipeline p = pipeline(VK_FORMAT_R8G8B8A8_UNORM, format, VK_SAMPLE_COUNT_4_BIT);
    for (const VkImageAspectFlags resolved :
         {aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT}, aspects & VK_IMAGE_ASPECT_STENCIL_BIT}) {
      if (!resolved) continue;
      const Image color = target(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT), one = target(VK_FORMAT_R8G8B8A8_UNORM);
      const Image many = target(format, VK_SAMPLE_COUNT_4_BIT, aspects), single = target(format, VK_SAMPLE_COUNT_1_BIT, aspects);
      const uint32_t depth_bytes = format == VK_FORMAT_D16_UNORM ? 2 : 4;
      write(single, std::vector<uint8_t>(kAll * depth_bytes, 0), 0, VK_IMAGE_ASPECT_DEPTH_BIT);
      if (has_stencil) write(single, std::vector<uint8_t>(kAll, 0x77), 0, VK_IMAGE_ASPECT_STENCIL_BIT);
      VkRenderingAttachmentInfo a = attachment(color), z = attachment(many), s;
      a.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT, a.resolveImageView = one.view, a.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
      z.clearValue.depthStencil = {1, 3};
      z.resolveImageView = single.view, z.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
      s = z;
      z.resolveMode = resolved & VK_IMAGE_ASPECT_DEPTH_BIT ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_NONE;
      s.resolveMode = resolved & VK_IMAGE_ASPECT_STENCIL_BIT ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_NONE;
      run([&](VkCommandBuffer c) {
        begin(c, {{a}, z, has_stencil ? std::optional(s) : std::nullopt});
        bind(c, p);
        vkCmdSetDepthTestEnableEXT(c, VK_TRUE);
        vkCmdSetDepthWriteEnableEXT(c, VK_TRUE);
        vkCmdSetStencilTestEnableEXT(c, VK_TRUE);
        vkCmdSetStencilOpEXT(c, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP,
                             VK_COMPARE_OP_ALWAYS);
        draw(c, kTintGreen, 0.5f);
        vkCmdEndRenderingKHR(c);
      });
      EXPECT_EQ(kAll, count(one, kGreen));
      uint32_t half = 0;
      const std::vector<uint8_t> depth = read(single, depth_bytes, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
      std::memcpy(&half, &depth[depth.size() - depth_bytes], depth_bytes);
      const uint32_t expected = format == VK_FORMAT_D16_UNORM ? 0x8000 : format == VK_FORMAT_D24_UNORM_S8_UINT ? 0x800000 : 0x3F000000;
      EXPECT_EQ(resolved & VK_IMAGE_ASPECT_DEPTH_BIT ? expected : 0, half & (format == VK_FORMAT_D24_UNORM_S8_UINT ? 0xFFFFFF : ~0u))
          << format;
      if (has_stencil) {
        EXPECT_EQ(resolved & VK_IMAGE_ASPECT_STENCIL_BIT ? 5 : 0x77, read(single, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT).back()) << format;
      }
    }
  }
}

TEST_F(Rendering, EachDynamicStateHasItsEffect) {
  const Image color = target(VK_FORMAT_R8G8B8A8_UNORM);
  const Image depth = target(VK_FORMAT_D24_UNORM_S8_UINT, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
  const VkPipeline p = pipeline(VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D24_UNORM_S8_UINT);
  VkRenderingAttachmentInfo z = attachment(depth);
  z.clearValue.depthStencil = {0.5f, 5};
  /// Pixels drawn by a draw at depth 0.5 after `set`.
  const auto drawn = [&](const std::function<void(VkCommandBuffer)>& set, float at = 0.5f, uint32_t first = 0, uint32_t vertex_count = 6) {
    run([&](VkCommandBuffer c) {
      begin(c, {{attachment(color)}, z, z});
      bind(c, p);
      set(c);
      draw(c, kTintGreen, at, first, vertex_count);
      vkCmdEndRenderingKHR(c);
    });
    return count(color, kGreen);
  };
  EXPECT_EQ(kAll, drawn([](VkCommandBuffer) {}));
  EXPECT_EQ(0u, drawn([](VkCommandBuffer c) { vkCmdSetCullModeEXT(c, VK_CULL_MODE_FRONT_BIT); }));
  EXPECT_EQ(kAll, drawn([](VkCommandBuffer c) { vkCmdSetCullModeEXT(c, VK_CULL_MODE_BACK_BIT); }));
  EXPECT_EQ(0u, drawn([](VkCommandBuffer c) {
              vkCmdSetCullModeEXT(c, VK_CULL_MODE_BACK_BIT);
              vkCmdSetFrontFaceEXT(c, VK_FRONT_FACE_CLOCKWISE);
            }));
  EXPECT_EQ(kAll, drawn([](VkCommandBuffer c) { vkCmdSetPrimitiveTopologyEXT(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP); }, 0.5f, 6, 4));
  EXPECT_EQ(0u, drawn([](VkCommandBuffer c) { vkCmdSetRasterizerDiscardEnableEXT(c, VK_TRUE); }));
  EXPECT_EQ(0u, drawn([](VkCommandBuffer c) { vkCmdSetDepthTestEnableEXT(c, VK_TRUE); }));  // 0.5 is not less than 0.5
  EXPECT_EQ(kAll, drawn([](VkCommandBuffer c) {
              vkCmdSetDepthTestEnableEXT(c, VK_TRUE);
              vkCmdSetDepthCompareOpEXT(c, VK_COMPARE_OP_EQUAL);
            }));
  EXPECT_EQ(0u, drawn([](VkCommandBuffer c) {
              vkCmdSetDepthTestEnableEXT(c, VK_TRUE);
              vkCmdSetDepthCompareOpEXT(c, VK_COMPARE_OP_EQUAL);
              vkCmdSetDepthBiasEnableEXT(c, VK_TRUE);
            }));
  z.clearValue.depthStencil.depth = 0.8f;
  EXPECT_EQ(0u, drawn([](VkCommandBuffer c) { vkCmdSetDepthBoundsTestEnableEXT(c, VK_TRUE); }));
  z.clearValue.depthStencil.depth = 0.5f;
  EXPECT_EQ(kAll, drawn([](VkCommandBuffer c) { vkCmdSetDepthBoundsTestEnableEXT(c, VK_TRUE); }));
  const auto stencil = [](VkStencilFaceFlags faces) {
    return [faces](VkCommandBuffer c) {
      vkCmdSetStencilTestEnableEXT(c, VK_TRUE);
      vkCmdSetStencilOpEXT(c, faces, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_NOT_EQUAL);
    };
  };
  EXPECT_EQ(0u, drawn(stencil(VK_STENCIL_FACE_FRONT_BIT)));  // the reference of front faces is what the attachment holds
  EXPECT_EQ(kAll, drawn(stencil(VK_STENCIL_FACE_BACK_BIT)));
  EXPECT_EQ(kAll / 4, drawn([](VkCommandBuffer c) {
              const VkViewport quarter{0, 0, kSize / 2, kSize / 2, 0, 1};
              vkCmdSetViewportWithCountEXT(c, 1, &quarter);
            }));
  // Only the first three vertices lie in the buffer: those behind its end are zeros, a triangle without an area.
  EXPECT_GT(kAll, drawn([&](VkCommandBuffer c) { vertices(c, 24, 3 * 24); }));
  // Every second vertex: (-1,-1), (1,-1), (-1,1).
  const uint32_t half = drawn([&](VkCommandBuffer c) { vertices(c, 48); }, 0.5f, 0, 3);
  EXPECT_LT(0u, half);
  EXPECT_GT(kAll, half);
}

TEST_F(Rendering, WritesOfDepthAreDynamic) {
  const Image color = target(VK_FORMAT_R8G8B8A8_UNORM);
  const Image depth = target(VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
  const VkPipeline p = pipeline(VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT);
  VkRenderingAttachmentInfo z = attachment(depth);
  z.clearValue.depthStencil.depth = 1;
  for (const VkBool32 write : {VK_FALSE, VK_TRUE}) {
    run([&](VkCommandBuffer c) {
      begin(c, {{attachment(color)}, z, {}});
      bind(c, p);
      vkCmdSetDepthTestEnableEXT(c, VK_TRUE);
      vkCmdSetDepthWriteEnableEXT(c, write);
      draw(c, kTintGreen, 0.25f);
      vkCmdEndRenderingKHR(c);
    });
    const std::vector<uint8_t> bytes = read(depth, 4);
    float value;
    std::memcpy(&value, bytes.data(), 4);
    EXPECT_EQ(write ? 0.25f : 1.0f, value);
  }
}

TEST_F(Rendering, LogicOperationsAreDynamic) {
  const Image color = target(VK_FORMAT_R8G8B8A8_UNORM);
  const VkPipeline p = pipeline(VK_FORMAT_R8G8B8A8_UNORM);
  const VkRect2D left{{0, 0}, {kSize / 2, kSize}};
  run([&](VkCommandBuffer c) {
    begin(c, {{attachment(color)}});
    bind(c, p);
    draw(c, kTintGreen);
    vkCmdSetLogicOpEXT(c, VK_LOGIC_OP_XOR);  // green and alpha become 0, red 1
    vkCmdSetScissorWithCountEXT(c, 1, &left);
    draw(c, {1, 1, 0, 0});
    vkCmdEndRenderingKHR(c);
  });
  EXPECT_EQ(kAll / 2, count(color, kGreen));
  EXPECT_EQ(kAll / 2, count(color, kRed));
}

TEST_F(Rendering, DynamicStateThatIsNotOfferedIsAnError) {
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_TRUE(vkCmdSetPatchControlPointsEXT);  // a function of an extension that is enabled
  const VkCommandBuffer c = command_buffer();
  VK_OK(vkBeginCommandBuffer(c, &info));
  vkCmdSetPatchControlPointsEXT(c, 3);
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkEndCommandBuffer(c));
}

TEST_F(Rendering, ResolveModesAreReported) {
  VkPhysicalDeviceDepthStencilResolveProperties r{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &r};
  vkGetPhysicalDeviceProperties2KHR(physical, &all);
  EXPECT_EQ(VkResolveModeFlags{VK_RESOLVE_MODE_SAMPLE_ZERO_BIT}, r.supportedDepthResolveModes);
  EXPECT_EQ(VkResolveModeFlags{VK_RESOLVE_MODE_SAMPLE_ZERO_BIT}, r.supportedStencilResolveModes);
  EXPECT_TRUE(r.independentResolve && r.independentResolveNone);
}

}  // namespace
}  // namespace vktest
