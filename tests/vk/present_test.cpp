// SPDX-License-Identifier: MIT
/// Swapchains of a headless surface: what applications do with acquire semaphores, images and present.
#include <algorithm>
#include <future>
#include <string>
#include <thread>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Present : public Vk {
 protected:
  Present() {
    instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME, VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    device_extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  }
  void SetUp() override {
    Vk::SetUp();
    VkHeadlessSurfaceCreateInfoEXT hi{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    VK_OK(vkCreateHeadlessSurfaceEXT(instance, &hi, nullptr, &surface_));
    VkSurfaceCapabilitiesKHR capabilities;
    VK_OK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface_, &capabilities));
    uint32_t count = 0;
    VK_OK(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface_, &count, nullptr));
    std::vector<VkSurfaceFormatKHR> formats(count);
    VK_OK(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface_, &count, formats.data()));
    VK_OK(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface_, &count, nullptr));
    VkSwapchainCreateInfoKHR si{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    si.surface = surface_;
    si.minImageCount = kImages;
    si.imageFormat = VK_FORMAT_B8G8R8A8_UNORM;
    si.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    si.imageExtent = extent;
    si.imageArrayLayers = 1;
    si.imageUsage = usage;
    si.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    si.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    si.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    VK_OK(vkCreateSwapchainKHR(device, &si, nullptr, &swapchain));
    count = kImages;
    VK_OK(vkGetSwapchainImagesKHR(device, swapchain, &count, images));
    VkSemaphoreCreateInfo semi{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VK_OK(vkCreateSemaphore(device, &semi, nullptr, &semaphore));
    defer([this] {
      vkDestroySemaphore(device, semaphore, nullptr);
      vkDestroySwapchainKHR(device, swapchain, nullptr);
      vkDestroySurfaceKHR(instance, surface_, nullptr);
    });
  }
  uint32_t acquire(VkSemaphore s = VK_NULL_HANDLE) {
    uint32_t index = ~0u;
    EXPECT_EQ(VK_SUCCESS, vkAcquireNextImageKHR(device, swapchain, 0, s, VK_NULL_HANDLE, &index));
    return index;
  }
  VkResult present(uint32_t index, VkSemaphore wait = VK_NULL_HANDLE) {
    VkPresentInfoKHR pi{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    pi.waitSemaphoreCount = wait ? 1 : 0;
    pi.pWaitSemaphores = &wait;
    pi.swapchainCount = 1;
    pi.pSwapchains = &swapchain;
    pi.pImageIndices = &index;
    return vkQueuePresentKHR(queue, &pi);
  }

  static constexpr uint32_t kImages = 3;
  VkExtent2D extent = {16, 16};
  VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  VkImage images[kImages] = {};
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
};

/// SDL2's testvulkan and many a tutorial: the next image is acquired with the same semaphore before the queue has come to the wait for the
/// last one. An event holds the queue until all of them are acquired, so that the order is always the bad one.
TEST_F(Present, OneAcquireSemaphoreForSeveralFramesLosesNoSignal) {
  const VkEvent e = hold_queue();
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.waitSemaphoreCount = 1;
  si.pWaitSemaphores = &semaphore;
  si.pWaitDstStageMask = &stage;
  testing::internal::CaptureStderr();
  for (uint32_t frame = 0; frame < kImages; ++frame) {
    const uint32_t index = acquire(semaphore);
    VK_OK(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
    EXPECT_EQ(VK_SUCCESS, present(index));
  }
  VK_OK(vkSetEvent(device, e));
  VK_OK(vkDeviceWaitIdle(device));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Present, AnImageThatTheSwapchainHasNotIsNamed) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(VK_ERROR_VALIDATION_FAILED_EXT, present(kImages));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("vkQueuePresentKHR: image 3 of VkSwapchainKHR 0x"), std::string::npos) << said;
  EXPECT_NE(said.find(", which has 3"), std::string::npos) << said;
  // The present does not count: the swapchain goes.
}

