// SPDX-License-Identifier: MIT
#include "tests/vk/rdp_fixture.h"

namespace vktest {

RdpVk::RdpVk() {
  instance_extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME,
                         VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
  device_extensions = {VK_PUMICE_RDP_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME};
}

void RdpVk::SetUp() {
  Vk::SetUp();
  ASSERT_TRUE(device);
  const auto get = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(vkGetDeviceProcAddr(device, name));
    ASSERT_TRUE(function) << name;
  };
  get(get_buffer_address, "vkGetBufferRdpAddressPUMICE");
  get(get_image_address, "vkGetImageRdpAddressPUMICE");
  get(cmd_execute, "vkCmdExecuteRdpListPUMICE");
  get(cmd_scan_out, "vkCmdScanOutRdpPUMICE");
  VkDebugUtilsMessengerCreateInfoEXT mi{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  mi.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  mi.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  mi.pUserData = &said;
  mi.pfnUserCallback = [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) -> VkBool32 {
    *static_cast<std::string*>(user) += std::string(data->pMessage) + "\n";
    return VK_FALSE;
  };
  VkDebugUtilsMessengerEXT m = VK_NULL_HANDLE;
  VK_OK(vkCreateDebugUtilsMessengerEXT(instance, &mi, nullptr, &m));
  defer([this, m] { vkDestroyDebugUtilsMessengerEXT(instance, m, nullptr); });
}

Buffer RdpVk::list_buffer(const List& list) {
  Buffer b = buffer(list.bytes());
  List::store(list.words(), b.map);
  return b;
}

void RdpVk::execute(const List& list) {
  Buffer b = list_buffer(list);
  run([&](VkCommandBuffer c) { cmd_execute(c, b.handle, 0, b.size); });
}

void RdpVk::clear16(List& list, uint32_t image, uint32_t width, uint32_t height, uint16_t color) {
  list.put(rdp::SetColorImage().size(2).width(width - 1).address(image));
  list.put(rdp::SetScissor().xl(4 * width).yl(4 * height));
  list.put(rdp::SetOtherModes().cycle_type(3));
  list.put(rdp::SetFillColor().color(color * 0x10001u));
  list.put(rdp::FillRectangle().xl(4 * (width - 1)).yl(4 * (height - 1)));
  list.put(rdp::SyncPipe());
}

}  // namespace vktest
