// SPDX-License-Identifier: MIT
/// Attachments that passes clear and do not store: the driver says so to the chip, which keeps what is drawn out of memory
/// (docs/r5x.md, section 9, UNSTORED). What is resolved or stored is the same, and all else stays.
#include "tests/vk/multisample.h"

namespace vktest {
namespace {

class UnstoredSamples : public Multisample {
 protected:
  static constexpr uint32_t kWidth = 150, kHeight = 90;  ///< several tiles
  struct Formats {
    VkFormat color, depth;
    uint32_t bytes;
  };

  VkAttachmentDescription attachment(VkFormat f, VkSampleCountFlagBits n, VkAttachmentStoreOp store) const {
    VkAttachmentDescription a{};
    a.format = f, a.samples = n, a.storeOp = a.stencilStoreOp = store;
    a.loadOp = a.stencilLoadOp = n == samples ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    a.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    return a;
  }
  Image target(VkFormat f, VkSampleCountFlagBits n, VkImageUsageFlags usage, VkImageAspectFlags aspects) {
    return image(f, kWidth, kHeight, {.usage = usage, .aspects = aspects, .view = true, .samples = n});
  }
  void make(const Formats& f, VkSampleCountFlagBits n, VkAttachmentStoreOp store) {
    samples = n;
    const bool resolves = n != VK_SAMPLE_COUNT_1_BIT;
    constexpr VkImageUsageFlags kColor = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, kRead = kColor | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageAspectFlags aspects = VK_IMAGE_ASPECT_DEPTH_BIT | (f.depth == VK_FORMAT_D32_SFLOAT ? 0 : VK_IMAGE_ASPECT_STENCIL_BIT);
    const Image color_target = target(f.color, n, resolves ? kColor : kRead, VK_IMAGE_ASPECT_COLOR_BIT),
                depth_target = target(f.depth, n, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, aspects);
    shown = resolves ? target(f.color, VK_SAMPLE_COUNT_1_BIT, kRead, VK_IMAGE_ASPECT_COLOR_BIT) : color_target;
    const VkAttachmentDescription a[] = {attachment(f.color, n, resolves ? store : VK_ATTACHMENT_STORE_OP_STORE),
                                         attachment(f.depth, n, store),
                                         attachment(f.color, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE)};
    const VkAttachmentReference color_ref{0, VK_IMAGE_LAYOUT_GENERAL}, depth_ref{1, VK_IMAGE_LAYOUT_GENERAL},
        resolve_ref{2, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription s{};
    s.colorAttachmentCount = 1, s.pColorAttachments = &color_ref, s.pDepthStencilAttachment = &depth_ref;
    if (resolves) s.pResolveAttachments = &resolve_ref;
    const auto dependencies = between_passes(0);
    VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    ri.attachmentCount = resolves ? 3 : 2, ri.pAttachments = a, ri.subpassCount = 1, ri.pSubpasses = &s;
    ri.dependencyCount = 2, ri.pDependencies = dependencies.data();
    VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
    const VkImageView views[] = {color_target.view, depth_target.view, shown.view};
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = pass, fi.attachmentCount = ri.attachmentCount, fi.pAttachments = views;
    fi.width = kWidth, fi.height = kHeight, fi.layers = 1;
    VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
    defer([this, r = pass, b = framebuffer] {
      vkDestroyFramebuffer(device, b, nullptr);
      vkDestroyRenderPass(device, r, nullptr);
    });
  }
  void draw_pass(VkCommandBuffer c, VkPipeline p, float clear) {
    VkClearValue values[2];
    values[0].color = {{clear, 0.25f, clear, 1}}, values[1].depthStencil = {1, 0};
    VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    bi.renderPass = pass, bi.framebuffer = framebuffer, bi.renderArea = {{}, {kWidth, kHeight}};
    bi.clearValueCount = 2, bi.pClearValues = values;
    vkCmdBeginRenderPass(c, &bi, VK_SUBPASS_CONTENTS_INLINE);
    const VkViewport viewport{0, 0, kWidth, kHeight, 0, 1};
    const VkRect2D scissor{{}, {kWidth, kHeight}};
    vkCmdSetViewport(c, 0, 1, &viewport);
    vkCmdSetScissor(c, 0, 1, &scissor);
    // They hide each other in part, and leave the last tiles alone.
    quad(c, p, 1.3f, 0.7f, 6.1f, 9.2f, {1, 0, 0, 1}, 0.2f, 0.8f);
    quad(c, p, 2.2f, 2.1f, 9.7f, 7.9f, {0, 1, 1, 1}, 0.7f, 0.3f);
    vkCmdEndRenderPass(c);
  }
  std::vector<uint8_t> picture_of(const Formats& f, VkSampleCountFlagBits n, VkAttachmentStoreOp store) {
    make(f, n, store);
    const VkPipeline p = colored(depth_test(VK_COMPARE_OP_LESS));
    std::vector<uint8_t> all;
    for (const float clear : {0.5f, 0.5f, 0.75f}) {
      run([&](VkCommandBuffer c) {
        draw_pass(c, p, 0.125f);
        draw_pass(c, p, clear);
        barrier(c);
      });
      const std::vector<uint8_t> bytes = read(shown, f.bytes);
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
  }
  Image shown;
};

TEST_F(UnstoredSamples, PicturesAreTheSame) {
  constexpr Formats kFormats[] = {{VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT, 4},
                                  {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_D24_UNORM_S8_UINT, 4},
                                  {VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT, 8}};
  for (const Formats& f : kFormats)
    for (const VkSampleCountFlagBits n : {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_2_BIT, VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_8_BIT}) {
      const std::vector<uint8_t> stored = picture_of(f, n, VK_ATTACHMENT_STORE_OP_STORE);
      EXPECT_NE(std::vector(stored.begin(), stored.begin() + 4), std::vector(stored.end() - 4, stored.end()));
      EXPECT_EQ(picture_of(f, n, VK_ATTACHMENT_STORE_OP_DONT_CARE), stored) << f.color << ", " << n << " samples";
    }
}

/// Depth in passes that only clear.
class UnstoredDepth : public Vk {
 protected:
  static constexpr uint32_t kSize = 96;
  static constexpr VkAttachmentStoreOp kStore = VK_ATTACHMENT_STORE_OP_STORE, kNoStore = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  static constexpr float kClear = 1, kDrawn = 0.25f;

  void SetUp() override {
    Vk::SetUp();
    target = image(VK_FORMAT_D32_SFLOAT_S8_UINT, kSize, kSize,
                   {.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                    .aspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT,
                    .view = true});
    to_general(target.handle, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
  }
  /// Clears, and clears again as draws would.
  void pass(VkAttachmentLoadOp load, VkAttachmentStoreOp depth, VkAttachmentStoreOp stencil, VkRect2D area = {{}, {kSize, kSize}}) {
    VkAttachmentDescription a{};
    a.format = VK_FORMAT_D32_SFLOAT_S8_UINT, a.samples = VK_SAMPLE_COUNT_1_BIT;
    a.loadOp = a.stencilLoadOp = load, a.storeOp = depth, a.stencilStoreOp = stencil;
    a.initialLayout = a.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference ref{0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription s{};
    s.pDepthStencilAttachment = &ref;
    VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    ri.attachmentCount = 1, ri.pAttachments = &a, ri.subpassCount = 1, ri.pSubpasses = &s;
    VkRenderPass pass = VK_NULL_HANDLE;
    VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
    defer([this, pass] { vkDestroyRenderPass(device, pass, nullptr); });
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = pass, fi.attachmentCount = 1, fi.pAttachments = &target.view, fi.width = fi.height = kSize, fi.layers = 1;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
    defer([this, framebuffer] { vkDestroyFramebuffer(device, framebuffer, nullptr); });
    run([&](VkCommandBuffer c) {
      VkClearValue value{};
      value.depthStencil = {kClear, 3};
      VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
      bi.renderPass = pass, bi.framebuffer = framebuffer, bi.renderArea = area, bi.pClearValues = &value;
      const bool clears = load == VK_ATTACHMENT_LOAD_OP_CLEAR;
      bi.clearValueCount = clears;
      vkCmdBeginRenderPass(c, &bi, VK_SUBPASS_CONTENTS_INLINE);
      VkClearAttachment again{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, {}};
      again.clearValue.depthStencil = {kDrawn, 5};
      const VkClearRect all{area, 0, 1};
      if (clears) vkCmdClearAttachments(c, 1, &again, 1, &all);
      vkCmdEndRenderPass(c);
      barrier(c);
    });
  }
  float depth_at(uint32_t x, uint32_t y) {
    const std::vector<uint8_t> bytes = read(target, 4, 0, VK_IMAGE_ASPECT_DEPTH_BIT);
    float z = 0;
    std::memcpy(&z, &bytes[4 * (y * kSize + x)], sizeof z);
    return z;
  }
  uint32_t stencil_at(uint32_t x, uint32_t y) { return read(target, 1, 0, VK_IMAGE_ASPECT_STENCIL_BIT)[y * kSize + x]; }
  Image target;
};

TEST_F(UnstoredDepth, AllElseStays) {
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kStore, kStore);
  EXPECT_EQ(depth_at(50, 70), kDrawn);
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kNoStore, kStore);
  EXPECT_EQ(stencil_at(50, 70), 5u);
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kStore, kNoStore);
  EXPECT_EQ(depth_at(50, 70), kDrawn);
  pass(VK_ATTACHMENT_LOAD_OP_CLEAR, kNoStore, kNoStore, {{8, 8}, {40, 80}});
  EXPECT_EQ(depth_at(50, 70), kDrawn) << "beside the area";
  pass(VK_ATTACHMENT_LOAD_OP_LOAD, kStore, kStore);
  EXPECT_EQ(depth_at(50, 70), kDrawn);
}

}  // namespace
}  // namespace vktest
