// SPDX-License-Identifier: MIT
/// Swapchains of Wayland surfaces, on the compositor of tests/winsys.
#include <wayland-client.h>

#include "tests/vk/swapchain_fixture.h"
// After volk's vulkan.h.
#include <vulkan/vulkan_wayland.h>

#include "tests/winsys/compositor.h"

namespace vktest {
namespace {

class Wayland : public Frames {
 protected:
  Wayland() { instance_extensions.push_back(VK_KHR_WAYLAND_SURFACE_EXTENSION_NAME); }
  void SetUp() override {
    display = wl_display_connect_to_fd(compositor.client_socket());
    ASSERT_NE(display, nullptr);
    wl_registry* registry = wl_display_get_registry(display);
    static const wl_registry_listener listener = {
        .global =
            [](void* self, wl_registry* r, uint32_t name, const char* interface, uint32_t) {
              if (std::strcmp(interface, wl_compositor_interface.name) == 0)
                static_cast<Wayland*>(self)->globals_ = static_cast<wl_compositor*>(wl_registry_bind(r, name, &wl_compositor_interface, 4));
            },
        .global_remove = [](void*, wl_registry*, uint32_t) {}};
    wl_registry_add_listener(registry, &listener, this);
    wl_display_roundtrip(display);
    wl_registry_destroy(registry);
    ASSERT_NE(globals_, nullptr);
    window_ = wl_compositor_create_surface(globals_);
    Frames::SetUp();
    const auto create_surface =
        reinterpret_cast<PFN_vkCreateWaylandSurfaceKHR>(vkGetInstanceProcAddr(instance, "vkCreateWaylandSurfaceKHR"));
    VkWaylandSurfaceCreateInfoKHR wi{VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR};
    wi.display = display;
    wi.surface = window_;
    VK_OK(create_surface(instance, &wi, nullptr, &surface));
  }
  void TearDown() override {
    Frames::TearDown();
    wl_surface_destroy(window_);
    wl_compositor_destroy(globals_);
    wl_display_disconnect(display);
  }

  int shown(size_t n) {
    const auto c = compositor.commit(n);
    EXPECT_EQ(c.width, kWidth);
    EXPECT_EQ(c.height, kHeight);
    EXPECT_TRUE(c.damaged);
    EXPECT_FALSE(c.same_buffer) << "commit " << n << ": the compositor still read that image";
    return number_of(c.rows, c.width, c.height, c.stride);
  }

  static constexpr uint32_t kWidth = 50, kHeight = 30;
  pumice::winsys::Compositor compositor;
  wl_display* display = nullptr;

 private:
  wl_compositor* globals_ = nullptr;
  wl_surface* window_ = nullptr;
};

TEST_F(Wayland, WhatSurfacesCanDo) {
  VkBool32 supported = VK_FALSE;
  VK_OK(vkGetPhysicalDeviceSurfaceSupportKHR(physical, 0, surface, &supported));
  EXPECT_TRUE(supported);
  const auto of_display = reinterpret_cast<PFN_vkGetPhysicalDeviceWaylandPresentationSupportKHR>(
      vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceWaylandPresentationSupportKHR"));
  EXPECT_TRUE(of_display(physical, 0, display));
  VkSurfaceCapabilitiesKHR c;
  VK_OK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface, &c));
  EXPECT_EQ(c.currentExtent.width, 0xFFFFFFFFu);
  EXPECT_EQ(c.minImageCount, 3u);
  EXPECT_EQ(c.supportedCompositeAlpha,
            VkCompositeAlphaFlagsKHR{VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR});
  VkPresentModeKHR modes[4];
  uint32_t n = 4;
  VK_OK(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &n, modes));
  ASSERT_EQ(n, 2u);
  EXPECT_EQ(modes[0], VK_PRESENT_MODE_FIFO_KHR);
  EXPECT_EQ(modes[1], VK_PRESENT_MODE_MAILBOX_KHR);
}

