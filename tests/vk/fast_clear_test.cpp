// SPDX-License-Identifier: MIT
/// Depth attachments without other uses (microtiled, cleared by the Z mask) against ones that may be copied (linear, filled): the same
/// passes must leave the same colours, whatever is stored, loaded and cleared in between.
#include <algorithm>

#include "tests/vk/render_fixture.h"

#include "color.frag.h"
#include "position_color.vert.h"

namespace vktest {
namespace {

struct Vertex {
  float x, y;
  float color[4];
};

struct Setting {
  VkFormat format = VK_FORMAT_D24_UNORM_S8_UINT;
  uint32_t width = 53, height = 38;
  VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE;
  float clear = 0.75f;
  uint32_t stencil = 3;
  bool small_area = false;    ///< the pass' render area is not the whole surface
  bool secondary = false;     ///< the first pass' draws come from a secondary command buffer
  bool clear_again = false;   ///< the whole surface once more inside of the pass
  bool clear_part = false;    ///< a rectangle
  bool clear_aspect = false;  ///< the whole surface, depth alone
};

class FastClear : public Render {
 protected:
  bool has_stencil(const Setting& s) const { return s.format == VK_FORMAT_D24_UNORM_S8_UINT; }
  VkRenderPass make(const Setting& s, bool load) {
    VkAttachmentDescription a[2] = {};
    a[0].format = VK_FORMAT_R8G8B8A8_UNORM;
    a[1].format = s.format;
    for (auto& d : a) {
      d.samples = VK_SAMPLE_COUNT_1_BIT;
      d.loadOp = d.stencilLoadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
      d.storeOp = d.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
      d.initialLayout = load ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED;
      d.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    }
    if (!load) a[1].storeOp = a[1].stencilStoreOp = s.store;
    const VkAttachmentReference color_ref{0, VK_IMAGE_LAYOUT_GENERAL}, depth_ref{1, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription sub{};
    sub.colorAttachmentCount = 1;
    sub.pColorAttachments = &color_ref;
    sub.pDepthStencilAttachment = &depth_ref;
    VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    ri.attachmentCount = 2;
    ri.pAttachments = a;
    ri.subpassCount = 1;
    ri.pSubpasses = &sub;
    const auto dependencies = between_passes(0);
    ri.dependencyCount = 2;
    ri.pDependencies = dependencies.data();
    VkRenderPass r = VK_NULL_HANDLE;
    EXPECT_EQ(vkCreateRenderPass(device, &ri, nullptr, &r), VK_SUCCESS);
    defer([this, r] { vkDestroyRenderPass(device, r, nullptr); });
    return r;
  }

  /// The colours after two passes.
  std::vector<uint8_t> picture_of(const Setting& s, bool fast) {
    ImageOptions co;
    co.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    co.view = true;
    const Image target = image(VK_FORMAT_R8G8B8A8_UNORM, s.width, s.height, co);
    ImageOptions zo;
    zo.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | (fast ? 0 : VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    zo.aspects = VK_IMAGE_ASPECT_DEPTH_BIT | (has_stencil(s) ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    zo.view = true;
    const Image z = image(s.format, s.width, s.height, zo);
    const VkRenderPass first = make(s, false), second = make(s, true);
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    const VkImageView views[] = {target.view, z.view};
    fi.renderPass = pass = first;
    fi.attachmentCount = 2;
    fi.pAttachments = views;
    fi.width = s.width, fi.height = s.height, fi.layers = 1;
    VK_EXPECT(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
    defer([this, f = framebuffer] { vkDestroyFramebuffer(device, f, nullptr); });

    const VkPipelineLayout l = layout();
    PipelineOptions o;
    o.bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    o.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8}};
    o.depth_stencil = VkPipelineDepthStencilStateCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    auto& ds = *o.depth_stencil;
    ds.depthTestEnable = ds.depthWriteEnable = VK_TRUE;
    ds.depthCompareOp = VK_COMPARE_OP_LESS;
    ds.stencilTestEnable = has_stencil(s);
    ds.front = ds.back = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INCREMENT_AND_WRAP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xFF, 0xFF, 0};
    const VkPipeline draws = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
    // Shows what is stored: one layer of colour for each depth and stencil that lets it through.
    ds.depthWriteEnable = VK_FALSE;
    ds.front.passOp = ds.back.passOp = VK_STENCIL_OP_KEEP;
    ds.front.compareOp = ds.back.compareOp = VK_COMPARE_OP_EQUAL;
    ds.front.reference = ds.back.reference = s.stencil;
    o.blend[0].blendEnable = VK_TRUE;
    o.blend[0].srcColorBlendFactor = o.blend[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
    o.blend[0].srcAlphaBlendFactor = o.blend[0].dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    const VkPipeline shows = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);
    ds.front.reference = ds.back.reference = s.stencil + 1;
    const VkPipeline shows_drawn = pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, o);

    const auto part = [](float x0, float y0, float x1, float y1, float r, float g, float b) {
      const auto v = [&](float x, float y) { return Vertex{x, y, {r, g, b, 0.125f}}; };
      return std::vector<Vertex>{v(x0, y0), v(x1, y0), v(x0, y1), v(x0, y1), v(x1, y0), v(x1, y1)};
    };
    std::vector<Vertex> all = part(-0.6f, -0.55f, 0.3f, 0.7f, 1, 0, 0);
    for (const Vertex& v : part(-1, -1, 1, 1, 0, 0.0625f, 0.25f)) all.push_back(v);
    const Buffer vertices = buffer(all.size() * sizeof(Vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(vertices.map, all.data(), all.size() * sizeof(Vertex));

    const auto prepare = [&](VkCommandBuffer c, VkPipeline p) {
      const VkViewport viewport{0, 0, static_cast<float>(s.width), static_cast<float>(s.height), 0, 1};
      const VkRect2D scissor{{0, 0}, {s.width, s.height}};
      const VkDeviceSize zero = 0;
      vkCmdSetViewport(c, 0, 1, &viewport);
      vkCmdSetScissor(c, 0, 1, &scissor);
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
      vkCmdBindVertexBuffers(c, 0, 1, &vertices.handle, &zero);
    };
    const auto begin_pass = [&](VkCommandBuffer c, VkRenderPass r, VkSubpassContents contents) {
      VkClearValue values[2] = {};
      values[1].depthStencil = {s.clear, s.stencil};
      VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
      bi.renderPass = r;
      bi.framebuffer = framebuffer;
      bi.renderArea = {{0, 0}, {s.width - (s.small_area ? 5 : 0), s.height}};
      bi.clearValueCount = r == first ? 2 : 0;
      bi.pClearValues = values;
      vkCmdBeginRenderPass(c, &bi, contents);
    };
    const auto draw_once = [&](VkCommandBuffer c) {
      prepare(c, draws);
      push(c, l, {.z = 0.5f});
      vkCmdDraw(c, 6, 1, 0, 0);
    };
    VkCommandBuffer inner = VK_NULL_HANDLE;
    if (s.secondary) {
      inner = begin_secondary(first);
      draw_once(inner);
      VK_EXPECT(vkEndCommandBuffer(inner));
    }
    run([&](VkCommandBuffer c) {
      // A pass whose depth stays in the chip, on the same RAM.
      for (const VkRenderPass r : {first, first}) {
        begin_pass(c, r, s.secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
        if (s.secondary)
          vkCmdExecuteCommands(c, 1, &inner);
        else
          draw_once(c);
        VkClearAttachment a{zo.aspects, 0, {}};
        a.clearValue.depthStencil = {0.4f, s.stencil + 1};
        if (s.clear_again || s.clear_aspect) {
          if (s.clear_aspect) a.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
          const VkClearRect rect{{{0, 0}, {s.width, s.height}}, 0, 1};
          vkCmdClearAttachments(c, 1, &a, 1, &rect);
          draw_once(c);
        }
        if (s.clear_part) {
          const VkClearRect rects[] = {{{{3, 5}, {21, 18}}, 0, 1}, {{{40, 8}, {4, 16}}, 0, 1}};
          vkCmdClearAttachments(c, 1, &a, 2, rects);
        }
        if (s.store == VK_ATTACHMENT_STORE_OP_DONT_CARE) {
          prepare(c, shows);
          push(c, l, {.z = 0.6f});
          vkCmdDraw(c, 6, 1, 6, 0);
        }
        vkCmdEndRenderPass(c);
      }
      if (s.store == VK_ATTACHMENT_STORE_OP_DONT_CARE) return;
      begin_pass(c, second, VK_SUBPASS_CONTENTS_INLINE);
      for (const VkPipeline p : {shows, shows_drawn}) {
        prepare(c, p);
        for (const float at : {0.3f, 0.45f, 0.6f, 0.74f, 0.76f}) {
          push(c, l, {.z = at});
          vkCmdDraw(c, 6, 1, 6, 0);
        }
      }
      vkCmdEndRenderPass(c);
    });
    return read(target, 4);
  }

  void same(const Setting& s) {
    const auto filled = picture_of(s, false), fast = picture_of(s, true);
    ASSERT_EQ(filled.size(), fast.size());
    EXPECT_TRUE(filled == fast);
    EXPECT_GT(std::count_if(filled.begin(), filled.end(), [](uint8_t v) { return v != 0; }), 100) << "something is to be seen";
  }
  static void VK_EXPECT(VkResult r) { EXPECT_EQ(r, VK_SUCCESS); }
};

TEST_F(FastClear, LooksLikeAFill) {
  for (const VkFormat format : {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32})
    for (const VkAttachmentStoreOp store : {VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_STORE_OP_DONT_CARE})
      for (int kind = 0; kind < 6; ++kind) {
        SCOPED_TRACE("format " + std::to_string(format) + " store " + std::to_string(store) + " kind " + std::to_string(kind));
        Setting s;
        s.format = format;
        s.store = store;
        s.small_area = kind == 1;
        s.clear_again = kind == 2;
        s.clear_part = kind == 3 || kind == 2;
        s.clear_aspect = kind == 4;
        s.secondary = kind == 5 && store == VK_ATTACHMENT_STORE_OP_STORE;
        same(s);
      }
}

TEST_F(FastClear, SurfacesBeyondTheRam) {
  Setting s;
  s.width = 1100, s.height = 1000;
  same(s);
  s.width = 1024, s.height = 1024;  // fits exactly
  same(s);
}

}  // namespace
}  // namespace vktest
