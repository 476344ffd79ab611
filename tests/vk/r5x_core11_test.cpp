// SPDX-License-Identifier: MIT
/// r5x: what Vulkan 1.1 adds. Views, subgroups, groups of one device, and what is honestly not there.
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "memory_model.comp.h"
#include "subgroups.comp.h"
#include "tests/vk/render_fixture.h"
#include "views.frag.h"
#include "views.vert.h"
#include "views_input.frag.h"
#include "zeroed.comp.h"

namespace vktest {
namespace {

class Core11 : public Render {
 protected:
  Core11() {
    api_version = VK_API_VERSION_1_1;
    multiview.multiview = memory_model.vulkanMemoryModel = memory_model.vulkanMemoryModelDeviceScope = VK_TRUE;
    device_next = &multiview;
    device_extensions = {VK_KHR_MAINTENANCE2_EXTENSION_NAME,          VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME,
                         VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME,      VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME,
                         VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME};
    sizes.subgroupSizeControl = sizes.computeFullSubgroups = zeroes.shaderZeroInitializeWorkgroupMemory = VK_TRUE;
  }
  void dispatch(Spirv code, const Slot& slot, uint32_t first, uint32_t count);
  VkResult pipeline_of(Spirv code, VkPipelineLayout l, uint32_t subgroup, VkPipeline& p);
  VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures zeroes{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES};
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, &zeroes};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, &sizes};
  VkPhysicalDeviceMultiviewFeatures multiview{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, &memory_model};

  static constexpr uint32_t kLayers = 6, kMask = 0x2F;  // view 4 is left out

