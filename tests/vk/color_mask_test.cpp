// SPDX-License-Identifier: MIT
/// Attachments of several samples whose contents are not used after the pass (cleared by the chip's masks and kept compressed,
/// icd/color_mask.cpp) against ones that are stored (filled and drawn plainly): the same passes must leave the same resolved pictures.
#include "tests/vk/multisample.h"

#include <algorithm>

#include "full.vert.h"
#include "targets.frag.h"

namespace vktest {
namespace {

struct Setting {
  std::vector<VkFormat> colors{kColor8};
  std::vector<std::array<float, 4>> clear{{0.2f, 0.4f, 0.6f, 0.8f}, {0.2f, 0.4f, 0.6f, 0.8f}};
  VkFormat depth = VK_FORMAT_UNDEFINED;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_4_BIT;
  uint32_t width = 53, height = 38;
  uint32_t passes = 1;       ///< one behind the other
  bool small_area = false;   ///< the pass' render area is not the whole surface
  bool secondary = false;    ///< its draws come from a secondary command buffer
  bool clear_again = false;  ///< the whole surface once more inside of the pass
  bool clear_part = false;   ///< rectangles
  bool blend = false;
  bool load = false;   ///< a pass that loads what the one before left (and left it to memory)
  bool again = false;  ///< a second subpass draws to the same attachments
  bool other = false;  ///< a second subpass draws to the other attachment; the first one to the first alone
  float z_clear = 1;
};

class ColorMask : public Multisample {
 protected:
  struct Pictures {
    std::vector<std::vector<uint8_t>> of;
    std::vector<VkDeviceMemory> memory;  ///< of the attachments with several samples
  };

  VkRenderPass make(const Setting& s, bool transient, bool loads) {
    const auto n = static_cast<uint32_t>(s.colors.size());
    std::vector<VkAttachmentDescription> a;
    const auto attach = [&](VkFormat f, VkSampleCountFlagBits count, bool keep) {
      VkAttachmentDescription d{};
      d.format = f;
      d.samples = count;
      d.loadOp = d.stencilLoadOp = count == 1 ? VK_ATTACHMENT_LOAD_OP_DONT_CARE
                                   : loads    ? VK_ATTACHMENT_LOAD_OP_LOAD
                                              : VK_ATTACHMENT_LOAD_OP_CLEAR;
      d.storeOp = d.stencilStoreOp = keep ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE;
      d.initialLayout = loads ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED;
      d.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
      a.push_back(d);
    };
    std::vector<VkAttachmentReference> colors, resolves;
    for (uint32_t i = 0; i < n; ++i) colors.push_back({i, VK_IMAGE_LAYOUT_GENERAL}), attach(s.colors[i], s.samples, !transient);
    for (uint32_t i = 0; i < n; ++i) resolves.push_back({n + i, VK_IMAGE_LAYOUT_GENERAL}), attach(s.colors[i], VK_SAMPLE_COUNT_1_BIT, true);
    const VkAttachmentReference depth_ref{2 * n, VK_IMAGE_LAYOUT_GENERAL};
    if (s.depth) attach(s.depth, s.samples, !transient);
    VkSubpassDescription sub[2] = {};
    for (VkSubpassDescription& p : sub) {
      p.colorAttachmentCount = n;
      p.pColorAttachments = colors.data();
      p.pResolveAttachments = resolves.data();
      if (s.depth) p.pDepthStencilAttachment = &depth_ref;
    }
    if (s.other) {
      for (uint32_t i = 0; i < 2; ++i) {
        sub[i].colorAttachmentCount = 1;
        sub[i].pColorAttachments = &colors[i];
        sub[i].pResolveAttachments = &resolves[i];
      }
    }
    const VkSubpassDependency d{
        0, 1, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_MEMORY_READ_BIT,
        0};
    VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    ri.attachmentCount = static_cast<uint32_t>(a.size());
    ri.pAttachments = a.data();
    ri.subpassCount = s.again || s.other ? 2 : 1;
    ri.pSubpasses = sub;
    const auto outside = between_passes(ri.subpassCount - 1);
    const VkSubpassDependency dependencies[3] = {outside[0], outside[1], d};
    ri.dependencyCount = ri.subpassCount + 1;
    ri.pDependencies = dependencies;
    VkRenderPass r = VK_NULL_HANDLE;
    EXPECT_EQ(vkCreateRenderPass(device, &ri, nullptr, &r), VK_SUCCESS);
    defer([this, r] { vkDestroyRenderPass(device, r, nullptr); });
    return r;
  }