TEST_F(Present, AnImageThatIsPresentedTwiceIsAcquiredOnce) {
  const uint32_t index = acquire();
  EXPECT_EQ(VK_SUCCESS, present(index));
  EXPECT_EQ(VK_SUCCESS, present(index));
  VK_OK(vkQueueWaitIdle(queue));
  uint32_t seen = 0, extra = 0;
  for (uint32_t i = 0; i < kImages; ++i) seen |= 1u << acquire();
  EXPECT_EQ(seen, 7u);
  EXPECT_EQ(VK_NOT_READY, vkAcquireNextImageKHR(device, swapchain, 0, VK_NULL_HANDLE, VK_NULL_HANDLE, &extra));
}

TEST_F(Present, AWaitThatNothingSignalsIsNamed) {
  const VkDebugUtilsObjectNameInfoEXT ni{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, VK_OBJECT_TYPE_SEMAPHORE,
                                         reinterpret_cast<uint64_t>(semaphore), "drawn"};
  VK_OK(vkSetDebugUtilsObjectNameEXT(device, &ni));
  const uint32_t index = acquire();
  testing::internal::CaptureStderr();
  EXPECT_EQ(VK_SUCCESS, present(index, semaphore));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("vkQueuePresentKHR: waits for VkSemaphore 0x"), std::string::npos) << said;
  EXPECT_NE(said.find("\"drawn\", but nothing signals it"), std::string::npos) << said;
  VK_OK(vkDeviceWaitIdle(device));
}

/// The wait is endless, so the report comes before it; the thread that hears it presents an image.
TEST_F(Present, AcquiringMoreImagesThanThereAreIsReported) {
  std::promise<std::string> heard;
  VkDebugUtilsMessengerCreateInfoEXT mi{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  mi.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  mi.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  mi.pUserData = &heard;
  mi.pfnUserCallback = [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                          const VkDebugUtilsMessengerCallbackDataEXT* d, void* user) {
    static_cast<std::promise<std::string>*>(user)->set_value(d->pMessage);
    return VkBool32{VK_FALSE};
  };
  VkDebugUtilsMessengerEXT m;
  VK_OK(vkCreateDebugUtilsMessengerEXT(instance, &mi, nullptr, &m));
  const uint32_t first = acquire();
  for (uint32_t i = 1; i < kImages; ++i) acquire();
  std::string text;
  std::thread other([&] {
    text = heard.get_future().get();
    EXPECT_EQ(VK_SUCCESS, present(first));
  });
  uint32_t index = ~0u;
  EXPECT_EQ(VK_SUCCESS, vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, VK_NULL_HANDLE, &index));
  other.join();
  EXPECT_EQ(index, first);
  EXPECT_NE(text.find("has 3 images and all are acquired"), std::string::npos) << text;
  vkDestroyDebugUtilsMessengerEXT(instance, m, nullptr);
}

