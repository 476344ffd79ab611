// SPDX-License-Identifier: MIT
/// r5x: pipeline statistics, and draws without rasterization.
#include <array>
#include <cstdint>

#include "full.vert.h"
#include "groups.comp.h"
#include "point.frag.h"
#include "stores.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

class Statistics : public Render {
 protected:
  VkQueryPool queries(VkQueryPipelineStatisticFlags what, uint32_t count = 1) {
    VkQueryPoolCreateInfo i{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    i.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS, i.queryCount = count, i.pipelineStatistics = what;
    VkQueryPool p = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateQueryPool(device, &i, nullptr, &p));
    defer([this, p] { vkDestroyQueryPool(device, p, nullptr); });
    return p;
  }
  static constexpr VkQueryPipelineStatisticFlags kAll = (1u << 11) - 1;
  using Counts = std::array<uint64_t, 11>;
  Counts results(VkQueryPool p, uint32_t query = 0) {
    Counts c;
    c.fill(~uint64_t{0});
    EXPECT_EQ(VK_SUCCESS,
              vkGetQueryPoolResults(device, p, query, 1, sizeof c, c.data(), sizeof c, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    return c;
  }
};

TEST_F(Statistics, DrawsCount) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline list = pipeline(SPIRV(full_vert), SPIRV(point_frag), l);
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, o.restart = true;
  const VkPipeline strip = pipeline(SPIRV(full_vert), SPIRV(point_frag), l, o);
  const Buffer indices = buffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint16_t order[] = {0, 1, 2, 2, 0xFFFF, 0, 1, 2};
  std::memcpy(indices.map, order, sizeof order);
  const VkQueryPool p = queries(kAll, 3);
  const Buffer copied = buffer(64);
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, p, 0, 3);
    begin(c);
    push(c, l);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, list);
    vkCmdDraw(c, 3, 1, 0, 0);  // not counted
    vkCmdBeginQuery(c, p, 0, 0);
    vkCmdDraw(c, 3, 2, 0, 0);
    vkCmdEndQuery(c, p, 0);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, strip);
    vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBeginQuery(c, p, 1, 0);
    vkCmdDrawIndexed(c, 8, 1, 0, 0, 0);
    vkCmdEndQuery(c, p, 1);
    vkCmdBeginQuery(c, p, 2, 0);
    vkCmdEndQuery(c, p, 2);
    vkCmdEndRenderPass(c);
    vkCmdCopyQueryPoolResults(c, p, 0, 1, copied.handle, 0, 0, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  });
  // Vertices and primitives of assembly, vertex programs, geometry (2), clipping (2), fragments, tessellation (2), compute.
  EXPECT_EQ(results(p, 0), (Counts{6, 2, 6, 0, 0, 2, 2, 2 * kSize * kSize, 0, 0, 0}));
  // The restart is no vertex; what a vertex program made before is not made again. The second triangle has no area.
  EXPECT_EQ(results(p, 1), (Counts{7, 3, 3, 0, 0, 3, 3, 2 * kSize * kSize, 0, 0, 0}));
  EXPECT_EQ(results(p, 2), Counts{});
  const uint32_t* const words = reinterpret_cast<const uint32_t*>(copied.map);
  EXPECT_EQ(words[0], 6u);
  EXPECT_EQ(words[7], 2 * kSize * kSize);
  EXPECT_EQ(words[11], 1u);
}

TEST_F(Statistics, OnlyWhatIsAskedFor) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline list = pipeline(SPIRV(full_vert), SPIRV(point_frag), l);
  const VkQueryPool p =
      queries(VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT | VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT, 1);
  run([&](VkCommandBuffer c) { vkCmdResetQueryPool(c, p, 0, 1); });
  uint32_t early[3] = {7, 7, 7};
  EXPECT_EQ(VK_NOT_READY, vkGetQueryPoolResults(device, p, 0, 1, sizeof early, early, sizeof early, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
  EXPECT_EQ(early[0], 7u);
  EXPECT_EQ(early[2], 0u);
  render([&](VkCommandBuffer c) {
    push(c, l);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, list);
    const VkRect2D half{{0, 0}, {kSize / 2, kSize}};
    vkCmdSetScissor(c, 0, 1, &half);
    vkCmdBeginQuery(c, p, 0, 0);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndQuery(c, p, 0);
  });
  uint32_t now[3] = {};
  EXPECT_EQ(VK_SUCCESS, vkGetQueryPoolResults(device, p, 0, 1, sizeof now, now, sizeof now,
                                              VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WAIT_BIT));
  EXPECT_EQ(now[0], 1u);
  EXPECT_EQ(now[1], kSize * kSize / 2);
  EXPECT_EQ(now[2], 1u);
}