  Pictures pictures_of(const Setting& s, bool transient) {
    Pictures out;
    samples = s.samples;
    const auto n = static_cast<uint32_t>(s.colors.size());
    std::vector<Image> images;
    for (uint32_t i = 0; i < 2 * n; ++i) {
      ImageOptions o;
      o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
      o.view = true;
      o.samples = i < n ? s.samples : VK_SAMPLE_COUNT_1_BIT;
      images.push_back(image(s.colors[i % n], s.width, s.height, o));
    }
    if (s.depth) {
      ImageOptions o;
      o.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
      o.aspects = VK_IMAGE_ASPECT_DEPTH_BIT | (s.depth == kDepth24 ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
      o.view = true;
      o.samples = s.samples;
      images.push_back(image(s.depth, s.width, s.height, o));
    }
    for (const Image& i : images) {  // something that no clear leaves
      void* p = nullptr;
      EXPECT_EQ(vkMapMemory(device, i.memory, 0, VK_WHOLE_SIZE, 0, &p), VK_SUCCESS);
      VkMemoryRequirements r;
      vkGetImageMemoryRequirements(device, i.handle, &r);
      std::memset(p, 0xA7, r.size);
      vkUnmapMemory(device, i.memory);
      out.memory.push_back(i.memory);
    }
    const VkRenderPass first = pass = make(s, transient && !s.load, false), second = s.load ? make(s, transient, true) : VK_NULL_HANDLE;
    std::vector<VkImageView> views;
    for (const Image& i : images) views.push_back(i.view);
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = first;
    fi.attachmentCount = static_cast<uint32_t>(views.size());
    fi.pAttachments = views.data();
    fi.width = s.width, fi.height = s.height, fi.layers = 1;
    EXPECT_EQ(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer), VK_SUCCESS);
    defer([this, f = framebuffer] { vkDestroyFramebuffer(device, f, nullptr); });

    // By subpass.
    std::vector<VkPipeline> draws, covers;
    for (uint32_t k = 0; k < (s.again || s.other ? 2u : 1u); ++k) {
      PipelineOptions o = s.depth ? depth_test(VK_COMPARE_OP_LESS) : PipelineOptions{};
      if (s.depth == kDepth24) {
        o.depth_stencil->stencilTestEnable = VK_TRUE;
        o.depth_stencil->front = o.depth_stencil->back = {
            VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INCREMENT_AND_WRAP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_LESS_OR_EQUAL, 0xFF, 0xFF, 3};
      }
      if (s.blend)
        o.blend[0] = {VK_TRUE,
                      VK_BLEND_FACTOR_SRC_ALPHA,
                      VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                      VK_BLEND_OP_ADD,
                      VK_BLEND_FACTOR_ONE,
                      VK_BLEND_FACTOR_ONE,
                      VK_BLEND_OP_ADD,
                      0xF};
      o.subpass = k;
      const bool two = n == 2 && !s.other;
      if (two) o.blend.push_back(o.blend[0]);
      covers.push_back(pipeline(SPIRV(full_vert), SPIRV(targets_frag), layout_, o));
      draws.push_back(two ? covers.back() : colored(o));
    }
    std::vector<ColorVertex> vertices;
    uint32_t seed = 7;
    const auto next = [&] { return static_cast<float>((seed = seed * 1664525 + 1013904223) >> 8) / static_cast<float>(1 << 24); };
    for (int i = 0; i < 14; ++i) {  // large ones and small ones
      const float size = i % 3 == 0 ? 1.6f : 0.4f, x = next() * 2 - 1, y = next() * 2 - 1, r = next(), g = next(), b = next(),
                  alpha = next();
      for (int k = 0; k < 3; ++k) vertices.push_back({x + (next() - 0.5f) * size, y + (next() - 0.5f) * size, next(), {r, g, b, alpha}});
    }
    const Buffer vertex_buffer = buffer(vertices.size() * sizeof(ColorVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    std::memcpy(vertex_buffer.map, vertices.data(), vertices.size() * sizeof(ColorVertex));

    const auto draw = [&](VkCommandBuffer c, uint32_t subpass) {
      const VkRect2D scissor{{0, 0}, {s.width - (s.small_area ? 6 : 0), s.height}};
      const VkDeviceSize zero = 0;
      vkCmdSetScissor(c, 0, 1, &scissor);
      vkCmdBindVertexBuffers(c, 0, 1, &vertex_buffer.handle, &zero);
      const auto viewport = [&](float x, float y, float w, float h) {
        const VkViewport v{x, y, w, h, 0, 1};
        vkCmdSetViewport(c, 0, 1, &v);
      };
      const auto w = static_cast<float>(s.width), h = static_cast<float>(s.height);
      // Edges between samples, then whole blocks that have been partly covered before.
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, covers[subpass]);
      push(c, layout_, {.z = 0.45f});
      viewport(w * 0.1f, h * 0.3f, w * 0.35f, h * 0.51f);
      vkCmdDraw(c, 3, 1, 0, 0);
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, draws[subpass]);
      viewport(0, 0, w, h);
      vkCmdDraw(c, n == 2 && !s.other ? 3 : static_cast<uint32_t>(vertices.size()), 1, 0, 0);
      viewport(w * 0.4f, h * 0.1f, w * 0.5f, h * 0.4f);
      push(c, layout_, {.z = 0.3f});
      vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, covers[subpass]);
      vkCmdDraw(c, 3, 1, 0, 0);
    };
    VkCommandBuffer inner = VK_NULL_HANDLE;
    if (s.secondary) {
      inner = begin_secondary(first);
      draw(inner, 0);
      EXPECT_EQ(vkEndCommandBuffer(inner), VK_SUCCESS);
    }
    const auto whole_pass = [&](VkCommandBuffer c, VkRenderPass r) {
      const bool inline_draws = !s.secondary;
      std::vector<VkClearValue> values(2 * n + 1);
      for (uint32_t i = 0; i < n; ++i) std::memcpy(values[i].color.float32, s.clear[i].data(), 16);
      values[2 * n].depthStencil = {s.z_clear, 3};
      VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
      bi.renderPass = r;
      bi.framebuffer = framebuffer;
      bi.renderArea = {{0, 0}, {s.width - (s.small_area ? 5 : 0), s.height}};
      bi.clearValueCount = r == first ? static_cast<uint32_t>(values.size() - (s.depth ? 0 : 1)) : 0;
      bi.pClearValues = values.data();
      vkCmdBeginRenderPass(c, &bi, inline_draws ? VK_SUBPASS_CONTENTS_INLINE : VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      for (uint32_t k = 0; k < draws.size(); ++k) {
        if (k > 0) vkCmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
        if (inline_draws)
          draw(c, k);
        else
          vkCmdExecuteCommands(c, 1, &inner);
        std::vector<VkClearAttachment> clears{{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}}};
        clears[0].clearValue.color = {{0.9f, 0.1f, 0.3f, 0.5f}};
        if (s.depth) {
          clears.push_back({VK_IMAGE_ASPECT_DEPTH_BIT, 0, {}});
          clears[1].clearValue.depthStencil = {0.4f, 0};
        }
        const auto count = static_cast<uint32_t>(clears.size());
        if (s.clear_again) {
          const VkClearRect rect{{{0, 0}, {s.width, s.height}}, 0, 1};
          vkCmdClearAttachments(c, count, clears.data(), 1, &rect);
          draw(c, k);
        }
        if (s.clear_part) {
          const VkClearRect rects[] = {{{{3, 5}, {21, 18}}, 0, 1}, {{{40, 8}, {4, 16}}, 0, 1}};
          vkCmdClearAttachments(c, count, clears.data(), 2, rects);
          draw(c, k);
        }
      }
      vkCmdEndRenderPass(c);
    };
    run([&](VkCommandBuffer c) {
      for (uint32_t i = 0; i < s.passes; ++i) {
        whole_pass(c, first);
        if (s.load) whole_pass(c, second);
      }
    });
    for (uint32_t i = n; i < 2 * n; ++i) out.of.push_back(read(images[i], bytes_of(images[i].format)));
    return out;
  }
  static uint32_t bytes_of(VkFormat f) {
    switch (f) {
      case VK_FORMAT_R8_UNORM: return 1;
      case VK_FORMAT_R5G6B5_UNORM_PACK16: return 2;
      case VK_FORMAT_R16G16B16A16_SFLOAT:
      case VK_FORMAT_R32G32_SFLOAT: return 8;
      case VK_FORMAT_R32G32B32A32_SFLOAT: return 16;
      default: return 4;
    }
  }
  void same(const Setting& s) {
    const Pictures plain = pictures_of(s, false), masked = pictures_of(s, true);
    for (size_t i = 0; i < plain.of.size(); ++i) {
      EXPECT_TRUE(plain.of[i] == masked.of[i]) << "picture " << i;
      EXPECT_GT(std::count_if(plain.of[i].begin(), plain.of[i].end(), [&](uint8_t v) { return v != plain.of[i][0]; }), 100);
    }
  }
  bool attachments(VkFormat f) const {
    VkFormatProperties p;
    vkGetPhysicalDeviceFormatProperties(physical, f, &p);
    return p.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
  }
};

TEST_F(ColorMask, LooksLikePlainSamples) {
  for (const VkSampleCountFlagBits n : kCounts)
    for (const VkFormat z : {VK_FORMAT_UNDEFINED, kDepth24, VK_FORMAT_D16_UNORM})
      for (int kind = 0; kind < 10; ++kind) {
        SCOPED_TRACE("samples " + std::to_string(n) + " depth " + std::to_string(z) + " kind " + std::to_string(kind));
        Setting s;
        s.samples = n;
        s.depth = z;
        s.small_area = kind == 1;
        s.secondary = kind == 2;
        s.clear_again = kind == 3;
        s.clear_part = kind == 4 || kind == 3;
        s.blend = kind == 5 || kind == 9;
        s.load = kind == 6;
        s.again = kind == 7;
        s.other = kind == 8;
        if (s.other) s.colors.push_back(kColor8);
        if (kind == 9) s.passes = 3, s.z_clear = 0.5f;
        same(s);
      }
}

TEST_F(ColorMask, Formats) {
  for (const VkFormat f :
       {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8_UNORM, VK_FORMAT_R5G6B5_UNORM_PACK16,
        VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32_SFLOAT,
        VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_SNORM}) {
    if (!attachments(f)) continue;
    SCOPED_TRACE("format " + std::to_string(f));
    for (const std::array<float, 4>& clear :
         {std::array<float, 4>{0.7f, 0.03f, 0.25f, 0.5f}, {-0.3f, 2, 1, 0}, {1e-41f, 1e-5f, 70000, 0.1f}}) {
      Setting s;
      s.colors = {f};
      s.clear[0] = clear;
      same(s);
    }
  }
}

TEST_F(ColorMask, SeveralTargets) {
  for (int kind = 0; kind < 5; ++kind) {
    SCOPED_TRACE("kind " + std::to_string(kind));
    Setting s;
    s.colors = {kColor8, kind == 2 ? VK_FORMAT_R16G16B16A16_SFLOAT : kind == 3 ? VK_FORMAT_R32G32B32A32_SFLOAT : kColor8};
    if (kind != 0) s.clear[1] = {0.9f, 0.1f, 0.5f, 0.25f};  // there is one value for all targets
    s.clear_part = kind == 4;
    same(s);
  }
}

TEST_F(ColorMask, SurfacesBeyondTheRam) {
  Setting s;
  s.depth = kDepth24;
  s.width = 1100, s.height = 1300;
  same(s);
  s.depth = VK_FORMAT_UNDEFINED;
  s.width = 1024, s.height = 1280;  // fits exactly
  same(s);
  s.colors.push_back(kColor8);  // nothing is left for the second
  same(s);
}

TEST_F(ColorMask, MemoryIsLeftAlone) {
  Setting s;
  s.depth = kDepth24;
  s.width = 64, s.height = 48;
  for (const bool transient : {true, false}) {
    const Pictures p = pictures_of(s, transient);
    for (const size_t i : {size_t{0}, size_t{2}}) {
      void* map = nullptr;
      VK_OK(vkMapMemory(device, p.memory[i], 0, VK_WHOLE_SIZE, 0, &map));
      const size_t size = 64 * 48 * 4 * 4;
      const auto* bytes = static_cast<const uint8_t*>(map);
      const auto untouched = static_cast<size_t>(std::count(bytes, bytes + size, 0xA7));
      if (transient)
        EXPECT_GT(untouched, size / 8) << i;
      else
        EXPECT_LT(untouched, size / 64) << i;
      vkUnmapMemory(device, p.memory[i]);
    }
  }
}

TEST_F(ColorMask, ClearColorsAreTheDrawnOnes) {
  for (const VkFormat f : {kColor8, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                           VK_FORMAT_R16G16B16A16_SFLOAT}) {
    if (!attachments(f)) continue;
    uint32_t seed = 3;
    const auto next = [&] { return static_cast<float>((seed = seed * 1664525 + 1013904223) >> 8) / static_cast<float>(1 << 24); };
    Setting s;
    s.colors = {f};
    s.width = s.height = 16;
    for (int i = 0; i < 24; ++i) {
      s.clear[0] = {next(), next(), next(), next()};
      const auto corner = [&](const Pictures& p) {
        const auto& b = p.of[0];
        return std::vector<uint8_t>(b.end() - static_cast<std::ptrdiff_t>(bytes_of(f)), b.end());
      };
      EXPECT_EQ(corner(pictures_of(s, false)), corner(pictures_of(s, true))) << f << " " << s.clear[0][0];
    }
  }
}

}  // namespace
}  // namespace vktest
