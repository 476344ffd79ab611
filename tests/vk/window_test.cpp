// SPDX-License-Identifier: MIT
/// Swapchains of X windows, read back from the server; with and without MIT-SHM (meson.build).
#include <xcb/xcb.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>

#include "tests/vk/swapchain_fixture.h"
// After volk's vulkan.h.
#include <vulkan/vulkan_xcb.h>

namespace vktest {
namespace {

class Window : public Frames {
 protected:
  Window() { instance_extensions.push_back(VK_KHR_XCB_SURFACE_EXTENSION_NAME); }
  void SetUp() override {
    connection = xcb_connect(nullptr, nullptr);
    ASSERT_FALSE(xcb_connection_has_error(connection)) << "no X server: run this under xvfb-run";
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    window = xcb_generate_id(connection);
    const uint32_t override_redirect = 1;
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, kWidth, kHeight, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      screen->root_visual, XCB_CW_OVERRIDE_REDIRECT, &override_redirect);
    xcb_map_window(connection, window);
    Frames::SetUp();
    const auto create_surface = reinterpret_cast<PFN_vkCreateXcbSurfaceKHR>(vkGetInstanceProcAddr(instance, "vkCreateXcbSurfaceKHR"));
    VkXcbSurfaceCreateInfoKHR xi{VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR};
    xi.connection = connection;
    xi.window = window;
    VK_OK(create_surface(instance, &xi, nullptr, &surface));
  }
  void TearDown() override {
    Frames::TearDown();
    while (xcb_generic_event_t* event = xcb_poll_for_event(connection)) {
      EXPECT_NE(event->response_type, 0) << "an X error for the application";
      EXPECT_LT(event->response_type & 0x7F, 64) << "an extension's event for the application";
      std::free(event);
    }
    xcb_disconnect(connection);
  }

  /// The number of the frame in the window, -1 if it is none.
  int shown(uint16_t width, uint16_t height) {
    auto* reply =
        xcb_get_image_reply(connection, xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window, 0, 0, width, height, ~0u), nullptr);
    if (!reply) return -1;
    const std::vector<uint8_t> rows(xcb_get_image_data(reply), xcb_get_image_data(reply) + xcb_get_image_data_length(reply));
    std::free(reply);
    return number_of(rows, width, height, width * 4u);
  }

  static constexpr uint16_t kWidth = 300, kHeight = 200;
  static constexpr VkPresentModeKHR kModes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR,
                                                VK_PRESENT_MODE_FIFO_RELAXED_KHR};
  xcb_connection_t* connection = nullptr;
  xcb_window_t window = 0;
};

TEST_F(Window, ItShowsTheLastFrameInEveryMode) {
  uint32_t number = 0;
  for (const VkPresentModeKHR mode : kModes)
    for (const uint32_t images : {2u, 3u, 5u}) {
      make_swapchain(mode, kWidth, kHeight, images);
      for (uint32_t i = 0; i < 20; ++i) ASSERT_EQ(VK_SUCCESS, frame(++number * 77));
      VK_OK(vkDeviceWaitIdle(device));
      destroy_swapchain();
      EXPECT_EQ(shown(kWidth, kHeight), static_cast<int>(number * 77)) << "mode " << mode << ", " << images << " images";
    }
}

TEST_F(Window, ImagesComeBackWhateverTheTimeout) {
  uint32_t number = 0;
  for (const VkPresentModeKHR mode : kModes)
    for (const uint64_t timeout : {uint64_t{0}, uint64_t{1000000}, UINT64_MAX}) {
      make_swapchain(mode, kWidth, kHeight, 2);
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      for (uint32_t frames = 0; frames < 30;) {
        const VkResult r = frame((number + 1) * 77, timeout);
        if (r == VK_SUCCESS)
          ++frames, ++number;
        else
          ASSERT_EQ(r, timeout ? VK_TIMEOUT : VK_NOT_READY) << "mode " << mode;
        ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "mode " << mode << ", timeout " << timeout;
      }
      VK_OK(vkDeviceWaitIdle(device));
      destroy_swapchain();
      EXPECT_EQ(shown(kWidth, kHeight), static_cast<int>(number * 77)) << "mode " << mode << ", timeout " << timeout;
    }
}

TEST_F(Window, ItOffersEveryMode) {
  VkPresentModeKHR modes[8];
  uint32_t count = 8;
  VK_OK(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, modes));
  EXPECT_TRUE(std::is_permutation(modes, modes + count, std::begin(kModes), std::end(kModes)));
}

