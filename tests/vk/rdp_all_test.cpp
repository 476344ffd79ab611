// SPDX-License-Identifier: MIT
/// PUMICE_CHIP=all: order of the chips; Radeon and several RDPs in one process, independent of each other.
#include <thread>

#include "tests/vk/rdp_fixture.h"

namespace vktest {
namespace {

/// A device with its own functions: one table of pointers cannot serve two chips.
struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  VolkDeviceTable f{};
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint8_t* map = nullptr;

  static constexpr VkDeviceSize kBytes = 16384;

  void create(VkPhysicalDevice physical, const char* extension) {
    const float priority = 1;
    VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
    VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    di.queueCreateInfoCount = 1;
    di.pQueueCreateInfos = &qi;
    di.enabledExtensionCount = extension ? 1 : 0;
    di.ppEnabledExtensionNames = &extension;
    VK_OK(vkCreateDevice(physical, &di, nullptr, &handle));
    volkLoadDeviceTable(&f, handle);
    f.vkGetDeviceQueue(handle, 0, 0, &queue);
    VkCommandPoolCreateInfo pi{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VK_OK(f.vkCreateCommandPool(handle, &pi, nullptr, &pool));
    VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, kBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VK_OK(f.vkCreateBuffer(handle, &bi, nullptr, &buffer));
    VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, kBytes, 0};
    VK_OK(f.vkAllocateMemory(handle, &ai, nullptr, &memory));
    VK_OK(f.vkBindBufferMemory(handle, buffer, memory, 0));
    VK_OK(f.vkMapMemory(handle, memory, 0, VK_WHOLE_SIZE, 0, reinterpret_cast<void**>(&map)));
  }
  void destroy() {
    f.vkDestroyBuffer(handle, buffer, nullptr);
    f.vkFreeMemory(handle, memory, nullptr);
    f.vkDestroyCommandPool(handle, pool, nullptr);
    f.vkDestroyDevice(handle, nullptr);
  }
  void run(const std::function<void(VkCommandBuffer)>& record) {
    VkCommandBufferAllocateInfo ai{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    VkCommandBuffer c;
    VK_OK(f.vkAllocateCommandBuffers(handle, &ai, &c));
    VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK_OK(f.vkBeginCommandBuffer(c, &bi));
    record(c);
    VK_OK(f.vkEndCommandBuffer(c));
    VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    si.commandBufferCount = 1;
    si.pCommandBuffers = &c;
    VK_OK(f.vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
    VK_OK(f.vkQueueWaitIdle(queue));
    f.vkFreeCommandBuffers(handle, pool, 1, &c);
  }
  /// Fills the buffer by a list of an RDP.
  void fill_by_list(uint16_t color) {
    const auto address = reinterpret_cast<PFN_vkGetBufferRdpAddressPUMICE>(vkGetDeviceProcAddr(handle, "vkGetBufferRdpAddressPUMICE"));
    const auto execute = reinterpret_cast<PFN_vkCmdExecuteRdpListPUMICE>(vkGetDeviceProcAddr(handle, "vkCmdExecuteRdpListPUMICE"));
    ASSERT_TRUE(address && execute);
    List list;
    list.put(rdp::SetColorImage().size(2).width(63).address(address(handle, buffer)));
    list.put(rdp::SetScissor().xl(4 * 64).yl(4 * 64));
    list.put(rdp::SetOtherModes().cycle_type(3));
    list.put(rdp::SetFillColor().color(color * 0x10001u));
    list.put(rdp::FillRectangle().xl(4 * 63).yl(4 * 63));
    constexpr VkDeviceSize kListAt = 12288;
    List::store(list.words(), map + kListAt);
    run([&](VkCommandBuffer c) { execute(c, buffer, kListAt, list.bytes()); });
  }
};

class AllChips : public testing::Test {
 protected:
  void SetUp() override {
    VK_OK(volkInitialize());
    VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VK_OK(vkCreateInstance(&ii, nullptr, &instance));
    volkLoadInstanceOnly(instance);
    uint32_t count = 0;
    VK_OK(vkEnumeratePhysicalDevices(instance, &count, nullptr));
    devices.resize(count);
    VK_OK(vkEnumeratePhysicalDevices(instance, &count, devices.data()));
    ASSERT_GE(count, 3u);
    radeon = devices.front();
    rdp_chip = devices.back();
    ASSERT_TRUE(has(rdp_chip, VK_PUMICE_RDP_EXTENSION_NAME));
  }
  void TearDown() override { vkDestroyInstance(instance, nullptr); }

  static bool has(VkPhysicalDevice d, const char* name) {
    uint32_t n = 0;
    vkEnumerateDeviceExtensionProperties(d, nullptr, &n, nullptr);
    std::vector<VkExtensionProperties> list(n);
    vkEnumerateDeviceExtensionProperties(d, nullptr, &n, list.data());
    for (const auto& e : list)
      if (!std::strcmp(e.extensionName, name)) return true;
    return false;
  }

  VkInstance instance = VK_NULL_HANDLE;
  std::vector<VkPhysicalDevice> devices;
  VkPhysicalDevice rdp_chip = VK_NULL_HANDLE, radeon = VK_NULL_HANDLE;
};

// The loader sorts the driver's list. Applications that take the first device must get the one with most features, and never the RDP.
TEST_F(AllChips, TheMostCapableIsFirstAndTheRdpLast) {
  std::vector<std::string> names;
  uint32_t last = 0;
  for (VkPhysicalDevice d : devices) {
    VkPhysicalDeviceProperties p;
    vkGetPhysicalDeviceProperties(d, &p);
    names.push_back(p.deviceName);
    EXPECT_LT(last, p.vendorID ^ p.deviceID) << p.deviceName;  // the order of the loader, which must be that of the table
    last = p.vendorID ^ p.deviceID;
  }
  EXPECT_EQ(names[0], "Pumice R5xx with extension blocks");
  EXPECT_EQ(names[1], "Pumice R500 (strict)");
  EXPECT_EQ(names.back(), "Pumice Ultra64 RDP");
  for (size_t i = 0; i + 1 < devices.size(); ++i) EXPECT_FALSE(has(devices[i], VK_PUMICE_RDP_EXTENSION_NAME)) << names[i];
}

TEST_F(AllChips, TheExtensionIsTheRdpsAlone) {
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
  const char* extension = VK_PUMICE_RDP_EXTENSION_NAME;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1;
  di.pQueueCreateInfos = &qi;
  di.enabledExtensionCount = 1;
  di.ppEnabledExtensionNames = &extension;
  VkDevice d;
  EXPECT_EQ(VK_ERROR_EXTENSION_NOT_PRESENT, vkCreateDevice(radeon, &di, nullptr, &d));
  Device r;
  r.create(radeon, nullptr);
  EXPECT_FALSE(vkGetDeviceProcAddr(r.handle, "vkCmdExecuteRdpListPUMICE"));
  r.destroy();
  // Not even on an RDP, unless it is enabled.
  r.create(rdp_chip, nullptr);
  EXPECT_FALSE(vkGetDeviceProcAddr(r.handle, "vkCmdExecuteRdpListPUMICE"));
  r.destroy();
}

TEST_F(AllChips, DevicesDoNotDisturbEachOther) {
  Device a, b, c;
  a.create(rdp_chip, VK_PUMICE_RDP_EXTENSION_NAME);
  b.create(rdp_chip, VK_PUMICE_RDP_EXTENSION_NAME);
  c.create(radeon, nullptr);
  std::thread one([&] {
    for (int i = 0; i < 50; ++i) a.fill_by_list(0x1111);
  });
  std::thread two([&] {
    for (int i = 0; i < 50; ++i) b.fill_by_list(0x2222);
  });
  for (int i = 0; i < 50; ++i) c.run([&](VkCommandBuffer cb) { c.f.vkCmdFillBuffer(cb, c.buffer, 0, 8192, 0x33333333); });
  one.join();
  two.join();
  for (uint32_t i = 0; i < 8192; ++i) {
    ASSERT_EQ(a.map[i], 0x11) << i;
    ASSERT_EQ(b.map[i], 0x22) << i;
    ASSERT_EQ(c.map[i], 0x33) << i;
  }
  a.destroy();
  b.destroy();
  c.destroy();
}

}  // namespace
}  // namespace vktest