  struct Layered {
    VkImage image;
    VkImageView view;
  };
  Layered layered() {
    Layered l{};
    VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    ii.imageType = VK_IMAGE_TYPE_2D, ii.format = VK_FORMAT_R8G8B8A8_UNORM, ii.extent = {kSize, kSize, 1};
    ii.mipLevels = 1, ii.arrayLayers = kLayers, ii.samples = VK_SAMPLE_COUNT_1_BIT;
    ii.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    EXPECT_EQ(VK_SUCCESS, vkCreateImage(device, &ii, nullptr, &l.image));
    VkImageMemoryRequirementsInfo2 ri{VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, nullptr, l.image};
    VkMemoryRequirements2 r{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetImageMemoryRequirements2(device, &ri, &r);
    VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    ai.allocationSize = r.memoryRequirements.size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkAllocateMemory(device, &ai, nullptr, &memory));
    const VkBindImageMemoryInfo bi{VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, nullptr, l.image, memory, 0};
    EXPECT_EQ(VK_SUCCESS, vkBindImageMemory2(device, 1, &bi));
    VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    vi.image = l.image, vi.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY, vi.format = ii.format;
    vi.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, kLayers};
    EXPECT_EQ(VK_SUCCESS, vkCreateImageView(device, &vi, nullptr, &l.view));
    to_general(l.image, VK_IMAGE_ASPECT_COLOR_BIT);
    run([&](VkCommandBuffer c) {
      const VkClearColorValue old{{1, 1, 1, 1}};
      vkCmdClearColorImage(c, l.image, VK_IMAGE_LAYOUT_GENERAL, &old, 1, &vi.subresourceRange);
    });
    defer([this, l, memory] {
      vkDestroyImageView(device, l.view, nullptr);
      vkDestroyImage(device, l.image, nullptr);
      vkFreeMemory(device, memory, nullptr);
    });
    return l;
  }
  std::vector<uint8_t> layers_of(const Layered& l) {
    const Buffer b = buffer(uint64_t{kLayers} * kSize * kSize * 4);
    run([&](VkCommandBuffer c) {
      VkBufferImageCopy copy{};
      copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, kLayers};
      copy.imageExtent = {kSize, kSize, 1};
      vkCmdCopyImageToBuffer(c, l.image, VK_IMAGE_LAYOUT_GENERAL, b.handle, 1, &copy);
    });
    return {b.map, b.map + b.size};
  }

  /// Subpass 0 draws to attachment 0, subpass 1 reads it and draws to attachment 1; both with views.
  void make_views(bool second_version, const Layered& first, const Layered& second) {
    const VkAttachmentReference2 refs[3] = {
        {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT},
        {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 1, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT}};
    // The second subpass reads what the same view of the first one drew.
    constexpr VkPipelineStageFlags kOutput = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    constexpr VkAccessFlags kWrite = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    constexpr VkDependencyFlags kByView = VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT;
    if (second_version) {
      VkAttachmentDescription2 a[2] = {{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2}, {VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2}};
      for (auto& d : a) {
        d.format = VK_FORMAT_R8G8B8A8_UNORM, d.samples = VK_SAMPLE_COUNT_1_BIT, d.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        d.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
      }
      VkSubpassDescription2 s[2] = {{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2}, {VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2}};
      s[0].viewMask = s[1].viewMask = kMask;
      s[0].colorAttachmentCount = s[1].colorAttachmentCount = s[1].inputAttachmentCount = 1;
      s[0].pColorAttachments = &refs[0], s[1].pInputAttachments = &refs[0], s[1].pColorAttachments = &refs[1];
      VkRenderPassCreateInfo2 ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
      ri.attachmentCount = ri.subpassCount = 2, ri.pAttachments = a, ri.pSubpasses = s;
      VkSubpassDependency2 d{VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2};
      d.dstSubpass = 1, d.srcStageMask = kOutput, d.dstStageMask = kOutput | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
      d.srcAccessMask = kWrite, d.dstAccessMask = kWrite | VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, d.dependencyFlags = kByView;
      ri.dependencyCount = 1, ri.pDependencies = &d;
      VK_OK(vkCreateRenderPass2KHR(device, &ri, nullptr, &pass));
    } else {
      VkAttachmentDescription a[2]{};
      for (auto& d : a) {
        d.format = VK_FORMAT_R8G8B8A8_UNORM, d.samples = VK_SAMPLE_COUNT_1_BIT, d.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        d.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
      }
      const VkAttachmentReference r[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}};
      VkSubpassDescription s[2]{};
      s[0].colorAttachmentCount = s[1].colorAttachmentCount = s[1].inputAttachmentCount = 1;
      s[0].pColorAttachments = &r[0], s[1].pInputAttachments = &r[0], s[1].pColorAttachments = &r[1];
      const uint32_t masks[2] = {kMask, kMask};
      VkRenderPassMultiviewCreateInfo mi{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
      mi.subpassCount = 2, mi.pViewMasks = masks;
      VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, &mi};
      ri.attachmentCount = ri.subpassCount = 2, ri.pAttachments = a, ri.pSubpasses = s;
      const VkSubpassDependency d{
          0, 1, kOutput, kOutput | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, kWrite, kWrite | VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, kByView};
      ri.dependencyCount = 1, ri.pDependencies = &d;
      VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
    }
    const VkImageView views[2] = {first.view, second.view};
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = pass, fi.attachmentCount = 2, fi.pAttachments = views, fi.width = fi.height = kSize, fi.layers = 1;
    VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
    defer([this, p = pass, f = framebuffer] {
      vkDestroyFramebuffer(device, f, nullptr);
      vkDestroyRenderPass(device, p, nullptr);
    });
  }
  enum class How { direct, indirect, secondary };
  void draw_views(bool second_version, How how, bool device_index = false);
};