/// It is still in the caches.
TEST_F(Window, TheImageThatCameBackLastIsAcquiredFirst) {
  for (const VkPresentModeKHR mode : {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR}) {
    make_swapchain(mode, kWidth, kHeight, 3);
    uint32_t first = ~0u, index = ~0u;
    ASSERT_EQ(VK_SUCCESS, frame(77, UINT64_MAX, &first));
    for (uint32_t i = 0; i < 5; ++i) {
      VK_OK(vkQueueWaitIdle(queue));
      EXPECT_EQ(shown(kWidth, kHeight), static_cast<int>(77 + i));  // the server has read it
      ASSERT_EQ(VK_SUCCESS, frame(78 + i, UINT64_MAX, &index));
      EXPECT_EQ(index, first) << "mode " << mode;
    }
    VK_OK(vkDeviceWaitIdle(device));
    destroy_swapchain();
  }
}

TEST_F(Window, AResizedWindowIsOutOfDateAndThenTakesTheNewSize) {
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
  ASSERT_EQ(VK_SUCCESS, frame(1));
  const uint32_t size[] = {400, 260};
  xcb_configure_window(connection, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 2; i < 1000 && result == VK_SUCCESS; ++i) result = frame(i);
  EXPECT_EQ(result, VK_ERROR_OUT_OF_DATE_KHR);
  VK_OK(vkDeviceWaitIdle(device));
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, 400, 260);
  ASSERT_EQ(VK_SUCCESS, frame(5000));
  VK_OK(vkDeviceWaitIdle(device));
  destroy_swapchain();
  EXPECT_EQ(shown(400, 260), 5000);
}

size_t threads() {
  const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

/// The threads of this process, `wanted` if there are as many within 20 s: one that was joined may stand in the list for a moment.
size_t threads_until(size_t wanted) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (threads() != wanted && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  return threads();
}

// DDNet forgets its swapchain when it goes on without Vulkan. The loader then unloads the driver: a thread that is left runs code that is
// gone.
TEST_F(Window, ForgottenSwapchainsAndDevicesLeaveNoThread) {
  VK_OK(vkDeviceWaitIdle(device));
  const size_t before = threads();
  const VkApplicationInfo ai{VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "forgets", 0, "", 0, VK_API_VERSION_1_0};
  const std::vector<const char*> extensions{VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_XCB_SURFACE_EXTENSION_NAME};
  VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  ii.pApplicationInfo = &ai;
  ii.enabledExtensionCount = 2;
  ii.ppEnabledExtensionNames = extensions.data();
  for (const bool forgets_device : {false, true}) {
    VkInstance other;
    VK_OK(vkCreateInstance(&ii, nullptr, &other));
    uint32_t n = 1;
    VkPhysicalDevice gpu;
    ASSERT_GE(vkEnumeratePhysicalDevices(other, &n, &gpu), VK_SUCCESS);
    const float priority = 1;
    const VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
    VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    di.queueCreateInfoCount = 1;
    di.pQueueCreateInfos = &qi;
    di.enabledExtensionCount = static_cast<uint32_t>(device_extensions.size());
    di.ppEnabledExtensionNames = device_extensions.data();
    VkDevice d;
    VK_OK(vkCreateDevice(gpu, &di, nullptr, &d));
    const auto create_surface = reinterpret_cast<PFN_vkCreateXcbSurfaceKHR>(vkGetInstanceProcAddr(other, "vkCreateXcbSurfaceKHR"));
    VkXcbSurfaceCreateInfoKHR xi{VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR};
    xi.connection = connection;
    xi.window = window;
    VkSurfaceKHR s;
    VK_OK(create_surface(other, &xi, nullptr, &s));
    VkSwapchainCreateInfoKHR si = swapchain_info(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
    si.surface = s;
    VkSwapchainKHR forgotten;
    VK_OK(vkCreateSwapchainKHR(d, &si, nullptr, &forgotten));
    testing::internal::CaptureStderr();
    if (!forgets_device) {
      vkDestroyDevice(d, nullptr);
      EXPECT_EQ(threads_until(before), before);
    }
    vkDestroySurfaceKHR(other, s, nullptr);
    vkDestroyInstance(other, nullptr);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("vkDestroyInstance: VkDevice") != std::string::npos, forgets_device) << said;
    EXPECT_NE(said.find("vkDestroyDevice: VkSwapchainKHR"), std::string::npos) << said;
    EXPECT_EQ(threads_until(before), before);
  }
}

TEST_F(Window, ADestroyedWindowIsALostSurface) {
  make_swapchain(VK_PRESENT_MODE_FIFO_KHR, kWidth, kHeight);
  ASSERT_EQ(VK_SUCCESS, frame(1));
  VK_OK(vkDeviceWaitIdle(device));
  xcb_destroy_window(connection, window);
  xcb_flush(connection);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 2; i < 1000 && result == VK_SUCCESS; ++i) result = frame(i);
  EXPECT_EQ(result, VK_ERROR_SURFACE_LOST_KHR);
}

}  // namespace
}  // namespace vktest
