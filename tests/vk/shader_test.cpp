// SPDX-License-Identifier: MIT
/// What shaders may use, from the application to the pixel.
#include <cmath>
#include <cstdint>

#include "early.frag.h"
#include "full.vert.h"
#include "integers.frag.h"
#include "special.frag.h"
#include "special.vert.h"
#include "tests/vk/render_fixture.h"

namespace vktest {
namespace {

using Pixel = std::array<uint8_t, 4>;

class Shader : public Render {};

struct Block {
  float scale;
  int32_t count;
  uint32_t flags, on;
  struct {
    float color[3];
    int32_t kind;
  } items[4];
};

TEST_F(Shader, IntegersOfUniformBlocksAndPushConstants) {
  make_pass();
  Buffer u = buffer(1024, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Slot slot{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 0, 0, {}, {u.handle, 0, sizeof(Block)}};
  const VkPipelineLayout l = layout(std::vector{slot});
  const VkDescriptorSet s = set_of({slot});
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(integers_frag), l);
  Block b{1 / 255.0f, 3, 0x0FF4, 1, {{{10, 0, 1}, -7}, {{20, 0, 2}, 70000}, {{40, 5, 4}, 0}, {{80, 0, 8}, 1}}};
  const auto draw = [&](VkCommandBuffer c, int32_t number, uint32_t offset) {
    begin(c);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &s, 1, &offset);
    PushConstants pc;
    pc.number = number;
    push(c, l, pc);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRenderPass(c);
  };
  // Written by the device just before, at a dynamic offset.
  run([&](VkCommandBuffer c) {
    vkCmdUpdateBuffer(c, u.handle, 256, sizeof b, &b);
    barrier(c);
    draw(c, 70000, 256);
  });
  picture();
  EXPECT_EQ(at(3, 3), (Pixel{50, 5, 5, 255}));
  // Written by the host after recording.
  run([&](VkCommandBuffer c) {
    draw(c, -7, 0);
    b.count = 2, b.flags = 0xB;
    std::memcpy(u.map, &b, sizeof b);
  });
  picture();
  EXPECT_EQ(at(3, 3), (Pixel{20, 0, 2, 0}));
  // The same commands again with other data: the conversion belongs to the execution.
  VkCommandBuffer c = command_buffer();
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  draw(c, 5, 0);
  VK_OK(vkEndCommandBuffer(c));
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  for (int32_t count = 4; count >= 0; count -= 2) {
    b.count = count;
    std::memcpy(u.map, &b, sizeof b);
    VK_OK(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
    VK_OK(vkQueueWaitIdle(queue));
    picture();
    EXPECT_EQ(at(3, 3), (count == 4 ? Pixel{150, 5, 15, 0} : count == 2 ? Pixel{30, 0, 3, 0} : Pixel{0, 0, 0, 0})) << count;
  }
}

/// They may share code, not constants (hw/radeon/jit/x/literals.h).
TEST_F(Shader, PipelinesThatDifferInSpecializationConstants) {
  make_pass();
  const VkPipelineLayout l = layout();
  struct Constants {
    float shift, scale, gain, more;
  };
  constexpr uint32_t kColumns = 4, kWidth = kSize / kColumns;
  constexpr Constants kConstants[kColumns] = {
      {0.03f, 0.3f, 0.9f, 0.1f}, {0.11f, 0.6f, 0.7f, 0.05f}, {0.07f, 0.45f, 1.3f, 0.2f}, {-0.02f, 0.7f, 0.55f, 0.15f}};
  const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}};
  VkPipeline p[kColumns];
  for (uint32_t i = 0; i < kColumns; ++i) {
    const VkSpecializationInfo special{4, entries, sizeof(Constants), &kConstants[i]};
    PipelineOptions o;
    o.special = &special;
    p[i] = pipeline(SPIRV(special_vert), SPIRV(special_frag), l, o);
  }
  for (uint32_t first = 0; first < kColumns; ++first) {
    render([&](VkCommandBuffer c) {
      for (uint32_t column = 0; column < kColumns; ++column) {
        const VkRect2D scissor{{static_cast<int32_t>(column * kWidth), 0}, {kWidth, kSize}};
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p[(column + first) % kColumns]);
        vkCmdSetScissor(c, 0, 1, &scissor);
        vkCmdDraw(c, 3, 1, 0, 0);
      }
    });
    picture();
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        const Constants& k = kConstants[(x / kWidth + first) % kColumns];
        const auto channel = [&](uint32_t at) {
          return 255 * (((static_cast<float>(at) + 0.5f) / kSize * k.scale + k.shift) * k.gain + k.more);
        };
        ASSERT_NEAR(at(x, y)[0], channel(x), 1) << x << ", " << y << " of " << first;
        ASSERT_NEAR(at(x, y)[1], channel(y), 1) << x << ", " << y << " of " << first;
        ASSERT_NEAR(at(x, y)[2], 255 * k.more, 1) << x << ", " << y << " of " << first;
      }
  }
}

TEST_F(Shader, EarlyTestsWriteTheDepthOfDiscardedFragments) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D16_UNORM);
  const VkPipelineLayout l = layout();
  PipelineOptions o;
  o.depth_stencil = VkPipelineDepthStencilStateCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  o.depth_stencil->depthTestEnable = o.depth_stencil->depthWriteEnable = VK_TRUE;
  o.depth_stencil->depthCompareOp = VK_COMPARE_OP_LESS;
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(early_frag), l, o);
  run([&](VkCommandBuffer c) {
    begin(c);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    PushConstants pc;
    pc.z = 0.25f;
    push(c, l, pc);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRenderPass(c);
  });
  picture();
  EXPECT_EQ(at(3, 3), (Pixel{0, 0, 0, 0}));
  EXPECT_EQ(at(12, 3), (Pixel{255, 0, 0, 255}));
  const std::vector<uint8_t> z = read(depth, 2, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
  for (uint32_t x : {3u, 12u}) {
    uint16_t v;
    std::memcpy(&v, &z[(3 * kSize + x) * 2], 2);
    EXPECT_NEAR(v / 65535.0, 0.25, 1e-4) << x;
  }
}

}  // namespace
}  // namespace vktest