/// Without rasterization nothing is drawn, but vertex programs run.
TEST_F(Statistics, DiscardedPrimitivesHaveVertices) {
  make_pass();
  const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  PipelineOptions o;
  o.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, o.discard = true;
  const VkPipeline p = pipeline(SPIRV(stores_vert), SPIRV(point_frag), l, o);
  const Buffer out = buffer(64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memset(out.map, 0, 64);
  const VkDescriptorBufferInfo info{out.handle, 0, VK_WHOLE_SIZE};
  const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &info, nullptr);
  const VkQueryPool q = queries(kAll);
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, q, 0, 1);
    begin(c, {0, 0, 1, 1});
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
    vkCmdDraw(c, 4, 1, 2, 0);
    vkCmdBeginQuery(c, q, 0, 0);
    vkCmdDraw(c, 3, 1, 8, 0);
    vkCmdEndQuery(c, q, 0);
    vkCmdEndRenderPass(c);
  });
  for (uint32_t i = 0; i < 16; ++i)
    EXPECT_EQ(reinterpret_cast<const uint32_t*>(out.map)[i], (i >= 2 && i < 6) || (i >= 8 && i < 11) ? i + 1 : 0) << i;
  const Counts c = results(q);
  EXPECT_EQ(c[0], 3u);
  EXPECT_EQ(c[2], 3u);
  EXPECT_EQ(c[7], 0u);
  picture();
  EXPECT_EQ(count({0, 0, 255, 255}), kSize * kSize);
}

TEST_F(Statistics, DispatchesCount) {
  VkDescriptorSetLayoutBinding b{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo si{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  si.bindingCount = 1, si.pBindings = &b;
  VkDescriptorSetLayout sl = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorSetLayout(device, &si, nullptr, &sl));
  VkPipelineLayoutCreateInfo li{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  li.setLayoutCount = 1, li.pSetLayouts = &sl;
  VkPipelineLayout pl = VK_NULL_HANDLE;
  VK_OK(vkCreatePipelineLayout(device, &li, nullptr, &pl));
  VkComputePipelineCreateInfo ci{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  ci.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  ci.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, ci.stage.module = shader(groups_comp, sizeof groups_comp), ci.stage.pName = "main";
  ci.layout = pl;
  VkPipeline p = VK_NULL_HANDLE;
  VK_OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &ci, nullptr, &p));
  defer([this, sl, pl, p] {
    vkDestroyPipeline(device, p, nullptr);
    vkDestroyPipelineLayout(device, pl, nullptr);
    vkDestroyDescriptorSetLayout(device, sl, nullptr);
  });
  const Buffer out = buffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), groups = buffer(16, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const uint32_t three[3] = {1, 2, 1};
  std::memcpy(groups.map, three, sizeof three);
  const VkDescriptorBufferInfo info{out.handle, 0, VK_WHOLE_SIZE};
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo di{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  di.maxSets = 1, di.poolSizeCount = 1, di.pPoolSizes = &size;
  VkDescriptorPool sets = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &di, nullptr, &sets));
  defer([this, sets] { vkDestroyDescriptorPool(device, sets, nullptr); });
  VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  ai.descriptorPool = sets, ai.descriptorSetCount = 1, ai.pSetLayouts = &sl;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VK_OK(vkAllocateDescriptorSets(device, &ai, &set));
  VkWriteDescriptorSet w{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  w.dstSet = set, w.descriptorCount = 1, w.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, w.pBufferInfo = &info;
  vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  const VkQueryPool q = queries(VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  run([&](VkCommandBuffer c) {
    vkCmdResetQueryPool(c, q, 0, 1);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, pl, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(c, 1, 1, 1);
    vkCmdBeginQuery(c, q, 0, 0);
    vkCmdDispatch(c, 3, 2, 1);
    vkCmdDispatchIndirect(c, groups.handle, 0);
    vkCmdEndQuery(c, q, 0);
    vkCmdDispatch(c, 1, 1, 1);
  });
  uint64_t n = 0;
  VK_OK(vkGetQueryPoolResults(device, q, 0, 1, 8, &n, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  EXPECT_EQ(n, (6u + 2u) * 32u);
}

}  // namespace
}  // namespace vktest
