// SPDX-License-Identifier: MIT
/// Frames of one colour in a swapchain, for tests of window systems. The derived test makes `surface`.
#pragma once
#include <array>
#include <cstdint>

#include "tests/vk/fixture.h"

namespace vktest {

class Frames : public Vk {
 protected:
  Frames() {
    instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME};
    device_extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  }
  void SetUp() override {
    Vk::SetUp();
    if (!device) return;
    VkSemaphoreCreateInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (VkSemaphore* s : {&acquired_, &drawn_}) VK_OK(vkCreateSemaphore(device, &si, nullptr, s));
    defer([this] {
      destroy_swapchain();
      for (VkSemaphore s : {acquired_, drawn_}) vkDestroySemaphore(device, s, nullptr);
      vkDestroySurfaceKHR(instance, surface, nullptr);
    });
  }

  VkSwapchainCreateInfoKHR swapchain_info(VkPresentModeKHR mode, uint32_t width, uint32_t height, uint32_t count = 3) const {
    VkSwapchainCreateInfoKHR si{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    si.surface = surface;
    si.minImageCount = count;
    si.imageFormat = VK_FORMAT_B8G8R8A8_UNORM;
    si.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    si.imageExtent = {width, height};
    si.imageArrayLayers = 1;
    si.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    si.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    si.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    si.presentMode = mode;
    si.oldSwapchain = swapchain;
    return si;
  }
  /// Replaces the swapchain, or makes the first.
  void make_swapchain(VkPresentModeKHR mode, uint32_t width, uint32_t height, uint32_t count = 3) {
    const VkSwapchainCreateInfoKHR si = swapchain_info(mode, width, height, count);
    look_at_surface();
    VK_OK(vkCreateSwapchainKHR(device, &si, nullptr, &swapchain));
    if (si.oldSwapchain) vkDestroySwapchainKHR(device, si.oldSwapchain, nullptr);
    uint32_t n = 16;
    VkImage images[16];
    VK_OK(vkGetSwapchainImagesKHR(device, swapchain, &n, images));
    images_.assign(images, images + n);
  }
  /// As applications do before they make a swapchain.
  void look_at_surface() {
    VkSurfaceCapabilitiesKHR capabilities;
    VK_OK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface, &capabilities));
    uint32_t formats = 0, modes = 0;
    VK_OK(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &formats, nullptr));
    std::vector<VkSurfaceFormatKHR> list(formats);
    VK_OK(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &formats, list.data()));
    VK_OK(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &modes, nullptr));
  }
  void destroy_swapchain() {
    if (swapchain) vkDestroySwapchainKHR(device, swapchain, nullptr);
    swapchain = VK_NULL_HANDLE;
  }

  /// Acquires, clears to a colour that is `number`'s own, presents. The worse of the two results; `index` is the image if there was one.
  VkResult frame(uint32_t number, uint64_t timeout = UINT64_MAX, uint32_t* index = nullptr) {
    uint32_t i = ~0u;
    const VkResult got = vkAcquireNextImageKHR(device, swapchain, timeout, acquired_, VK_NULL_HANDLE, &i);
    if (got != VK_SUCCESS && got != VK_SUBOPTIMAL_KHR) return got;
    if (index) *index = i;
    VkCommandBuffer c = command_buffer();
    VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vkBeginCommandBuffer(c, &bi);
    VkImageMemoryBarrier b{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    b.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    b.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    b.srcQueueFamilyIndex = b.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    b.image = images_[i];
    b.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &b);
    const auto bgr = colour(number);
    const VkClearColorValue value = {
        {static_cast<float>(bgr[2]) / 255, static_cast<float>(bgr[1]) / 255, static_cast<float>(bgr[0]) / 255, 1}};
    vkCmdClearColorImage(c, images_[i], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1, &b.subresourceRange);
    b.oldLayout = b.newLayout;
    b.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    b.srcAccessMask = b.dstAccessMask;
    b.dstAccessMask = 0;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1, &b);
    vkEndCommandBuffer(c);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    si.waitSemaphoreCount = si.signalSemaphoreCount = si.commandBufferCount = 1;
    si.pWaitSemaphores = &acquired_;
    si.pWaitDstStageMask = &stage;
    si.pSignalSemaphores = &drawn_;
    si.pCommandBuffers = &c;
    const VkResult submitted = vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE);
    if (submitted != VK_SUCCESS) return submitted;
    VkPresentInfoKHR pi{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    pi.waitSemaphoreCount = pi.swapchainCount = 1;
    pi.pWaitSemaphores = &drawn_;
    pi.pSwapchains = &swapchain;
    pi.pImageIndices = &i;
    const VkResult presented = vkQueuePresentKHR(queue, &pi);
    return presented == VK_SUCCESS ? got : presented;
  }

  /// B, G, R of a frame's number, below 2^24.
  static std::array<uint8_t, 3> colour(uint32_t number) {
    return {static_cast<uint8_t>(number), static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number >> 16)};
  }
  /// The number of the frame that these rows of B,G,R,x pixels are, which must all be of one colour; -1: they are not.
  static int number_of(const std::vector<uint8_t>& rows, uint32_t width, uint32_t height, uint32_t pitch) {
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x)
        if (std::memcmp(&rows[size_t{y} * pitch + x * 4], rows.data(), 3)) return -1;
    return rows[0] | rows[1] << 8 | rows[2] << 16;
  }

  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;

 private:
  std::vector<VkImage> images_;
  VkSemaphore acquired_ = VK_NULL_HANDLE, drawn_ = VK_NULL_HANDLE;
};

}  // namespace vktest
