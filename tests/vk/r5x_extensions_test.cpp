// SPDX-License-Identifier: MIT
/// r5x: extensions that no other test has: timeline semaphores, imageless framebuffers, counted draws, divisors, queries reset by the host,
/// mirrored clamping.
#include <cstdint>
#include <thread>

#include "color.frag.h"
#include "full.vert.h"
#include "indices.vert.h"
#include "point.frag.h"
#include "tests/vk/render_fixture.h"
#include "texture.frag.h"

namespace vktest {
namespace {

class Extensions : public Render {
 protected:
  Extensions() {
    instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    device_extensions = {VK_KHR_MAINTENANCE1_EXTENSION_NAME,
                         VK_KHR_MAINTENANCE2_EXTENSION_NAME,
                         VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME,
                         VK_KHR_IMAGELESS_FRAMEBUFFER_EXTENSION_NAME,
                         VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
                         VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME,
                         VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME,
                         VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
                         VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME};
    timeline_.timelineSemaphore = imageless_.imagelessFramebuffer = reset_.hostQueryReset = VK_TRUE;
    divisor_.vertexAttributeInstanceRateDivisor = divisor_.vertexAttributeInstanceRateZeroDivisor = VK_TRUE;
    device_next = &timeline_;
  }

  VkSemaphore semaphore(const void* next) {
    const VkSemaphoreCreateInfo i{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, next};
    VkSemaphore s = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateSemaphore(device, &i, nullptr, &s));
    defer([this, s] { vkDestroySemaphore(device, s, nullptr); });
    return s;
  }
  VkSemaphore timeline(uint64_t value) {
    VkSemaphoreTypeCreateInfo t{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    t.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE, t.initialValue = value;
    return semaphore(&t);
  }
  uint64_t value(VkSemaphore s) {
    uint64_t v = ~uint64_t{0};
    EXPECT_EQ(VK_SUCCESS, vkGetSemaphoreCounterValueKHR(device, s, &v));
    return v;
  }
  VkResult wait(VkSemaphore s, uint64_t v, uint64_t timeout) {
    VkSemaphoreWaitInfo w{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    w.semaphoreCount = 1, w.pSemaphores = &s, w.pValues = &v;
    return vkWaitSemaphoresKHR(device, &w, timeout);
  }
  void signal(VkSemaphore s, uint64_t v) {
    const VkSemaphoreSignalInfo i{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, s, v};
    EXPECT_EQ(VK_SUCCESS, vkSignalSemaphoreKHR(device, &i));
  }
  void submit(VkCommandBuffer c, VkSemaphore waits, uint64_t wait_value, VkSemaphore signals, uint64_t signal_value) {
    VkTimelineSemaphoreSubmitInfo t{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    t.waitSemaphoreValueCount = t.signalSemaphoreValueCount = 1, t.pWaitSemaphoreValues = &wait_value,
    t.pSignalSemaphoreValues = &signal_value;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo s{VK_STRUCTURE_TYPE_SUBMIT_INFO, &t};
    s.waitSemaphoreCount = s.signalSemaphoreCount = s.commandBufferCount = 1;
    s.pWaitSemaphores = &waits, s.pWaitDstStageMask = &stage, s.pSignalSemaphores = &signals, s.pCommandBuffers = &c;
    EXPECT_EQ(VK_SUCCESS, vkQueueSubmit(queue, 1, &s, VK_NULL_HANDLE));
  }
  VkPipeline points(VkPipelineLayout l, std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors = {}) {
    PipelineOptions o;
    o.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    o.bindings = {{0, 4, VK_VERTEX_INPUT_RATE_INSTANCE}, {1, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R8G8B8A8_UNORM, 0}, {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0}};
    VkPipelineVertexInputDivisorStateCreateInfoEXT d{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT};
    d.vertexBindingDivisorCount = static_cast<uint32_t>(divisors.size()), d.pVertexBindingDivisors = divisors.data();
    if (!divisors.empty()) o.vertex_input_next = &d;
    return pipeline(SPIRV(indices_vert), SPIRV(color_frag), l, o);
  }
  /// Attributes of points(): red is the element's number; blue and alpha 255.
  void bind_points(VkCommandBuffer c) {
    const Buffer b = buffer(64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (uint32_t i = 0; i < 16; ++i) {
      const uint8_t texel[4] = {static_cast<uint8_t>(i + 1), 200, 255, 255};
      std::memcpy(b.map + 4 * i, texel, 4);
    }
    const VkBuffer both[2] = {b.handle, b.handle};
    const VkDeviceSize none[2] = {0, 0};
    vkCmdBindVertexBuffers(c, 0, 2, both, none);
  }

 private:
  VkPhysicalDeviceHostQueryResetFeatures reset_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
  VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
                                                             &reset_};
  VkPhysicalDeviceImagelessFramebufferFeatures imageless_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, &divisor_};
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, &imageless_};
};

TEST_F(Extensions, TimelinesOrderHostAndQueue) {
  const VkSemaphore go = timeline(3), done = timeline(0);
  Buffer b = buffer(16);
  std::memset(b.map, 0, 16);
  const VkCommandBuffer fill = recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 0, 16, 0x11111111); });
  const VkCommandBuffer again = recorded([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 0, 8, 0x22222222); });
  EXPECT_EQ(value(go), 3u);
  submit(fill, go, 5, done, 10);
  submit(again, done, 10, done, 20);
  // Nothing has happened: the value is not there yet, and a wait for it runs out.
  EXPECT_EQ(VK_TIMEOUT, wait(done, 10, 1000000));
  EXPECT_EQ(VK_TIMEOUT, wait(done, 1, 0));
  EXPECT_EQ(b.as<uint32_t>()[0], 0u);
  signal(go, 4);
  EXPECT_EQ(value(go), 4u);
  EXPECT_EQ(VK_TIMEOUT, wait(done, 10, 1000000));
  std::thread host([&] { signal(go, 7); });  // beyond what is waited for
  EXPECT_EQ(VK_SUCCESS, wait(done, 20, UINT64_MAX));
  host.join();
  EXPECT_EQ(value(done), 20u);
  EXPECT_EQ(b.as<uint32_t>()[0], 0x22222222u);
  EXPECT_EQ(b.as<uint32_t>()[3], 0x11111111u);
  // Any of several.
  const VkSemaphore never = timeline(0), both[2] = {never, done};
  const uint64_t values[2] = {1, 15};
  VkSemaphoreWaitInfo w{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  w.semaphoreCount = 2, w.pSemaphores = both, w.pValues = values;
  EXPECT_EQ(VK_TIMEOUT, vkWaitSemaphoresKHR(device, &w, 0));
  w.flags = VK_SEMAPHORE_WAIT_ANY_BIT;
  EXPECT_EQ(VK_SUCCESS, vkWaitSemaphoresKHR(device, &w, 0));
}

