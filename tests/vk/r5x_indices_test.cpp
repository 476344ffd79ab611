// SPDX-License-Identifier: MIT
/// r5x: indices of bytes (VK_EXT_index_type_uint8) and of all 32 bits, lists of more vertices than a packet draws.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "color.frag.h"
#include "indices.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

constexpr std::array<uint8_t, 4> kDrawn{1, 2, 3, 255};

/// Vertices are pixels of row 0, in the order of their numbers.
class Indices : public Render {
 protected:
  Indices() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    device_extensions = {VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME, VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME};
    lists_.primitiveTopologyListRestart = VK_TRUE;
    device_next = &features_;
  }
  void SetUp() override {
    Render::SetUp();
    make_pass();
    color_of_ = buffer(4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(color_of_.map, kDrawn.data(), 4);
  }
  VkPipeline pipeline_of(VkPrimitiveTopology topology, bool restart) {
    PipelineOptions o;
    o.topology = topology;
    o.restart = restart;
    o.bindings = {{0, 0, VK_VERTEX_INPUT_RATE_INSTANCE}, {1, 0, VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R8G8B8A8_UNORM, 0}, {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0}};
    return pipeline(SPIRV(indices_vert), SPIRV(color_frag), layout(), o);
  }
  /// Row 0 as text, x where something was drawn.
  std::string row(VkPipeline p, const std::function<void(VkCommandBuffer)>& draw) {
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      const VkBuffer b[2] = {color_of_.handle, color_of_.handle};
      const VkDeviceSize offsets[2] = {0, 0};
      vkCmdBindVertexBuffers(c, 0, 2, b, offsets);
      draw(c);
    });
    std::string out;
    for (uint32_t x = 0; x < kSize; ++x) out += at(x, 0) == kDrawn ? 'x' : '.';
    return out;
  }
  static bool on_reference() {
    const char* executor = std::getenv("PUMICE_EXEC");
    return executor && std::strcmp(executor, "ref") == 0;
  }

 private:
  Buffer color_of_;
  VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT lists_{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT};
  VkPhysicalDeviceIndexTypeUint8FeaturesEXT features_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, &lists_, VK_TRUE};
};

TEST_F(Indices, BytesFromAnyAddress) {
  const VkPipeline p = pipeline_of(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false);
  const Buffer b = buffer(16, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  for (uint8_t i = 0; i < 16; ++i) b.map[i] = static_cast<uint8_t>(15 - i);
  for (uint32_t offset = 0; offset < 4; ++offset)
    for (uint32_t first = 0; first < 4; ++first) {
      std::string want(16, '.');
      for (uint32_t i = 0; i < 6; ++i) want[15 - offset - first - i] = 'x';
      EXPECT_EQ(want, row(p,
                          [&](VkCommandBuffer c) {
                            vkCmdBindIndexBuffer(c, b.handle, offset, VK_INDEX_TYPE_UINT8_EXT);
                            vkCmdDrawIndexed(c, 6, 1, first, 0, 0);
                          }))
          << "offset " << offset << ", first " << first;
    }
}

TEST_F(Indices, BytesOfAllOnesBeginAnotherStrip) {
  const VkPipeline p = pipeline_of(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, true);
  const Buffer b = buffer(16, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint8_t indices[] = {1, 4, 255, 9, 12};
  std::memcpy(b.map, indices, sizeof indices);
  EXPECT_EQ(".xxx.....xxx....", row(p, [&](VkCommandBuffer c) {
              vkCmdBindIndexBuffer(c, b.handle, 0, VK_INDEX_TYPE_UINT8_EXT);
              vkCmdDrawIndexed(c, 5, 1, 0, 0, 0);
            }));
}

/// VK_EXT_primitive_topology_list_restart: what a line has when the list begins again is dropped.
TEST_F(Indices, ListsBeginAgain) {
  const VkPipeline p = pipeline_of(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, true), plain = pipeline_of(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, true);
  const Buffer b = buffer(32, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint16_t indices[] = {1, 4, 7, 0xFFFF, 0xFFFF, 9, 12, 14, 0xFFFF, 6};
  std::memcpy(b.map, indices, sizeof indices);
  const auto draw = [&](VkCommandBuffer c) {
    vkCmdBindIndexBuffer(c, b.handle, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(c, static_cast<uint32_t>(std::size(indices)), 1, 0, 0, 0);
  };
  EXPECT_EQ(".xxx.....xxx....", row(p, draw));
  EXPECT_EQ(".x..x.xx.x..x.x.", row(plain, draw));
}

TEST_F(Indices, AllBitsOfLargeIndicesCount) {
  const VkPipeline p = pipeline_of(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false);
  const Buffer b = buffer(16, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint32_t indices[] = {0x40000002, 0x00000003, 0x40000005};
  std::memcpy(b.map, indices, sizeof indices);
  EXPECT_EQ("..x..x..........", row(p, [&](VkCommandBuffer c) {
              vkCmdBindIndexBuffer(c, b.handle, 0, VK_INDEX_TYPE_UINT32);
              vkCmdDrawIndexed(c, 3, 1, 0, -0x40000000, 0);
            }));
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  EXPECT_EQ(UINT32_MAX, properties.limits.maxDrawIndexedIndexValue);
}

TEST_F(Indices, ListsOfMoreVerticesThanAPacketDraws) {
  if (on_reference()) GTEST_SKIP() << "millions of vertices take the reference too long";
  const VkPipeline p = pipeline_of(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false);
  constexpr uint32_t kMany = 7u << 20;
  const Buffer b = buffer(kMany, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  std::memset(b.map, 0xFF, kMany);  // out of view
  b.map[0] = 3, b.map[kMany / 2] = 5, b.map[kMany - 1] = 8;
  EXPECT_EQ("...x.x..x.......", row(p, [&](VkCommandBuffer c) {
              vkCmdBindIndexBuffer(c, b.handle, 0, VK_INDEX_TYPE_UINT8_EXT);
              vkCmdDrawIndexed(c, kMany, 1, 0, 0, 0);
            }));
  // The last two are numbers 0 and 1.
  EXPECT_EQ("xx..............", row(p, [&](VkCommandBuffer c) { vkCmdDraw(c, kMany, 1, 2 - kMany, 0); }));
}

}  // namespace
}  // namespace vktest