/// `device_index`: programs see the number of the device, 0, as that of the view.
void Core11::draw_views(bool second_version, How how, bool device_index) {
  const Layered first = layered(), second = layered();
  make_views(second_version, first, second);
  const VkPipelineLayout plain = layout();
  PipelineOptions o;
  if (device_index) o.flags = VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT;
  const VkPipeline p = pipeline(SPIRV(views_vert), SPIRV(views_frag), plain, o);
  const Slot input{VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0, 0, {VK_NULL_HANDLE, first.view, VK_IMAGE_LAYOUT_GENERAL}, {}};
  const VkPipelineLayout reading = layout(std::vector<Slot>{input});
  o.subpass = 1;
  const VkPipeline q = pipeline(SPIRV(views_vert), SPIRV(views_input_frag), reading, o);
  const VkDescriptorSet set = set_of({input});
  const Buffer arguments = buffer(16, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const VkDrawIndirectCommand command{3, 1, 0, 0};
  std::memcpy(arguments.map, &command, sizeof command);
  constexpr uint32_t kViews = std::popcount(kMask);
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_OCCLUSION, qi.queryCount = kViews;
  VkQueryPool queries = VK_NULL_HANDLE;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &queries));
  defer([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
  run([&](VkCommandBuffer c) { vkCmdResetQueryPool(c, queries, 0, kViews); });

  const auto bind = [&](VkCommandBuffer c, VkPipeline which) {
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, which);
    vkCmdSetViewport(c, 0, 1, &viewport);
    vkCmdSetScissor(c, 0, 1, &scissor);
  };
  const auto draw = [&](VkCommandBuffer c) {
    how == How::indirect ? vkCmdDrawIndirect(c, arguments.handle, 0, 1, 16) : vkCmdDraw(c, 3, 1, 0, 0);
  };
  run([&](VkCommandBuffer c) {
    VkClearValue clear[2]{};
    clear[1].color.float32[0] = 1;
    VkRenderPassBeginInfo b{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    b.renderPass = pass, b.framebuffer = framebuffer, b.renderArea = {{0, 0}, {kSize, kSize}}, b.clearValueCount = 2,
    b.pClearValues = clear;
    const VkSubpassBeginInfo sb{VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr,
                                how == How::secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE};
    const VkSubpassBeginInfo inline_ones{VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, VK_SUBPASS_CONTENTS_INLINE};
    const VkSubpassEndInfo se{VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    second_version ? vkCmdBeginRenderPass2KHR(c, &b, &sb) : vkCmdBeginRenderPass(c, &b, sb.contents);
    if (how == How::secondary) {
      const VkCommandBuffer s = begin_secondary(pass);
      bind(s, p);
      vkCmdBeginQuery(s, queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
      draw(s);
      vkCmdEndQuery(s, queries, 0);
      VK_OK(vkEndCommandBuffer(s));
      vkCmdExecuteCommands(c, 1, &s);
    } else {
      bind(c, p);
      vkCmdBeginQuery(c, queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
      draw(c);
      vkCmdEndQuery(c, queries, 0);
      // The last row again, of every view.
      const VkClearAttachment attachment{VK_IMAGE_ASPECT_COLOR_BIT, 0, {{{0, 0, 0, 1}}}};
      const VkClearRect rect{{{0, kSize - 1}, {kSize, 1}}, 0, 1};
      vkCmdClearAttachments(c, 1, &attachment, 1, &rect);
    }
    second_version ? vkCmdNextSubpass2KHR(c, &inline_ones, &se) : vkCmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    bind(c, q);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, reading, 0, 1, &set, 0, nullptr);
    draw(c);
    second_version ? vkCmdEndRenderPass2KHR(c, &se) : vkCmdEndRenderPass(c);
  });
  // A query for each view; together they are all samples.
  uint64_t counted[kViews];
  VK_OK(vkGetQueryPoolResults(device, queries, 0, kViews, sizeof counted, counted, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  uint64_t expected = 0;
  for (uint32_t v = 0; v < kLayers; ++v) expected += kMask >> v & 1 ? (device_index ? 1 : v + 1) * kSize : 0;
  EXPECT_EQ(std::accumulate(counted, counted + kViews, uint64_t{0}), expected);

  const std::vector<uint8_t> one = layers_of(first), two = layers_of(second);
  for (uint32_t v = 0; v < kLayers; ++v)
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        const size_t at = ((v * kSize + y) * kSize + x) * 4;
        const std::array<uint8_t, 4> a{one[at], one[at + 1], one[at + 2], one[at + 3]}, b{two[at], two[at + 1], two[at + 2], two[at + 3]};
        const auto w = static_cast<uint8_t>(device_index ? 0 : v);
        const bool cleared = how != How::secondary && y == kSize - 1;
        using Pixel = std::array<uint8_t, 4>;
        const Pixel drawn = cleared ? Pixel{0, 0, 0, 255} : x <= w ? Pixel{w, w, 50, 255} : Pixel{};
        const bool viewed = kMask >> v & 1;
        ASSERT_EQ(a, viewed ? drawn : (Pixel{255, 255, 255, 255})) << "view " << v << " at " << x << " " << y;
        ASSERT_EQ(b, viewed ? (Pixel{drawn[0], drawn[1], static_cast<uint8_t>(drawn[2] + w), drawn[3]}) : (Pixel{255, 255, 255, 255}))
            << "view " << v << " at " << x << " " << y;
      }
}

TEST_F(Core11, Views) { draw_views(false, How::direct); }
TEST_F(Core11, ViewsThatSeeTheDevicesNumber) { draw_views(false, How::direct, true); }
TEST_F(Core11, ViewsIndirect) { draw_views(true, How::indirect); }
TEST_F(Core11, ViewsInSecondaryCommandBuffers) { draw_views(true, How::secondary); }

/// Workgroups first..first+count-1 with a set of `slot`.
/// subgroup: VK_EXT_subgroup_size_control's required size with full subgroups, or 0.
VkResult Core11::pipeline_of(Spirv code, VkPipelineLayout l, uint32_t subgroup, VkPipeline& p) {
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  size.requiredSubgroupSize = subgroup;
  VkComputePipelineCreateInfo i{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  i.flags = VK_PIPELINE_CREATE_DISPATCH_BASE;
  i.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  if (subgroup) i.stage.pNext = &size, i.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  i.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, i.stage.module = shader(code.words, code.bytes), i.stage.pName = "main";
  i.layout = l;
  const VkResult r = vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p);
  if (p) defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
  return r;
}

void Core11::dispatch(Spirv code, const Slot& slot, uint32_t first, uint32_t count) {
  const VkPipelineLayout l = layout(std::vector<Slot>{slot});
  VkPipeline p = VK_NULL_HANDLE;
  VK_OK(pipeline_of(code, l, 0, p));
  const VkDescriptorSet set = set_of({slot});
  run([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, l, 0, 1, &set, 0, nullptr);
    vkCmdDispatchBase(c, first, 0, 0, count, 1, 1);
  });
}

TEST_F(Core11, Subgroups) {
  const Buffer out = buffer(2 * 40 * 32 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Slot slot{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, {}, {out.handle, 0, VK_WHOLE_SIZE}};
  dispatch(SPIRV(subgroups_comp), slot, 7, 1);
  const auto* o = reinterpret_cast<const uint32_t*>(out.map);
  const auto value = [](uint32_t n) { return n * n + 3; };
  for (uint32_t n = 0; n < 40; ++n) {
    const uint32_t first = n / 16 * 16, lane = n % 16, lanes = std::min(16u, 40 - first);
    const auto fold = [&](uint32_t start, auto combine, auto of, uint32_t count) {
      uint32_t r = start;
      for (uint32_t k = 0; k < count; ++k) r = combine(r, of(first + k));
      return r;
    };
    const auto add = [](uint32_t a, uint32_t b) { return a + b; };
    uint32_t ballot = 0;
    for (uint32_t k = 0; k < lanes; ++k) ballot |= ((first + k) % 3 == 0) << k;
    const uint32_t quad = n & ~3u;
    uint32_t odds = 0;
    for (uint32_t k = 0; k < lanes; ++k) odds += (first + k) % 2 ? value(first + k) : 0;
    const uint32_t expected[32] = {
        16u | lane << 8 | n / 16 << 16 | 3u << 24,
        uint32_t{lane == 0} | ((1u << lane) - 1) << 1,
        uint32_t{n < 32} | uint32_t{n < 16} << 1 | 1u << 2,
        fold(0, add, value, lanes),
        fold(
            1, [](uint32_t a, uint32_t b) { return a * b; }, [](uint32_t k) { return k | 1; }, lanes),
        value(first),
        value(first + lanes - 1),
        fold(
            ~0u, [](uint32_t a, uint32_t b) { return a & b; }, [&](uint32_t k) { return value(k) | 0xF00; }, lanes),
        fold(
            0, [](uint32_t a, uint32_t b) { return a | b; }, value, lanes),
        fold(
            0, [](uint32_t a, uint32_t b) { return a ^ b; }, value, lanes),
        fold(0, add, value, lane + 1),
        fold(0, add, value, lane),
        ballot,
        static_cast<uint32_t>(std::popcount(ballot)),
        static_cast<uint32_t>(std::popcount(ballot & ((1u << lane) - 1))),
        static_cast<uint32_t>(std::popcount(ballot & ((2u << lane) - 1))),
        static_cast<uint32_t>(std::countr_zero(ballot)) | (static_cast<uint32_t>(std::bit_width(ballot)) - 1) << 8 |
            (ballot >> lane & 1) << 16 | (ballot >> 5 & 1) << 17,
        value(first + 2),
        value(first),
        value(first + lane * 5 % 8),
        value(n ^ 1),
        lane > 0 ? value(n - 1) : 0,
        lane < 7 ? value(n + 1) : 0,
        value(quad) + value(quad + 1) + value(quad + 2) + value(quad + 3),
        value(quad + 1),
        value(n ^ 1),
        value(n ^ 2),
        value(n ^ 3),
        2 * fold(
                0, add, [](uint32_t k) { return k; }, lanes),
        n % 2 ? odds + lanes / 2 : 0,
        first - 20,
        7,
    };
    for (uint32_t k = 0; k < 32; ++k) ASSERT_EQ(o[n * 32 + k], expected[k]) << "invocation " << n << ", word " << k;
  }
}

TEST_F(Core11, MemoryModel) {
  const Buffer out = buffer(3 * 64 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memset(out.map, 0, out.size);
  const Slot slot{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, {}, {out.handle, 0, VK_WHOLE_SIZE}};
  dispatch(SPIRV(memory_model_comp), slot, 0, 4);
  const auto* seen = reinterpret_cast<const uint32_t*>(out.map) + 2 * 64;
  for (uint32_t n = 0; n < 64; ++n) {
    const uint32_t group = n / 16 * 16, other = group + (n + 5) % 16;
    EXPECT_EQ(seen[n], other * 7 + 1 + (group + (n + 9) % 16) * 3 * 65536) << n;
  }
}

/// Local memory is zero at the beginning of each workgroup, whatever the last one left there.
TEST_F(Core11, LocalMemoryBeginsWithZeroes) {
  constexpr uint32_t kGroups = 40;
  const Buffer out = buffer(kGroups * 64 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memset(out.map, 0xEE, out.size);
  const Slot slot{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, {}, {out.handle, 0, VK_WHOLE_SIZE}};
  dispatch(SPIRV(zeroed_comp), slot, 0, kGroups);
  const auto* seen = reinterpret_cast<const uint32_t*>(out.map);
  for (uint32_t n = 0; n < kGroups * 64; ++n) ASSERT_EQ(seen[n], n + 1) << n;
}

TEST_F(Core11, SubgroupsHaveOneSize) {
  VkPhysicalDeviceSubgroupSizeControlProperties p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &p};
  vkGetPhysicalDeviceProperties2(physical, &all);
  EXPECT_EQ(p.minSubgroupSize, 16u);
  EXPECT_EQ(p.maxSubgroupSize, 16u);
  EXPECT_GE(p.maxComputeWorkgroupSubgroups * 16, all.properties.limits.maxComputeWorkGroupInvocations);
  EXPECT_EQ(p.requiredSubgroupSizeStages, VkShaderStageFlags{VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT});
  const VkPipelineLayout l = layout(std::vector<Slot>{{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0}});
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(pipeline_of(SPIRV(zeroed_comp), l, 16, pipeline), VK_SUCCESS);
  EXPECT_NE(pipeline_of(SPIRV(zeroed_comp), l, 32, pipeline), VK_SUCCESS);
  EXPECT_EQ(pipeline, VkPipeline{VK_NULL_HANDLE});
}

TEST_F(Core11, PropertiesAndFeatures) {
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceMultiviewProperties views{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES, &subgroup};
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &views};
  VkPhysicalDeviceMaintenance3Properties sets{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, &id};
  VkPhysicalDeviceProtectedMemoryProperties protection{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES, &sets};
  protection.protectedNoFault = VK_TRUE;
  VkPhysicalDeviceProperties2 p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &protection};
  vkGetPhysicalDeviceProperties2(physical, &p);
  EXPECT_EQ(VK_API_VERSION_MINOR(p.properties.apiVersion), 1u);
  EXPECT_EQ(subgroup.subgroupSize, 16u);
  const VkSubgroupFeatureFlags demanded =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  EXPECT_EQ(subgroup.supportedOperations & demanded, demanded);
  EXPECT_TRUE(subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
  EXPECT_GE(views.maxMultiviewViewCount, 6u);
  EXPECT_GE(views.maxMultiviewInstanceIndex, (1u << 27) - 1);
  EXPECT_GE(sets.maxPerSetDescriptors, 1024u);
  EXPECT_FALSE(id.deviceLUIDValid);
  EXPECT_FALSE(std::all_of(std::begin(id.deviceUUID), std::end(id.deviceUUID), [](uint8_t b) { return b == 0; }));
  EXPECT_FALSE(protection.protectedNoFault);

  VkPhysicalDeviceProtectedMemoryFeatures protect{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES};
  VkPhysicalDeviceSamplerYcbcrConversionFeatures ycbcr{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES, &protect};
  VkPhysicalDeviceVariablePointersFeatures pointers{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES, &ycbcr};
  VkPhysicalDevice16BitStorageFeatures halves{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, &pointers};
  VkPhysicalDeviceMultiviewFeatures view{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, &halves};
  ycbcr.samplerYcbcrConversion = protect.protectedMemory = VK_TRUE;
  VkPhysicalDeviceFeatures2 f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &view};
  vkGetPhysicalDeviceFeatures2(physical, &f);
  EXPECT_TRUE(view.multiview);
  EXPECT_FALSE(view.multiviewGeometryShader);
  EXPECT_TRUE(pointers.variablePointers && pointers.variablePointersStorageBuffer);
  EXPECT_TRUE(halves.storageBuffer16BitAccess && halves.uniformAndStorageBuffer16BitAccess);
  EXPECT_FALSE(ycbcr.samplerYcbcrConversion);
  EXPECT_FALSE(protect.protectedMemory);
}

TEST_F(Core11, WhatIsNotThereIsRefused) {
  // Features that the device lacks.
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1, qi.pQueuePriorities = &priority;
  VkPhysicalDeviceProtectedMemoryFeatures protect{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES};
  protect.protectedMemory = VK_TRUE;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &protect};
  di.queueCreateInfoCount = 1, di.pQueueCreateInfos = &qi;
  VkDevice none = VK_NULL_HANDLE;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateDevice(physical, &di, nullptr, &none));
  VkPhysicalDeviceSamplerYcbcrConversionFeatures ycbcr{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES};
  ycbcr.samplerYcbcrConversion = VK_TRUE;
  di.pNext = &ycbcr;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateDevice(physical, &di, nullptr, &none));

  VkSamplerYcbcrConversionCreateInfo ci{VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO};
  ci.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateSamplerYcbcrConversion(device, &ci, nullptr, &conversion));
  EXPECT_EQ(conversion, VkSamplerYcbcrConversion{VK_NULL_HANDLE});
  vkDestroySamplerYcbcrConversion(device, conversion, nullptr);

  VkDeviceQueueInfo2 info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2};
  VkQueue q = VK_NULL_HANDLE;
  vkGetDeviceQueue2(device, &info, &q);
  EXPECT_EQ(q, queue);
  info.flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
  vkGetDeviceQueue2(device, &info, &q);
  EXPECT_EQ(q, VkQueue{VK_NULL_HANDLE});
}