TEST_F(Extensions, ImagelessFramebuffers) {
  make_pass();
  VkFramebufferAttachmentImageInfo ai{VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO};
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  ai.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  ai.width = ai.height = kSize, ai.layerCount = ai.viewFormatCount = 1, ai.pViewFormats = &format;
  VkFramebufferAttachmentsCreateInfo li{VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO};
  li.attachmentImageInfoCount = 1, li.pAttachmentImageInfos = &ai;
  VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, &li};
  fi.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT, fi.renderPass = pass, fi.attachmentCount = 1, fi.width = fi.height = kSize, fi.layers = 1;
  VkFramebuffer f = VK_NULL_HANDLE;
  VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &f));
  defer([this, f] { vkDestroyFramebuffer(device, f, nullptr); });
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  o.view = true;
  const Image targets[2] = {image(format, kSize, kSize, o), image(format, kSize, kSize, o)};
  // One framebuffer, two images.
  for (int k = 0; k < 2; ++k)
    run([&](VkCommandBuffer c) {
      VkRenderPassAttachmentBeginInfo own{VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO};
      own.attachmentCount = 1, own.pAttachments = &targets[k].view;
      VkClearValue clear{};
      clear.color.float32[k] = 1;
      VkRenderPassBeginInfo b{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, &own};
      b.renderPass = pass, b.framebuffer = f, b.renderArea = {{0, 0}, {kSize, kSize}}, b.clearValueCount = 1, b.pClearValues = &clear;
      vkCmdBeginRenderPass(c, &b, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdEndRenderPass(c);
    });
  for (int k = 0; k < 2; ++k) {
    const std::vector<uint8_t> bytes = read(targets[k], 4);
    EXPECT_EQ(bytes[0], k == 0 ? 255 : 0);
    EXPECT_EQ(bytes[1], k == 1 ? 255 : 0);
  }
}

