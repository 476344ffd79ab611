// SPDX-License-Identifier: MIT
/// r5x: draws with X programs: vertex formats, integer and float targets at once, stores of fragments, depth formats, occlusion.
#include <cstdint>
#include <cstring>

#include "full.vert.h"
#include "point.frag.h"
#include "r5x_integers.frag.h"
#include "r5x_scene.vert.h"
#include "tests/vk/fixture.h"

namespace vktest {
namespace {

constexpr uint32_t kSize = 16;

class Graphics : public Vk {
 protected:
  struct Targets {
    std::vector<Image> images;
    VkRenderPass pass = VK_NULL_HANDLE;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
  };
  Targets targets(std::vector<VkFormat> colors, VkFormat depth, VkExtent2D size = {kSize, kSize}) {
    Targets t;
    std::vector<VkAttachmentDescription> attachments;
    std::vector<VkAttachmentReference> references;
    std::vector<VkImageView> views;
    const auto add = [&](VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspects) {
      ImageOptions o;
      o.usage |= usage;
      o.aspects = aspects;
      o.view = true;
      t.images.push_back(image(format, size.width, size.height, o));
      views.push_back(t.images.back().view);
      attachments.push_back({0, format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE,
                             VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE, VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_GENERAL});
      references.push_back({static_cast<uint32_t>(references.size()), VK_IMAGE_LAYOUT_GENERAL});
    };
    for (const VkFormat f : colors) add(f, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
    if (depth) add(depth, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
    VkSubpassDescription s{};
    s.colorAttachmentCount = static_cast<uint32_t>(colors.size());
    s.pColorAttachments = references.data();
    if (depth) s.pDepthStencilAttachment = &references.back();
    VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    ri.attachmentCount = static_cast<uint32_t>(attachments.size());
    ri.pAttachments = attachments.data();
    ri.subpassCount = 1;
    ri.pSubpasses = &s;
    EXPECT_EQ(VK_SUCCESS, vkCreateRenderPass(device, &ri, nullptr, &t.pass));
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = t.pass;
    fi.attachmentCount = static_cast<uint32_t>(views.size());
    fi.pAttachments = views.data();
    fi.width = size.width, fi.height = size.height;
    fi.layers = 1;
    EXPECT_EQ(VK_SUCCESS, vkCreateFramebuffer(device, &fi, nullptr, &t.framebuffer));
    defer([this, t] {
      vkDestroyFramebuffer(device, t.framebuffer, nullptr);
      vkDestroyRenderPass(device, t.pass, nullptr);
    });
    return t;
  }

  /// The scene's pipeline, or with `plain` one that covers a target of `size` with (0, 0, 0, 1).
  VkPipeline pipeline(VkRenderPass pass, VkPipelineLayout layout, uint32_t colors, VkCompareOp compare, VkExtent2D size = {kSize, kSize},
                      bool plain = false, VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP) {
    VkPipelineShaderStageCreateInfo stages[2] = {{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO},
                                                 {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO}};
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT, stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[0].module = plain ? shader(full_vert, sizeof full_vert) : shader(r5x_scene_vert, sizeof r5x_scene_vert);
    stages[1].module = plain ? shader(point_frag, sizeof point_frag) : shader(r5x_integers_frag, sizeof r5x_integers_frag);
    stages[0].pName = stages[1].pName = "main";
    const VkVertexInputBindingDescription bindings[2] = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}, {5, 2, VK_VERTEX_INPUT_RATE_INSTANCE}};
    // Bytes at an odd offset: what strict chips cannot fetch.
    const VkVertexInputAttributeDescription attributes[2] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 5, VK_FORMAT_R8G8_SINT, 1}};
    VkPipelineVertexInputStateCreateInfo vi{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    vi.vertexBindingDescriptionCount = vi.vertexAttributeDescriptionCount = plain ? 0 : 2;
    vi.pVertexBindingDescriptions = bindings, vi.pVertexAttributeDescriptions = attributes;
    VkPipelineInputAssemblyStateCreateInfo ia{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    ia.topology = topology;
    ia.primitiveRestartEnable = topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    VkViewport viewport{0, 0, static_cast<float>(size.width), static_cast<float>(size.height), 0, 1};
    if (topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST) viewport.x = viewport.width /= 2;  // the right half
    const VkRect2D scissor{{0, 0}, size};
    VkPipelineViewportStateCreateInfo vp{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    vp.viewportCount = vp.scissorCount = 1, vp.pViewports = &viewport, vp.pScissors = &scissor;
    VkPipelineRasterizationStateCreateInfo rs{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    rs.lineWidth = 1;
    VkPipelineMultisampleStateCreateInfo ms{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    ms.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineDepthStencilStateCreateInfo ds{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    ds.depthTestEnable = ds.depthWriteEnable = VK_TRUE;
    ds.depthCompareOp = compare;
    std::vector<VkPipelineColorBlendAttachmentState> blend(colors);
    for (auto& b : blend) b.colorWriteMask = 0xF;
    VkPipelineColorBlendStateCreateInfo cb{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    cb.attachmentCount = colors, cb.pAttachments = blend.data();
    VkGraphicsPipelineCreateInfo i{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    i.stageCount = 2, i.pStages = stages, i.pVertexInputState = &vi, i.pInputAssemblyState = &ia, i.pViewportState = &vp;
    i.pRasterizationState = &rs, i.pMultisampleState = &ms, i.pDepthStencilState = &ds, i.pColorBlendState = &cb;
    i.layout = layout, i.renderPass = pass;
    VkPipeline p = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
    defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
    return p;
  }
};

/// Two strips by one index list with a restart, two instances of each.
TEST_F(Graphics, IntegerTargetsStoresAndDepth) {
  for (const VkFormat depth : {VK_FORMAT_D16_UNORM, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
    const Targets t = targets({VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R32G32B32A32_SFLOAT}, depth);
    VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo li{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    li.bindingCount = 1, li.pBindings = &binding;
    VkDescriptorSetLayout l = VK_NULL_HANDLE;
    VK_OK(vkCreateDescriptorSetLayout(device, &li, nullptr, &l));
    VkPipelineLayoutCreateInfo pi{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    pi.setLayoutCount = 1, pi.pSetLayouts = &l;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VK_OK(vkCreatePipelineLayout(device, &pi, nullptr, &layout));
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo di{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    di.maxSets = di.poolSizeCount = 1, di.pPoolSizes = &size;
    VkDescriptorPool dp = VK_NULL_HANDLE;
    VK_OK(vkCreateDescriptorPool(device, &di, nullptr, &dp));
    VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    ai.descriptorPool = dp, ai.descriptorSetCount = 1, ai.pSetLayouts = &l;
    VkDescriptorSet set = VK_NULL_HANDLE;
    VK_OK(vkAllocateDescriptorSets(device, &ai, &set));
    defer([this, l, layout, dp] {
      vkDestroyDescriptorPool(device, dp, nullptr);
      vkDestroyPipelineLayout(device, layout, nullptr);
      vkDestroyDescriptorSetLayout(device, l, nullptr);
    });
    const Buffer counted = buffer(8, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    std::memset(counted.map, 0, 8);
    const VkDescriptorBufferInfo info{counted.handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet w{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    w.dstSet = set, w.descriptorCount = 1, w.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, w.pBufferInfo = &info;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);

    // Left half: corners 0..3; right half: corners 4..7. One unused vertex before.
    const Buffer corners = buffer(9 * 8, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), numbers = buffer(16, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT),
                 indices = buffer(32, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const float at[9][2] = {{9, 9}, {-1, -1}, {0, -1}, {-1, 1}, {0, 1}, {0, -1}, {1, -1}, {0, 1}, {1, 1}};
    std::memcpy(corners.map, at, sizeof at);
    const int8_t number[] = {0, 3, -5, 3, -6, 3, -7};  // x, y of instances 0, 1, 2 from byte 1 on
    std::memcpy(numbers.map, number, sizeof number);
    const uint16_t index[] = {99, 0, 1, 2, 3, 0xFFFF, 4, 5, 6, 7};
    std::memcpy(indices.map, index, sizeof index);
    VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    qi.queryType = VK_QUERY_TYPE_OCCLUSION, qi.queryCount = 1;
    VkQueryPool query = VK_NULL_HANDLE;
    VK_OK(vkCreateQueryPool(device, &qi, nullptr, &query));
    defer([this, query] { vkDestroyQueryPool(device, query, nullptr); });
    const VkPipeline p = pipeline(t.pass, layout, 3, VK_COMPARE_OP_LESS);
    run([&](VkCommandBuffer cmd) {
      vkCmdResetQueryPool(cmd, query, 0, 1);
      VkClearValue clear[4]{};
      clear[0].color.int32[0] = -9, clear[1].color.uint32[1] = 0xFFFFFFFF, clear[2].color.float32[2] = 1e10f;
      clear[3].depthStencil.depth = 0.75f;
      VkRenderPassBeginInfo b{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
      b.renderPass = t.pass, b.framebuffer = t.framebuffer, b.renderArea = {{0, 0}, {kSize, kSize}}, b.clearValueCount = 4,
      b.pClearValues = clear;
      vkCmdBeginRenderPass(cmd, &b, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
      const VkDeviceSize none = 0;
      vkCmdBindVertexBuffers(cmd, 0, 1, &corners.handle, &none);
      vkCmdBindVertexBuffers(cmd, 5, 1, &numbers.handle, &none);
      vkCmdBindIndexBuffer(cmd, indices.handle, 0, VK_INDEX_TYPE_UINT16);
      vkCmdBeginQuery(cmd, query, 0, VK_QUERY_CONTROL_PRECISE_BIT);
      // Instance 1 is drawn, instance 2 is not nearer.
      vkCmdDrawIndexed(cmd, 9, 2, 1, 1, 1);
      vkCmdEndQuery(cmd, query, 0);
      vkCmdEndRenderPass(cmd);
    });
    uint64_t samples = 0;
    VK_OK(vkGetQueryPoolResults(device, query, 0, 1, 8, &samples, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    EXPECT_EQ(samples, uint64_t{kSize * kSize}) << depth;
    const auto* count = reinterpret_cast<const uint32_t*>(counted.map);
    EXPECT_EQ(count[0], kSize * kSize) << "early tests: fragments behind run nothing";
    EXPECT_EQ(count[1], 1u << 4);
    const std::vector<uint8_t> a = read(t.images[0], 8), b = read(t.images[1], 16), c = read(t.images[2], 16);
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        const uint32_t i = y * kSize + x;
        int16_t s[4];
        std::memcpy(s, &a[i * 8], sizeof s);
        ASSERT_EQ(s[0], 3 + 1) << x << " " << y;
        ASSERT_EQ(s[1], -6) << x << " " << y;
        ASSERT_EQ(s[2], -4);
        ASSERT_EQ(s[3], 6);
        uint32_t u[4];
        std::memcpy(u, &b[i * 16], sizeof u);
        ASSERT_EQ(u[0], x);
        ASSERT_EQ(u[1], y);
        ASSERT_EQ(u[2], 0x80000000u);
        ASSERT_EQ(u[3], 7u);
        float f[4];
        std::memcpy(f, &c[i * 16], sizeof f);
        ASSERT_NEAR(f[0], (static_cast<float>(x) + 0.5f) / 8 - 1, 1e-5f);
        ASSERT_NEAR(f[1], (static_cast<float>(y) + 0.5f) / 8 - 1, 1e-5f);
        ASSERT_EQ(f[3], 4.0f);
      }
    // Depth back in a buffer, in the form of the aspect.
    const uint32_t bytes = depth == VK_FORMAT_D16_UNORM ? 2 : 4;
    const std::vector<uint8_t> z = read(t.images[3], bytes, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
    uint32_t word = 0;
    std::memcpy(&word, &z[5 * bytes], bytes);
    if (depth == VK_FORMAT_D16_UNORM)
      EXPECT_NEAR(word, 0x8000u, 1);
    else if (depth == VK_FORMAT_D24_UNORM_S8_UINT)
      EXPECT_NEAR(word & 0xFFFFFF, 0x800000u, 1);
    else
      EXPECT_EQ(word, 0x3F000000u);
  }
}

/// The largest target that the limits promise, drawn to its last pixel.
TEST_F(Graphics, TheLargestTargetsAreCoveredToTheirLastPixel) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  const uint32_t most = properties.limits.maxFramebufferWidth;
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, 20};
  VkPipelineLayoutCreateInfo li{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  li.pushConstantRangeCount = 1, li.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VK_OK(vkCreatePipelineLayout(device, &li, nullptr, &layout));
  defer([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
  for (const VkExtent2D size : {VkExtent2D{most, 2}, VkExtent2D{2, most}}) {
    const Targets t = targets({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_UNDEFINED, size);
    const VkPipeline p = pipeline(t.pass, layout, 1, VK_COMPARE_OP_ALWAYS, size, true);
    run([&](VkCommandBuffer cmd) {
      VkClearValue clear{};
      clear.color.float32[0] = 1;
      VkRenderPassBeginInfo b{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
      b.renderPass = t.pass, b.framebuffer = t.framebuffer, b.renderArea = {{0, 0}, size}, b.clearValueCount = 1, b.pClearValues = &clear;
      vkCmdBeginRenderPass(cmd, &b, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const float push[5] = {1, 1, 1, 1, 0.5f};
      vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, push);
      vkCmdDraw(cmd, 3, 1, 0, 0);
      vkCmdEndRenderPass(cmd);
    });
    const std::vector<uint8_t> pixels = read(t.images[0], 4);
    ASSERT_EQ(pixels.size(), size_t{most} * 2 * 4);
    for (size_t i = 0; i < pixels.size(); i += 4) {
      ASSERT_EQ(pixels[i], 0) << "pixel " << i / 4 << " of " << size.width << "x" << size.height;
      ASSERT_EQ(pixels[i + 3], 255) << "pixel " << i / 4 << " of " << size.width << "x" << size.height;
    }
  }
}

/// A vertical line between two columns of pixels is a rectangle whose left side goes through the centres of the left ones, which are
/// covered.
TEST_F(Graphics, SidesOfLinesFollowTheTopLeftRule) {
  const VkExtent2D size{2 * kSize, kSize};
  const Targets t = targets({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_UNDEFINED, size);
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, 20};
  VkPipelineLayoutCreateInfo li{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  li.pushConstantRangeCount = 1, li.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VK_OK(vkCreatePipelineLayout(device, &li, nullptr, &layout));
  defer([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
  const VkPipeline p = pipeline(t.pass, layout, 1, VK_COMPARE_OP_ALWAYS, size, true, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
  run([&](VkCommandBuffer cmd) {
    VkClearValue clear{};
    VkRenderPassBeginInfo b{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    b.renderPass = t.pass, b.framebuffer = t.framebuffer, b.renderArea = {{0, 0}, size}, b.clearValueCount = 1, b.pClearValues = &clear;
    vkCmdBeginRenderPass(cmd, &b, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    const float push[5] = {1, 1, 1, 1, 0.5f};
    vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, push);
    vkCmdDraw(cmd, 2, 1, 2, 0);  // vertices 2 and 3: upwards at x = -1
    vkCmdEndRenderPass(cmd);
  });
  const std::vector<uint8_t> pixels = read(t.images[0], 4);
  for (uint32_t y = 0; y < size.height; ++y)
    for (uint32_t x = 0; x < size.width; ++x) ASSERT_EQ(pixels[(y * size.width + x) * 4 + 3], x == kSize - 1 ? 255 : 0) << x << ", " << y;
}

}  // namespace
}  // namespace vktest
