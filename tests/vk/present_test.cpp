// SPDX-License-Identifier: MIT
/// Swapchains of a headless surface: what applications do with acquire semaphores, images and present.
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
    si.imageExtent = {16, 16};
    si.imageArrayLayers = 1;
    si.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    si.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    si.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    si.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    VK_OK(vkCreateSwapchainKHR(device, &si, nullptr, &swapchain));
    VkImage images[kImages];
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