/// Draws of four points' commands, counted by a buffer, with `most` as maxDrawCount.
class CountedDraws : public Extensions {
 protected:
  void draw(std::initializer_list<uint32_t> mosts);
};

void CountedDraws::draw(std::initializer_list<uint32_t> mosts) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = points(l);
  const Buffer arguments = buffer(256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), indices = buffer(32, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  for (uint16_t i = 0; i < 16; ++i) reinterpret_cast<uint16_t*>(indices.map)[i] = static_cast<uint16_t>(15 - i);
  auto* words = reinterpret_cast<uint32_t*>(arguments.map);
  // Words 0 to 2: counts; draws from word 4 on, 8 words apart: (instance) i has i + 1 points.
  words[0] = 2, words[1] = 100, words[2] = 0;
  for (const uint32_t most : mosts)
    for (const auto& [indexed, which] : {std::pair{false, 0u}, {false, 1u}, {false, 2u}, {true, 0u}, {true, 1u}, {true, 2u}}) {
      for (uint32_t i = 0; i < 4; ++i) {
        const VkDrawIndirectCommand d{i + 1, 1, 0, i};
        const VkDrawIndexedIndirectCommand x{i + 1, 1, 0, 0, i};
        std::memcpy(words + 4 + 8 * i, indexed ? static_cast<const void*>(&x) : &d, indexed ? sizeof x : sizeof d);
      }
      render([&, indexed = indexed, which = which](VkCommandBuffer c) {
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        bind_points(c);
        vkCmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
        indexed ? vkCmdDrawIndexedIndirectCountKHR(c, arguments.handle, 16, arguments.handle, 4 * which, most, 32)
                : vkCmdDrawIndirectCountKHR(c, arguments.handle, 16, arguments.handle, 4 * which, most, 32);
      });
      picture();
      const uint32_t drawn = std::min({words[which], most, 4u});
      for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) {
          const uint32_t vertex = indexed ? 15 - x : x;
          ASSERT_EQ(at(x, y)[3], y < drawn && vertex <= y ? 255 : 0) << x << " " << y << " of " << drawn << (indexed ? " indexed" : "");
        }
    }
}

// Seven is the most that the buffer has room for; what follows the four draws there has no vertices.
TEST_F(CountedDraws, EndWithTheirCountOrTheMost) { draw({3, 7}); }

// Against the rules of Vulkan; what lies beyond the buffer is not read.
TEST_F(CountedDraws, EndWithTheirBuffer) { draw({UINT32_MAX}); }

TEST_F(Extensions, VertexAttributeDivisors) {
  make_pass();
  const VkPipelineLayout l = layout();
  for (const uint32_t divisor : {0u, 1u, 3u}) {
    const VkPipeline p = points(l, {{0, divisor}});
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      bind_points(c);
      vkCmdDraw(c, 1, 8, 0, 2);
    });
    picture();
    for (uint32_t n = 2; n < 10; ++n) {
      const uint32_t element = divisor ? 2 + (n - 2) / divisor : 2;
      EXPECT_EQ(at(0, n)[0], element + 1) << "instance " << n << ", divisor " << divisor;
    }
  }
}