TEST_F(Core11, ImagesOfTheSameParametersAreAliases) {
  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  ii.flags = VK_IMAGE_CREATE_ALIAS_BIT, ii.imageType = VK_IMAGE_TYPE_2D, ii.format = VK_FORMAT_R8G8B8A8_UNORM;
  ii.extent = {kSize, kSize, 1}, ii.mipLevels = 3, ii.arrayLayers = 2, ii.samples = VK_SAMPLE_COUNT_1_BIT;
  ii.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  VkImageFormatProperties properties;
  VK_OK(vkGetPhysicalDeviceImageFormatProperties(physical, ii.format, ii.imageType, ii.tiling, ii.usage, ii.flags, &properties));
  VkImage images[2];
  VkMemoryRequirements needs[2];
  for (int i = 0; i < 2; i++) {
    VK_OK(vkCreateImage(device, &ii, nullptr, &images[i]));
    vkGetImageMemoryRequirements(device, images[i], &needs[i]);
  }
  EXPECT_EQ(needs[0].size, needs[1].size);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  ai.allocationSize = needs[0].size;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(vkAllocateMemory(device, &ai, nullptr, &memory));
  for (const VkImage image : images) VK_OK(vkBindImageMemory(device, image, memory, 0));
  for (const VkImage image : images) to_general(image, VK_IMAGE_ASPECT_COLOR_BIT);
  const Buffer b = buffer(uint64_t{kSize} / 2 * kSize / 2 * 4);
  run([&](VkCommandBuffer c) {
    const VkClearColorValue colors[2] = {{{0, 0, 0, 0}}, {{1, 0, 0.2f, 1}}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 0, 2}, one{VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1, 1};
    vkCmdClearColorImage(c, images[0], VK_IMAGE_LAYOUT_GENERAL, &colors[0], 1, &all);
    barrier(c);
    vkCmdClearColorImage(c, images[0], VK_IMAGE_LAYOUT_GENERAL, &colors[1], 1, &one);
    barrier(c);
    VkBufferImageCopy copy{};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1};
    copy.imageExtent = {kSize / 2, kSize / 2, 1};
    vkCmdCopyImageToBuffer(c, images[1], VK_IMAGE_LAYOUT_GENERAL, b.handle, 1, &copy);
  });
  for (uint64_t i = 0; i < b.size; i += 4) {
    uint32_t texel;
    std::memcpy(&texel, b.map + i, 4);
    ASSERT_EQ(texel, 0xFF3300FFu) << "texel " << i / 4;
  }
  for (const VkImage image : images) vkDestroyImage(device, image, nullptr);
  vkFreeMemory(device, memory, nullptr);
}

