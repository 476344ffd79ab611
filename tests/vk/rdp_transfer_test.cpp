// SPDX-License-Identifier: MIT
/// Transfers, scan-out, synchronisation and presentation of the RDP's device.
#include <png.h>

#include <cstdlib>

#include "tests/vk/rdp_fixture.h"

namespace vktest {
namespace {

class RdpTransfer : public RdpVk {};

// Of this test's environment: PUMICE_RDRAM=16.
TEST_F(RdpTransfer, SizeOfRdramIsTheUsers) {
  VkPhysicalDeviceMemoryProperties m;
  vkGetPhysicalDeviceMemoryProperties(physical, &m);
  EXPECT_EQ(m.memoryHeaps[0].size, 16u << 20);
  // All of it, and lists that end where it ends.
  Buffer all = buffer((16u << 20) - 128);
  ASSERT_TRUE(all.map);
  List list;
  clear16(list, 0x8000, 32, 32, 0x7777);
  List::store(list.words(), all.map + all.size - list.bytes());
  run([&](VkCommandBuffer c) { cmd_execute(c, all.handle, all.size - list.bytes(), list.bytes()); });
  EXPECT_EQ(all.map[0x8000 - 64 + 31 * 64], 0x77);
}

TEST_F(RdpTransfer, Buffers) {
  constexpr uint32_t kSize = 20000;  // more than DMEM holds
  Buffer a = buffer(kSize), b = buffer(kSize), c = buffer(kSize), d = buffer(kSize);
  for (uint32_t i = 0; i < kSize; ++i) a.map[i] = static_cast<uint8_t>(i * 7 + i / 256);
  std::vector<uint32_t> data(kSize / 4);
  for (uint32_t i = 0; i < data.size(); ++i) data[i] = i * 0x01020305;
  run([&](VkCommandBuffer cb) {
    const VkBufferCopy regions[2] = {{3, 1001, 5001}, {10000, 7, 11}};
    vkCmdCopyBuffer(cb, a.handle, b.handle, 2, regions);
    vkCmdFillBuffer(cb, c.handle, 8, VK_WHOLE_SIZE, 0xA1B2C3D4);
    vkCmdUpdateBuffer(cb, d.handle, 0, kSize, data.data());
  });
  EXPECT_EQ(0, std::memcmp(b.map + 1001, a.map + 3, 5001));
  EXPECT_EQ(0, std::memcmp(b.map + 7, a.map + 10000, 11));
  EXPECT_EQ(b.map[6], 0);
  EXPECT_EQ(b.map[1000], 0);
  EXPECT_EQ(b.map[1001 + 5001], 0);
  EXPECT_EQ(c.as<uint32_t>()[1], 0u);
  for (uint32_t i = 2; i < kSize / 4; ++i) ASSERT_EQ(c.as<uint32_t>()[i], 0xA1B2C3D4u) << i;
  EXPECT_EQ(0, std::memcmp(d.map, data.data(), kSize));
}

TEST_F(RdpTransfer, Images) {
  Image a = image(VK_FORMAT_R8G8B8A8_UNORM, 37, 21), b = image(VK_FORMAT_R8G8B8A8_UNORM, 64, 64);
  std::vector<uint8_t> pixels(37 * 21 * 4);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * 13);
  write(a, pixels);
  EXPECT_EQ(read(a, 4), pixels);
  const VkClearColorValue color{{1.0f, 0.5f, 0.0f, 1.0f}};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  const VkImageCopy region{{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {2, 3, 0}, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {10, 20, 0}, {30, 15, 1}};
  run([&](VkCommandBuffer c) {
    vkCmdClearColorImage(c, b.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
    vkCmdCopyImage(c, a.handle, VK_IMAGE_LAYOUT_GENERAL, b.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  });
  const std::vector<uint8_t> got = read(b, 4);
  for (uint32_t y = 0; y < 64; ++y)
    for (uint32_t x = 0; x < 64; ++x) {
      const bool inside = x >= 10 && x < 40 && y >= 20 && y < 35;
      const std::vector<uint8_t> clear{255, 128, 0, 255};
      const uint8_t* want = inside ? &pixels[((y - 17) * 37 + x - 8) * 4] : clear.data();
      ASSERT_EQ(0, std::memcmp(&got[(y * 64 + x) * 4], want, 4)) << x << "," << y;
    }
}

TEST_F(RdpTransfer, AnImageIsAColorImage) {
  Image i = image(VK_FORMAT_R8G8B8A8_UNORM, 50, 20,
                  {.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
  const VkImageSubresource s{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout;
  vkGetImageSubresourceLayout(device, i.handle, &s, &layout);
  EXPECT_EQ(layout.rowPitch, 56u * 4);  // rounded up to 8 pixels, as the extension says
  List list;
  list.put(rdp::SetColorImage().size(3).width(55).address(get_image_address(device, i.handle)));
  list.put(rdp::SetScissor().xl(4 * 50).yl(4 * 20));
  list.put(rdp::SetOtherModes().cycle_type(3));
  list.put(rdp::SetFillColor().color(0x11223344));
  list.put(rdp::FillRectangle().xh(4 * 10).yh(4 * 5).xl(4 * 49).yl(4 * 19));
  execute(list);
  const std::vector<uint8_t> got = read(i, 4);
  const uint8_t want[4] = {0x11, 0x22, 0x33, 0x44};
  EXPECT_EQ(got[(5 * 50 + 9) * 4], 0);
  EXPECT_EQ(0, std::memcmp(&got[(5 * 50 + 10) * 4], want, 4));
  EXPECT_EQ(0, std::memcmp(&got[(19 * 50 + 49) * 4], want, 4));
}

class RdpScanOut : public RdpVk {
 protected:
  VkRdpScanOutInfoPUMICE info(const Buffer& b, const Image& i, uint32_t width, uint32_t height) {
    VkRdpScanOutInfoPUMICE s{VK_STRUCTURE_TYPE_RDP_SCAN_OUT_INFO_PUMICE};
    s.srcBuffer = b.handle;
    s.pixelSize = VK_RDP_PIXEL_SIZE_16_PUMICE;
    s.srcExtent = {width, height};
    s.dstImage = i.handle;
    s.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    s.dstArea = {{0, 0}, {i.extent.width, i.extent.height}};
    return s;
  }
};

TEST_F(RdpScanOut, ConvertsAndScales) {
  Buffer b = buffer(64 * 4 * 2);
  const auto store = [&](uint32_t x, uint32_t y, uint16_t v) {
    b.map[(y * 64 + x) * 2] = static_cast<uint8_t>(v >> 8);
    b.map[(y * 64 + x) * 2 + 1] = static_cast<uint8_t>(v);
  };
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 8; ++x) store(x, y, static_cast<uint16_t>((x * 4) << 11 | (y * 10) << 6 | 31 << 1 | (x & 1)));
  const auto eight = [](uint32_t v) { return static_cast<uint8_t>(v << 3 | v >> 2); };
  Image same = image(VK_FORMAT_R8G8B8A8_UNORM, 8, 4), twice = image(VK_FORMAT_B8G8R8A8_UNORM, 16, 8),
        soft = image(VK_FORMAT_R8G8B8A8_UNORM, 16, 8);
  VkRdpScanOutInfoPUMICE s1 = info(b, same, 8, 4), s2 = info(b, twice, 8, 4), s3 = info(b, soft, 8, 4);
  s1.srcStride = s2.srcStride = s3.srcStride = 64;
  s3.filter = VK_FILTER_LINEAR;
  run([&](VkCommandBuffer c) {
    cmd_scan_out(c, &s1);
    cmd_scan_out(c, &s2);
    cmd_scan_out(c, &s3);
  });
  const auto one = read(same, 4), two = read(twice, 4), three = read(soft, 4);
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 8; ++x) {
      const uint8_t want[4] = {eight(x * 4), eight(y * 10), 255, 255};
      ASSERT_EQ(0, std::memcmp(&one[(y * 8 + x) * 4], want, 4)) << x << "," << y;
    }
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 0; x < 16; ++x) {
      const uint8_t want[4] = {255, eight(y / 2 * 10), eight(x / 2 * 4), 255};
      ASSERT_EQ(0, std::memcmp(&two[(y * 16 + x) * 4], want, 4)) << x << "," << y;
      // Half way between two pixels: the mean, rounded up; the last ones repeat.
      const auto mid = [](uint32_t p, uint32_t q) { return (p + q + 1) / 2; };
      const uint32_t red = x % 2 ? mid(eight(x / 2 * 4), eight(std::min(x / 2 + 1, 7u) * 4)) : eight(x / 2 * 4);
      ASSERT_EQ(three[(y * 16 + x) * 4], red) << x << "," << y;
    }
}

TEST_F(RdpScanOut, RefusesWhatLeavesTheObjects) {
  Buffer b = buffer(320 * 240 * 2);
  Image i = image(VK_FORMAT_R8G8B8A8_UNORM, 64, 64), other = image(VK_FORMAT_R8_UNORM, 64, 64);
  const auto result = [&](const std::function<void(VkRdpScanOutInfoPUMICE&)>& change) {
    VkRdpScanOutInfoPUMICE s = info(b, i, 320, 240);
    change(s);
    VkCommandBuffer c = command_buffer();
    VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    EXPECT_EQ(VK_SUCCESS, vkBeginCommandBuffer(c, &bi));
    cmd_scan_out(c, &s);
    return vkEndCommandBuffer(c);
  };
  EXPECT_EQ(VK_SUCCESS, result([](auto&) {}));
  const auto bad = VK_ERROR_VALIDATION_FAILED_EXT;
  EXPECT_EQ(bad, result([](auto& s) { s.srcOffset = 2; }));
  EXPECT_EQ(bad, result([](auto& s) { s.srcExtent.height = 241; }));
  EXPECT_EQ(bad, result([](auto& s) { s.srcExtent.width = 0; }));
  EXPECT_EQ(bad, result([](auto& s) { s.srcStride = 319; }));
  EXPECT_EQ(bad, result([](auto& s) { s.pixelSize = VK_RDP_PIXEL_SIZE_32_PUMICE; }));
  EXPECT_EQ(bad, result([](auto& s) { s.pixelSize = static_cast<VkRdpPixelSizePUMICE>(1); }));
  EXPECT_EQ(bad, result([](auto& s) { s.dstArea.offset.x = 1; }));
  EXPECT_EQ(bad, result([](auto& s) { s.dstArea.extent.height = 0xFFFFFFFF; }));
  EXPECT_EQ(bad, result([&](auto& s) { s.dstImage = other.handle; }));
}

class RdpSync : public RdpVk {};

TEST_F(RdpSync, SubmissionsInOrder) {
  constexpr int kCount = 24;
  Buffer picture = buffer(64 * 64 * 2), results = buffer(kCount * 4);
  std::vector<VkSemaphore> semaphores(kCount);
  VkSemaphoreCreateInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  for (auto& s : semaphores) VK_OK(vkCreateSemaphore(device, &si, nullptr, &s));
  VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence last;
  VK_OK(vkCreateFence(device, &fi, nullptr, &last));
  for (int i = 0; i < kCount; ++i) {
    List list;
    clear16(list, address(picture), 64, 64, static_cast<uint16_t>(0x0101 * (i + 1)));
    list.put(rdp::SyncFull());  // interrupts of the application are allowed
    Buffer b = list_buffer(list);
    VkCommandBuffer c = command_buffer(), second = command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo hi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0, &hi};
    VK_OK(vkBeginCommandBuffer(second, &bi));
    cmd_execute(second, b.handle, 0, b.size);
    VK_OK(vkEndCommandBuffer(second));
    VK_OK(vkBeginCommandBuffer(c, &bi));
    vkCmdExecuteCommands(c, 1, &second);
    const VkBufferCopy copy{64 * 64 * 2 - 4, static_cast<VkDeviceSize>(i) * 4, 4};
    vkCmdCopyBuffer(c, picture.handle, results.handle, 1, &copy);
    VK_OK(vkEndCommandBuffer(c));
    VkSubmitInfo s{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    s.waitSemaphoreCount = i > 0;
    s.pWaitSemaphores = i > 0 ? &semaphores[static_cast<size_t>(i) - 1] : nullptr;
    s.pWaitDstStageMask = &stage;
    s.commandBufferCount = 1;
    s.pCommandBuffers = &c;
    s.signalSemaphoreCount = 1;
    s.pSignalSemaphores = &semaphores[static_cast<size_t>(i)];
    VK_OK(vkQueueSubmit(queue, 1, &s, i == kCount - 1 ? last : VK_NULL_HANDLE));
  }
  VK_OK(vkWaitForFences(device, 1, &last, VK_TRUE, UINT64_MAX));
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(results.as<uint32_t>()[i], 0x01010101u * static_cast<uint32_t>(i + 1));
  for (auto s : semaphores) vkDestroySemaphore(device, s, nullptr);
  vkDestroyFence(device, last, nullptr);
}

TEST_F(RdpSync, Events) {
  const VkEvent start = event(), end = event();
  Buffer b = buffer(16);
  const VkCommandBuffer c = recorded([&](VkCommandBuffer to) {
    vkCmdWaitEvents(to, 1, &start, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
    vkCmdFillBuffer(to, b.handle, 0, 16, 5);
    vkCmdSetEvent(to, end, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdResetEvent(to, start, VK_PIPELINE_STAGE_TRANSFER_BIT);
  });
  VkSubmitInfo s{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  s.commandBufferCount = 1;
  s.pCommandBuffers = &c;
  VK_OK(vkQueueSubmit(queue, 1, &s, VK_NULL_HANDLE));
  EXPECT_EQ(VK_EVENT_RESET, vkGetEventStatus(device, end));
  VK_OK(vkSetEvent(device, start));
  VK_OK(vkQueueWaitIdle(queue));
  EXPECT_EQ(VK_EVENT_SET, vkGetEventStatus(device, end));
  EXPECT_EQ(VK_EVENT_RESET, vkGetEventStatus(device, start));
  EXPECT_EQ(b.as<uint32_t>()[3], 5u);
}

/// As on a Radeon: PUMICE_DEBUG=watchdog makes the queue give up after 4 s.
TEST_F(RdpSync, AnEventThatIsNeverSetEndsTheWaits) {
  hold_queue();
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkDeviceWaitIdle(device));
  EXPECT_NE(said.find("vkCmdWaitEvents: VkEvent 0x"), std::string::npos) << said;
}

// PUMICE_CAPTURE of this test's environment: frames of a headless surface become files.
TEST_F(RdpSync, PresentsWhatTheChipDrew) {
  VkHeadlessSurfaceCreateInfoEXT hi{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
  VkSurfaceKHR surface;
  VK_OK(vkCreateHeadlessSurfaceEXT(instance, &hi, nullptr, &surface));
  uint32_t n = 1;
  VkSurfaceFormatKHR format;
  VK_OK(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &n, &format));
  EXPECT_EQ(format.format, VK_FORMAT_R8G8B8A8_UNORM);
  VkSwapchainCreateInfoKHR si{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  si.surface = surface;
  si.minImageCount = 2;
  si.imageFormat = format.format;
  si.imageColorSpace = format.colorSpace;
  si.imageExtent = {60, 40};
  si.imageArrayLayers = 1;
  si.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  si.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  si.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  si.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  VkSwapchainKHR swapchain;
  VK_OK(vkCreateSwapchainKHR(device, &si, nullptr, &swapchain));
  VK_OK(vkGetSwapchainImagesKHR(device, swapchain, &n, nullptr));
  std::vector<VkImage> images(n);
  VK_OK(vkGetSwapchainImagesKHR(device, swapchain, &n, images.data()));
  VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  VK_OK(vkCreateFence(device, &fi, nullptr, &fence));
  for (int frame = 0; frame < 5; ++frame) {
    uint32_t index = 0;
    VK_OK(vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    VK_OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
    VK_OK(vkResetFences(device, 1, &fence));
    List list;
    list.put(rdp::SetColorImage().size(3).width(63).address(get_image_address(device, images[index])));
    list.put(rdp::SetScissor().xl(4 * 60).yl(4 * 40));
    list.put(rdp::SetOtherModes().cycle_type(3));
    list.put(rdp::SetFillColor().color(frame == 4 ? 0xFF804000 : 0x00112200));
    list.put(rdp::FillRectangle().xl(4 * 59).yl(4 * 39));
    execute(list);
    VkPresentInfoKHR pi{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    pi.swapchainCount = 1;
    pi.pSwapchains = &swapchain;
    pi.pImageIndices = &index;
    VK_OK(vkQueuePresentKHR(queue, &pi));
  }
  VK_OK(vkQueueWaitIdle(queue));
  vkDestroyFence(device, fence, nullptr);
  vkDestroySwapchainKHR(device, swapchain, nullptr);
  const char* folder = std::getenv("PUMICE_CAPTURE");
  if (folder) {
    png_image file{};
    file.version = PNG_IMAGE_VERSION;
    ASSERT_TRUE(png_image_begin_read_from_file(&file, (std::string(folder) + "/frame-000004.png").c_str())) << file.message;
    EXPECT_EQ(file.width, 60u);
    EXPECT_EQ(file.height, 40u);
    file.format = PNG_FORMAT_RGB;
    std::vector<uint8_t> rgb(PNG_IMAGE_SIZE(file));
    ASSERT_TRUE(png_image_finish_read(&file, nullptr, rgb.data(), 0, nullptr));
    const uint8_t want[3] = {0xFF, 0x80, 0x40};
    for (size_t i = 0; i < rgb.size(); ++i) ASSERT_EQ(rgb[i], want[i % 3]) << i;
  }
  si.imageExtent = {2000, 2000};  // two of them are more than RDRAM
  EXPECT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, vkCreateSwapchainKHR(device, &si, nullptr, &swapchain));
  vkDestroySurfaceKHR(instance, surface, nullptr);
}

}  // namespace
}  // namespace vktest