/// Passes that clear an image to the same colour: what still holds it need not be cleared again, whatever else has written the image.
class Background : public Present {
 protected:
  Background() {
    extent = {160, 120};
    usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  }
  void SetUp() override {
    Present::SetUp();
    pixels = buffer(VkDeviceSize{4} * extent.width * extent.height);
    wanted.resize(size_t{extent.width} * extent.height);
    const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence acquired = VK_NULL_HANDLE;
    VK_OK(vkCreateFence(device, &fence_info, nullptr, &acquired));
    uint32_t index = 0;
    VK_OK(vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, acquired, &index));
    VK_OK(vkWaitForFences(device, 1, &acquired, VK_TRUE, UINT64_MAX));
    vkDestroyFence(device, acquired, nullptr);
    shown = images[index];
    to_general(shown, VK_IMAGE_ASPECT_COLOR_BIT);
    VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    vi.image = shown;
    vi.viewType = VK_IMAGE_VIEW_TYPE_2D;
    vi.format = VK_FORMAT_B8G8R8A8_UNORM;
    vi.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VK_OK(vkCreateImageView(device, &vi, nullptr, &view));
    const Image samples = image(VK_FORMAT_B8G8R8A8_UNORM, extent.width, extent.height,
                                {.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, .view = true, .samples = VK_SAMPLE_COUNT_4_BIT});
    clearing = make_pass({view});
    resolving = make_pass({view, samples.view});
    defer([this] {
      for (const Pass& p : {clearing, resolving}) {
        vkDestroyFramebuffer(device, p.framebuffer, nullptr);
        vkDestroyRenderPass(device, p.pass, nullptr);
      }
      vkDestroyImageView(device, view, nullptr);
    });
  }

  struct Pass {
    VkRenderPass pass = VK_NULL_HANDLE;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    uint32_t attachments = 0;
  };
  /// Clears the last of the views, and resolves to the first if there are two.
  Pass make_pass(std::vector<VkImageView> views) {
    const bool resolves = views.size() == 2;
    VkAttachmentDescription a[2]{};
    for (uint32_t i = 0; i < 2; ++i) {
      a[i].format = VK_FORMAT_B8G8R8A8_UNORM;
      a[i].samples = i ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
      a[i].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      a[i].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      a[i].initialLayout = a[i].finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    }
    if (resolves) a[0].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    const VkAttachmentReference first{0, VK_IMAGE_LAYOUT_GENERAL}, last{resolves ? 1u : 0u, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription s{};
    s.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    s.colorAttachmentCount = 1;
    s.pColorAttachments = &last;
    s.pResolveAttachments = resolves ? &first : nullptr;
    VkRenderPassCreateInfo pi{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    pi.attachmentCount = static_cast<uint32_t>(views.size());
    pi.pAttachments = a;
    pi.subpassCount = 1;
    pi.pSubpasses = &s;
    Pass p;
    p.attachments = pi.attachmentCount;
    EXPECT_EQ(VK_SUCCESS, vkCreateRenderPass(device, &pi, nullptr, &p.pass));
    VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    fi.renderPass = p.pass;
    fi.attachmentCount = pi.attachmentCount;
    fi.pAttachments = views.data();
    fi.width = extent.width, fi.height = extent.height, fi.layers = 1;
    EXPECT_EQ(VK_SUCCESS, vkCreateFramebuffer(device, &fi, nullptr, &p.framebuffer));
    return p;
  }

  struct Colored {
    VkRect2D rect;
    uint8_t red;
  };
  /// A pass over `area`, cleared to a colour, with a rectangle of another one in it.
  void pass(const Pass& p, const Colored& area, const std::vector<Colored>& rects = {}) {
    const auto value = [](uint8_t red) { return VkClearValue{{{static_cast<float>(red) / 255, 0, 0, 1}}}; };
    run([&](VkCommandBuffer c) {
      const VkClearValue clear[2] = {value(area.red), value(area.red)};
      VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
      bi.renderPass = p.pass;
      bi.framebuffer = p.framebuffer;
      bi.renderArea = area.rect;
      bi.clearValueCount = p.attachments;
      bi.pClearValues = clear;
      vkCmdBeginRenderPass(c, &bi, VK_SUBPASS_CONTENTS_INLINE);
      for (const Colored& r : rects) {
        const VkClearAttachment a{VK_IMAGE_ASPECT_COLOR_BIT, 0, value(r.red)};
        const VkClearRect at{r.rect, 0, 1};
        vkCmdClearAttachments(c, 1, &a, 1, &at);
      }
      vkCmdEndRenderPass(c);
    });
    paint(area);
    for (const Colored& r : rects) paint(r);
  }
  void paint(const Colored& r) {
    for (uint32_t y = 0; y < r.rect.extent.height; ++y)
      std::fill_n(&wanted[(static_cast<uint32_t>(r.rect.offset.y) + y) * extent.width + static_cast<uint32_t>(r.rect.offset.x)],
                  r.rect.extent.width, 0xFF000000u | uint32_t{r.red} << 16);
  }
  void copy(const Colored& to) {
    std::fill_n(pixels.as<uint32_t>(), to.rect.extent.width * to.rect.extent.height, 0xFF000000u | uint32_t{to.red} << 16);
    run([&](VkCommandBuffer c) {
      VkBufferImageCopy r{};
      r.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      r.imageOffset = {to.rect.offset.x, to.rect.offset.y, 0};
      r.imageExtent = {to.rect.extent.width, to.rect.extent.height, 1};
      vkCmdCopyBufferToImage(c, pixels.handle, shown, VK_IMAGE_LAYOUT_GENERAL, 1, &r);
      barrier(c);
    });
    paint(to);
  }
  bool as_wanted() {
    run([&](VkCommandBuffer c) {
      barrier(c);
      VkBufferImageCopy r{};
      r.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      r.imageExtent = {extent.width, extent.height, 1};
      vkCmdCopyImageToBuffer(c, shown, VK_IMAGE_LAYOUT_GENERAL, pixels.handle, 1, &r);
      barrier(c);
    });
    return std::equal(wanted.begin(), wanted.end(), pixels.as<uint32_t>());
  }

  void check_each_pass();

  std::vector<uint32_t> wanted;
  Buffer pixels;
  VkImage shown = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  Pass clearing, resolving;
};

void Background::check_each_pass() {
  const Colored all{{{0, 0}, extent}, 40}, small{{{70, 50}, {9, 7}}, 200}, large{{{3, 5}, {150, 110}}, 100};
  const auto passes = [&](const char* what) {
    for (uint32_t i = 0; i < 2; ++i) {
      pass(clearing, all);
      EXPECT_TRUE(as_wanted()) << what;
    }
  };
  passes("alone");
  pass(clearing, all, {small});
  EXPECT_TRUE(as_wanted());
  passes("behind a small rectangle");
  pass(clearing, all, {large, small});
  EXPECT_TRUE(as_wanted());
  passes("behind a large rectangle");
  pass(clearing, {large.rect, 60});
  EXPECT_TRUE(as_wanted());
  passes("behind a pass over a part");
  pass(clearing, {{{2, 1}, {extent.width - 4, extent.height - 1}}, 70});
  EXPECT_TRUE(as_wanted());
  passes("behind a pass over all but two columns");
  pass(resolving, {all.rect, 90}, {large});
  EXPECT_TRUE(as_wanted());
  passes("behind a resolve");
  for (const Colored& to : {small, large}) {
    copy(to);
    EXPECT_TRUE(as_wanted());
    passes("behind a copy");
  }
  pass(clearing, {all.rect, 41});
  EXPECT_TRUE(as_wanted());
  passes("behind another colour");
}

TEST_F(Background, IsThereInEachPass) { check_each_pass(); }

/// Rows of so many bytes are further apart than they are long.
class WideBackground : public Background {
 protected:
  WideBackground() { extent.width = 261; }
};

TEST_F(WideBackground, IsThereInEachPass) { check_each_pass(); }

class ProtectedSurface : public Present {
 protected:
  ProtectedSurface() {
    api_version = VK_API_VERSION_1_1;
    instance_extensions.push_back(VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME);
    instance_extensions.push_back(VK_KHR_SURFACE_PROTECTED_CAPABILITIES_EXTENSION_NAME);
  }
};

TEST_F(ProtectedSurface, ThereIsNone) {
  VkSurfaceProtectedCapabilitiesKHR p{VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR, nullptr, VK_TRUE};
  VkSurfaceCapabilities2KHR c{VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, &p, {}};
  const VkPhysicalDeviceSurfaceInfo2KHR info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR, nullptr, surface_};
  VK_OK(vkGetPhysicalDeviceSurfaceCapabilities2KHR(physical, &info, &c));
  EXPECT_FALSE(p.supportsProtected);
  EXPECT_GT(c.surfaceCapabilities.minImageCount, 0u);
}

}  // namespace
}  // namespace vktest