TEST_F(Extensions, TheHostResetsQueries) {
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_TIMESTAMP, qi.queryCount = 3;
  VkQueryPool q = VK_NULL_HANDLE;
  VK_OK(vkCreateQueryPool(device, &qi, nullptr, &q));
  defer([this, q] { vkDestroyQueryPool(device, q, nullptr); });
  uint64_t got[2];
  const auto available = [&](uint32_t i) {
    vkGetQueryPoolResults(device, q, i, 1, sizeof got, got, sizeof got, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    return got[1] != 0;
  };
  vkResetQueryPoolEXT(device, q, 0, 3);
  run([&](VkCommandBuffer c) {
    for (uint32_t i = 0; i < 3; ++i) vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, q, i);
  });
  for (uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(available(i));
  vkResetQueryPoolEXT(device, q, 1, 1);
  EXPECT_TRUE(available(0));
  EXPECT_FALSE(available(1));
  EXPECT_TRUE(available(2));
}

TEST_F(Extensions, MirroredOnceThenClamped) {
  make_pass();
  // Texels 1, 2, 3, 4 in red.
  ImageOptions o;
  o.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  o.view = true;
  const Image i = image(VK_FORMAT_R8G8B8A8_UNORM, 4, 1, o);
  write(i, {1, 0, 0, 255, 2, 0, 0, 255, 3, 0, 0, 255, 4, 0, 0, 255});
  const VkPipelineLayout l = layout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  const VkDescriptorImageInfo info{sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE), i.view,
                                   VK_IMAGE_LAYOUT_GENERAL};
  const VkDescriptorSet set = descriptor(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr, &info);
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(texture_frag), l);
  render([&](VkCommandBuffer c) {
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 0, 1, &set, 0, nullptr);
    PushConstants pc;
    // u from -2 to 2, a quarter for each pixel.
    pc.tint[0] = 4, pc.tint[2] = -2;
    push(c, l, pc);
    vkCmdDraw(c, 3, 1, 0, 0);
  });
  picture();
  for (uint32_t x = 0; x < kSize; ++x) {
    const int texel = static_cast<int>(x) - 8, mirrored = texel < 0 ? -1 - texel : texel;
    EXPECT_EQ(at(x, 5)[0], std::min(mirrored, 3) + 1) << x;
  }
}

/// The constant factor counts units in the last place of the largest depth of the primitive.
TEST_F(Extensions, DepthBiasOfFloats) {
  for (const VkFormat format : {VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT})
    for (const float z : {0.75f, 0.3125f, 0x1p-9f}) {
      make_pass({VK_FORMAT_R8G8B8A8_UNORM}, format);
      const VkPipelineLayout l = layout();
      PipelineOptions o;
      o.depth_bias = 5;
      VkPipelineDepthStencilStateCreateInfo ds{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
      ds.depthTestEnable = ds.depthWriteEnable = VK_TRUE;
      ds.depthCompareOp = VK_COMPARE_OP_ALWAYS;
      o.depth_stencil = ds;
      const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(point_frag), l, o);
      render([&](VkCommandBuffer c) {
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        push(c, l, {.z = z});
        vkCmdDraw(c, 3, 1, 0, 0);
      });
      const std::vector<uint8_t> read_back = read(depth, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
      float got = 0;
      std::memcpy(&got, &read_back[4 * 37], 4);
      EXPECT_EQ(std::bit_cast<uint32_t>(got), std::bit_cast<uint32_t>(z) + 5) << z;
    }
}

TEST_F(Extensions, DepthBiasIsClamped) {
  constexpr float kQuarter = 1 << 22;  // of 24 bits
  for (const auto& [bias, clamp, expected] : {std::array{kQuarter, 0.0f, 0.75f},
                                              {kQuarter, 0.125f, 0.625f},
                                              {kQuarter, 0.5f, 0.75f},
                                              {-kQuarter, -0.125f, 0.375f},
                                              {-kQuarter, 0.125f, 0.25f}}) {
    make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D24_UNORM_S8_UINT);
    const VkPipelineLayout l = layout();
    PipelineOptions o;
    o.depth_bias = bias, o.depth_bias_clamp = clamp;
    VkPipelineDepthStencilStateCreateInfo ds{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    ds.depthTestEnable = ds.depthWriteEnable = VK_TRUE;
    ds.depthCompareOp = VK_COMPARE_OP_ALWAYS;
    o.depth_stencil = ds;
    const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(point_frag), l, o);
    render([&](VkCommandBuffer c) {
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      push(c, l);
      vkCmdDraw(c, 3, 1, 0, 0);
    });
    const std::vector<uint8_t> z = read(depth, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
    uint32_t word = 0;
    std::memcpy(&word, &z[4 * 37], 4);
    EXPECT_NEAR((word & 0xFFFFFF) / 16777215.0, expected, 1e-6) << bias << " clamped to " << clamp;
  }
}

}  // namespace
}  // namespace vktest