TEST_F(Wayland, FifoShowsEachFrame) {
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
  compositor.run_freely();
  constexpr uint32_t kFrames = 40;
  for (uint32_t i = 0; i < kFrames; ++i) EXPECT_EQ(VK_SUCCESS, frame(i * 1000));
  ASSERT_TRUE(compositor.wait_for_commits(kFrames));
  for (uint32_t i = 0; i < kFrames; ++i) EXPECT_EQ(shown(i), static_cast<int>(i * 1000));
}

TEST_F(Wayland, MailboxShowsTheLastFrameAndNoneTwice) {
  make_swapchain(VK_PRESENT_MODE_MAILBOX_KHR, kWidth, kHeight, 4);
  compositor.run_freely();
  constexpr uint32_t kFrames = 100;
  for (uint32_t i = 1; i <= kFrames; ++i) EXPECT_EQ(VK_SUCCESS, frame(i));
  VK_OK(vkDeviceWaitIdle(device));
  destroy_swapchain();
  wl_display_roundtrip(display);
  int last = 0;
  for (size_t i = 0; i < compositor.commits(); ++i) {
    EXPECT_GT(shown(i), last);
    last = shown(i);
  }
  EXPECT_EQ(last, static_cast<int>(kFrames));
}

TEST_F(Wayland, AnImageIsNotAcquiredBeforeTheCompositorHasReadIt) {
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
  uint32_t image[3] = {};
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(VK_SUCCESS, frame(i, UINT64_MAX, &image[i]));
    ASSERT_TRUE(compositor.wait_for_commits(i + 1));
    compositor.refresh();
  }
  EXPECT_EQ(VK_NOT_READY, frame(3, 0));
  EXPECT_EQ(VK_TIMEOUT, frame(3, 1000));
  compositor.release(1);
  uint32_t next = ~0u;
  EXPECT_EQ(VK_SUCCESS, frame(3, UINT64_MAX, &next));
  EXPECT_EQ(next, image[1]);
  ASSERT_TRUE(compositor.wait_for_commits(4));
  EXPECT_EQ(shown(3), 3);
  EXPECT_EQ(number_of(compositor.memory(0), kWidth, kHeight, compositor.commit(0).stride), 0) << "the image on display was drawn to";
}

/// A hidden window gets no refreshes. Its frames wait; the queue and other work do not.
TEST_F(Wayland, TheQueueDoesNotWaitForRefreshes) {
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(VK_SUCCESS, frame(i));
  run([](VkCommandBuffer) {});
  VK_OK(vkDeviceWaitIdle(device));
  EXPECT_EQ(VK_NOT_READY, frame(3, 0));
  for (size_t i = 1; i < 3; ++i) {
    ASSERT_TRUE(compositor.wait_for_commits(i));
    EXPECT_EQ(compositor.commits(), i);
    compositor.refresh();
  }
  ASSERT_TRUE(compositor.wait_for_commits(3));
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(shown(i), static_cast<int>(i));
}

TEST_F(Wayland, SwapchainsGoWithImagesInFlight) {
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(VK_SUCCESS, frame(i));
  VK_OK(vkDeviceWaitIdle(device));
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);  // the old one's frames are committed first
  EXPECT_EQ(VK_SUCCESS, frame(3));
  ASSERT_TRUE(compositor.wait_for_commits(4));
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(shown(i), static_cast<int>(i));
  destroy_swapchain();
  wl_display_roundtrip(display);
  EXPECT_EQ(compositor.buffers(), 0u);
}

TEST_F(Wayland, ALostCompositorIsALostSurface) {
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
  EXPECT_EQ(VK_SUCCESS, frame(0));
  ASSERT_TRUE(compositor.wait_for_commits(1));
  compositor.hang_up();
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 1; i < 1000 && result == VK_SUCCESS; ++i) result = frame(i);
  EXPECT_EQ(result, VK_ERROR_SURFACE_LOST_KHR);
}

}  // namespace
}  // namespace vktest