TEST_F(Core11, AGroupOfOneDevice) {
  uint32_t count = 0;
  VK_OK(vkEnumeratePhysicalDeviceGroups(instance, &count, nullptr));
  ASSERT_EQ(count, 1u);
  VkPhysicalDeviceGroupProperties group{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
  VK_OK(vkEnumeratePhysicalDeviceGroups(instance, &count, &group));
  EXPECT_EQ(group.physicalDeviceCount, 1u);
  EXPECT_EQ(group.physicalDevices[0], physical);
  // Sets of any size that the limit allows.
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1024, VK_SHADER_STAGE_ALL, nullptr};
  VkDescriptorSetLayoutCreateInfo li{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  li.bindingCount = 1, li.pBindings = &binding;
  VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
  vkGetDescriptorSetLayoutSupport(device, &li, &support);
  EXPECT_TRUE(support.supported);
}

/// CTS 1.1, api.descriptor_pool.out_of_pool_memory: the error needs no extension.
TEST_F(Core11, PoolsRunOutWithAnErrorOfTheirOwn) {
  const VkDescriptorSetLayoutBinding b{0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, nullptr};
  VkDescriptorSetLayoutCreateInfo li{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  li.bindingCount = 1, li.pBindings = &b;
  VkDescriptorSetLayout l = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorSetLayout(device, &li, nullptr, &l));
  const VkDescriptorPoolSize size{b.descriptorType, 1};
  VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pi.maxSets = 1, pi.poolSizeCount = 1, pi.pPoolSizes = &size;
  VkDescriptorPool p = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &pi, nullptr, &p));
  VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, p, 1, &l};
  VkDescriptorSet s = VK_NULL_HANDLE;
  VK_OK(vkAllocateDescriptorSets(device, &ai, &s));
  EXPECT_EQ(VK_ERROR_OUT_OF_POOL_MEMORY, vkAllocateDescriptorSets(device, &ai, &s));
  vkDestroyDescriptorPool(device, p, nullptr);
  vkDestroyDescriptorSetLayout(device, l, nullptr);
}

}  // namespace
}  // namespace vktest
