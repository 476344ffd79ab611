// SPDX-License-Identifier: MIT
/// The RDP's Vulkan device: what it says of itself, and command lists, byte for byte what the chip does without Vulkan.
#include <set>

#include "hw/rdp/tools/random_list.h"
#include "tests/vk/rdp_fixture.h"

namespace vktest {
namespace {

constexpr uint32_t kRdram = 8u << 20;

class RdpDevice : public RdpVk {};

TEST_F(RdpDevice, SaysWhatItIs) {
  VkPhysicalDeviceRdpPropertiesPUMICE r{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RDP_PROPERTIES_PUMICE};
  VkPhysicalDeviceProperties2 p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &r};
  vkGetPhysicalDeviceProperties2KHR(physical, &p);
  EXPECT_STREQ(p.properties.deviceName, "Pumice Ultra64 RDP");
  EXPECT_EQ(r.rdramSize, kRdram);
  EXPECT_EQ(r.maxRdramSize, 16u << 20);
  EXPECT_EQ(r.listAlignment, 8u);
  EXPECT_EQ(r.imageAlignment, 64u);
  uint32_t n = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, nullptr);
  ASSERT_EQ(n, 1u);
  VkQueueFamilyProperties q;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, &q);
  EXPECT_EQ(q.queueFlags, VkQueueFlags{VK_QUEUE_TRANSFER_BIT});
  VkPhysicalDeviceMemoryProperties m;
  vkGetPhysicalDeviceMemoryProperties(physical, &m);
  EXPECT_EQ(m.memoryHeaps[0].size, kRdram);
  VkPhysicalDeviceFeatures f, none{};
  vkGetPhysicalDeviceFeatures(physical, &f);
  EXPECT_EQ(0, std::memcmp(&f, &none, sizeof f));
  VkFormatProperties fp;
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_R8G8B8A8_UNORM, &fp);
  EXPECT_TRUE(fp.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
  EXPECT_FALSE(fp.optimalTilingFeatures & (VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT));
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_D16_UNORM, &fp);
  EXPECT_EQ(fp.optimalTilingFeatures, 0u);
}

TEST_F(RdpDevice, ExtensionIsAdvertised) {
  uint32_t n = 0;
  VK_OK(vkEnumerateDeviceExtensionProperties(physical, nullptr, &n, nullptr));
  std::vector<VkExtensionProperties> list(n);
  VK_OK(vkEnumerateDeviceExtensionProperties(physical, nullptr, &n, list.data()));
  std::set<std::string> names;
  for (const auto& e : list) names.insert(e.extensionName);
  EXPECT_EQ(names, (std::set<std::string>{"VK_KHR_swapchain", "VK_KHR_maintenance1", "VK_PUMICE_rdp"}));
}

TEST_F(RdpDevice, RefusesWhatTheChipHasNot) {
  VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler s;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateSampler(device, &si, nullptr, &s));
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  VkRenderPass r;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateRenderPass(device, &ri, nullptr, &r));
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, 1};
  VkQueryPool q;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateQueryPool(device, &qi, nullptr, &q));
  // No feature guards these; the queue has nothing to write them with.
  for (const VkQueryType type : {VK_QUERY_TYPE_TIMESTAMP, VK_QUERY_TYPE_OCCLUSION}) {
    qi.queryType = type;
    VK_OK(vkCreateQueryPool(device, &qi, nullptr, &q));
    vkDestroyQueryPool(device, q, nullptr);
  }
  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                       nullptr,
                       0,
                       VK_IMAGE_TYPE_2D,
                       VK_FORMAT_R8G8B8A8_UNORM,
                       {16, 16, 1},
                       1,
                       1,
                       VK_SAMPLE_COUNT_1_BIT,
                       VK_IMAGE_TILING_OPTIMAL,
                       VK_IMAGE_USAGE_SAMPLED_BIT};
  VkImage i;
  EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED, vkCreateImage(device, &ii, nullptr, &i));
  vkDestroySampler(device, VK_NULL_HANDLE, nullptr);
  VkCommandBuffer c = command_buffer();
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  vkCmdDraw(c, 3, 1, 0, 0);
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkEndCommandBuffer(c));
  EXPECT_NE(said.find("vkCmdDraw"), std::string::npos) << said;
  VK_OK(vkBeginCommandBuffer(c, &bi));  // recording anew forgets the failure
  VK_OK(vkEndCommandBuffer(c));
}

TEST_F(RdpDevice, MemoryIsRdram) {
  Buffer a = buffer(100), b = buffer(100);
  EXPECT_NE(address(a), 0u);
  EXPECT_EQ(address(a) % 64, 0u);
  EXPECT_NE(address(a), address(b));
  EXPECT_LT(address(b), kRdram);
  EXPECT_EQ(b.map - a.map, static_cast<int64_t>(address(b)) - static_cast<int64_t>(address(a)));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(a.map[i], 0);
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, kRdram, 0};
  VkDeviceMemory m;
  EXPECT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, vkAllocateMemory(device, &ai, nullptr, &m));
}

TEST_F(RdpDevice, FillsARectangle) {
  Buffer picture = buffer(32 * 16 * 2);
  List list;
  clear16(list, address(picture), 32, 16, 0x1234);
  execute(list);
  for (int i = 0; i < 32 * 16; ++i) {
    ASSERT_EQ(picture.map[2 * i], 0x12) << i;
    ASSERT_EQ(picture.map[2 * i + 1], 0x34) << i;
  }
}

/// The words of docs/VK_PUMICE_rdp.md section 8, as they stand there.
TEST_F(RdpDevice, TheExampleOfTheSpecification) {
  Buffer picture = buffer(320 * 240 * 2);
  const uint32_t base = address(picture);
  const uint64_t words[] = {
      0x3F10013F00000000u | base, 0x2D000000005003C0, 0x2F30000000000000, 0x37000000F801F801, 0x364FC3BC00000000, 0x2900000000000000,
  };
  List list;
  list.put(std::span<const uint64_t>(words));
  execute(list);
  for (int i = 0; i < 320 * 240; ++i) ASSERT_EQ(picture.map[2 * i] << 8 | picture.map[2 * i + 1], 0xF801) << i;
}

TEST_F(RdpDevice, RefusesListsOutsideOfTheBuffer) {
  Buffer b = buffer(256);
  struct {
    VkDeviceSize offset, size;
    VkResult result;
  } cases[] = {{0, 256, VK_SUCCESS},
               {248, 8, VK_SUCCESS},
               {0, 0, VK_ERROR_VALIDATION_FAILED_EXT},
               {4, 8, VK_ERROR_VALIDATION_FAILED_EXT},
               {0, 12, VK_ERROR_VALIDATION_FAILED_EXT},
               {256, 8, VK_ERROR_VALIDATION_FAILED_EXT},
               {8, 256, VK_ERROR_VALIDATION_FAILED_EXT},
               {~VkDeviceSize{7}, 16, VK_ERROR_VALIDATION_FAILED_EXT},
               {8, VK_WHOLE_SIZE & ~VkDeviceSize{7}, VK_ERROR_VALIDATION_FAILED_EXT}};
  for (const auto& t : cases) {
    VkCommandBuffer c = command_buffer();
    VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK_OK(vkBeginCommandBuffer(c, &bi));
    cmd_execute(c, b.handle, t.offset, t.size);
    EXPECT_EQ(t.result, vkEndCommandBuffer(c)) << t.offset << " " << t.size;
  }
  // As a layer would hand over: no handle of this driver.
  EXPECT_EQ(get_buffer_address(device, (VkBuffer)0x1234), 0u);
  EXPECT_NE(said.find("no handle of this device"), std::string::npos);
  EXPECT_EQ(get_image_address(device, (VkImage)b.handle), 0u);
}

/// All of RDRAM that Vulkan gives, and the same memory under an RDP without Vulkan.
class RdpTwin : public RdpVk {
 protected:
  static constexpr uint32_t kFirst = 64, kSize = kRdram - 2 * 64, kListAt = 7u << 20;

  void SetUp() override {
    RdpVk::SetUp();
    all_ = buffer(kSize);
    ASSERT_TRUE(all_.map);
    ASSERT_EQ(address(all_), kFirst);
  }

  /// At an RDRAM address; hidden bits as the CPU's writes leave them.
  void write(uint32_t at, std::span<const uint8_t> bytes) {
    std::copy(bytes.begin(), bytes.end(), all_.map + (at - kFirst));
    VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, all_.memory, at - kFirst, bytes.size()};
    VK_OK(vkFlushMappedMemoryRanges(device, 1, &range));
    std::copy(bytes.begin(), bytes.end(), memory_.data() + at);
    twin_.rdram().cpu_wrote(at, static_cast<uint32_t>(bytes.size()));
  }

  void run_both(std::span<const uint64_t> words) {
    std::vector<uint8_t> bytes(words.size() * 8);
    List::store(words, bytes.data());
    write(kListAt, bytes);
    run([&](VkCommandBuffer c) { cmd_execute(c, all_.handle, kListAt - kFirst, bytes.size()); });
    twin_.write(rdp::DPC_START::offset, kListAt);
    twin_.write(rdp::DPC_END::offset, kListAt + static_cast<uint32_t>(bytes.size()));
    // The extension's rule for a command that the list cuts off: zeros follow.
    const std::vector<uint64_t> tail(21);
    twin_.enqueue(tail);
  }

  testing::AssertionResult same() {
    for (uint32_t i = kFirst; i < kFirst + kSize; ++i)
      if (all_.map[i - kFirst] != memory_[i])
        return testing::AssertionFailure() << std::hex << "at " << i << ": " << +all_.map[i - kFirst] << ", without Vulkan " << +memory_[i];
    return testing::AssertionSuccess();
  }

  Buffer all_;
  std::vector<uint8_t> memory_ = std::vector<uint8_t>(kRdram);
  rdp::Rdp twin_{memory_};
};

TEST_F(RdpTwin, TexturedDepthBufferedTriangles) {
  constexpr uint32_t kWidth = 160, kHeight = 120, kColor = 0x10000, kDepth = 0x20000, kTexture = 0x30000;
  std::vector<uint8_t> texels(32 * 32 * 2);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<uint8_t>(i * 37 | 1);
  write(kTexture, texels);
  List list;
  clear16(list, kColor, kWidth, kHeight, 0x0843);
  clear16(list, kDepth, kWidth, kHeight, 0xFFFC);
  list.put(rdp::SetColorImage().size(2).width(kWidth - 1).address(kColor));
  list.put(rdp::SetZImage().address(kDepth));
  list.put(rdp::SetTextureImage().size(2).width(31).address(kTexture));
  list.put(rdp::SetTile().size(2).line(8).tile(7));
  list.put(rdp::LoadTile().tile(7).sh(31 * 4).th(31 * 4));
  list.put(rdp::SetTile().size(2).line(8).mask_s(5).mask_t(5));
  list.put(rdp::SetTileSize().sh(31 * 4).th(31 * 4));
  list.put(rdp::SetCombineMode()
               .sub_a_rgb_0(1)
               .sub_b_rgb_0(8)
               .mul_rgb_0(4)
               .add_rgb_0(7)
               .add_a_0(4)
               .sub_a_a_0(7)
               .sub_b_a_0(7)
               .mul_a_0(7)
               .sub_a_rgb_1(1)
               .sub_b_rgb_1(8)
               .mul_rgb_1(4)
               .add_rgb_1(7)
               .add_a_1(4)
               .sub_a_a_1(7)
               .sub_b_a_1(7)
               .mul_a_1(7));
  list.put(rdp::SetOtherModes()
               .persp_tex_en(1)
               .sample_type(1)
               .bi_lerp_0(1)
               .bi_lerp_1(1)
               .z_compare_en(1)
               .z_update_en(1)
               .image_read_en(1)
               .antialias_en(1)
               .m2b_0(1)
               .m2a_0(1));
  rdp::Random random(7);
  for (int i = 0; i < 40; ++i) {
    std::array<rdp::Vertex, 3> v;
    for (auto& p : v) {
      p = {random.real(-20, 180), random.real(-20, 140), random.real(0, 1),  {},
           random.real(0, 64),    random.real(0, 64),    random.real(0.1, 1)};
      for (auto& channel : p.rgba) channel = random.real(0, 255);
    }
    list.put(rdp::triangle_words(v, {.shade = true, .texture = true, .depth = true, .perspective = true}));
  }
  list.put(rdp::SyncFull());
  run_both(list.words());
  EXPECT_TRUE(same());
  // The test is of something: many colours.
  std::set<uint16_t> colors;
  for (uint32_t i = 0; i < kWidth * kHeight; ++i)
    colors.insert(static_cast<uint16_t>(memory_[kColor + 2 * i] << 8 | memory_[kColor + 2 * i + 1]));
  EXPECT_GT(colors.size(), 500u);
}

TEST_F(RdpTwin, ACommandThatTheListCutsOffEndsInZeros) {
  const auto words = rdp::triangle_words({rdp::Vertex{4, 4}, rdp::Vertex{60, 20}, rdp::Vertex{10, 50}}, {.shade = true, .depth = true});
  List list;
  clear16(list, 0x10000, 64, 64, 0xFFFF);
  list.put(rdp::SetOtherModes().rgb_dither_sel(3));
  list.put(rdp::SetCombineMode().sub_a_rgb_1(8).sub_b_rgb_1(8).mul_rgb_1(16).add_rgb_1(4));
  list.put(std::span(words).first(6));
  run_both(list.words());
  EXPECT_TRUE(same());
  // And the next list begins with a command of its own.
  List next;
  clear16(next, 0x10000, 64, 64, 0x4321);
  run_both(next.words());
  EXPECT_TRUE(same());
  EXPECT_EQ(memory_[0x10000], 0x43);
}

TEST_F(RdpTwin, RandomLists) {
  uint32_t changed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const rdp::RandomList list = rdp::random_list(seed, seed % 3 != 0);
    if (list.memory.size() > kFirst) write(kFirst, std::span(list.memory).subspan(kFirst));
    const std::vector<uint8_t> before = memory_;
    if (!list.words.empty()) run_both(list.words);
    ASSERT_TRUE(same()) << "seed " << seed;
    changed += before != memory_;
  }
  EXPECT_GT(changed, 20u);
}

TEST_F(RdpTwin, NoiseWords) {
  rdp::Random r(1);
  for (int n = 0; n < 40; ++n) {
    std::vector<uint64_t> words(64);
    for (size_t i = 0; i < words.size(); ++i) {
      words[i] = r.bits();
      if (i % 16 == 0) words[i] = rdp::SetScissor().xl(64 + r.below(32)).yl(64 + r.below(32)).raw[0];  // keeps this quick
      if (rdp::opcode(words[i]) == rdp::Op::set_scissor) words[i] &= ~uint64_t{0xF00F00};
    }
    run_both(words);
    ASSERT_TRUE(same()) << n;
  }
}

List hanging_list(uint32_t image) {
  List list;
  list.put(rdp::SetColorImage().size(2).width(31).address(image));
  list.put(rdp::SetScissor().xl(4 * 32).yl(4 * 16));
  list.put(rdp::SetOtherModes().cycle_type(3).image_read_en(1));
  list.put(rdp::FillRectangle().xl(4 * 31).yl(4 * 15));
  return list;
}

TEST_F(RdpDevice, AHangIsReportedAndTheCommandDropped) {
  Buffer picture = buffer(32 * 16 * 2);
  List list = hanging_list(address(picture));
  clear16(list, address(picture), 16, 8, 0x5555);
  execute(list);
  EXPECT_NE(said.find("fill mode with image_read_en"), std::string::npos) << said;
  EXPECT_NE(said.find("fill_rectangle"), std::string::npos) << said;
  EXPECT_EQ(picture.map[0], 0x55);  // what follows is executed
  EXPECT_EQ(picture.map[32 * 15], 0);
}

class RdpStrict : public RdpVk {
 protected:
  RdpStrict() { device_next = &info_; }
  VkDeviceRdpCreateInfoPUMICE info_{VK_STRUCTURE_TYPE_DEVICE_RDP_CREATE_INFO_PUMICE, nullptr,
                                    VK_DEVICE_RDP_CREATE_HANG_LOSES_DEVICE_BIT_PUMICE, 4u << 20};
};

TEST_F(RdpStrict, AHangLosesTheDeviceIfTheApplicationWantsSo) {
  Buffer picture = buffer(32 * 16 * 2);
  Buffer b = list_buffer(hanging_list(address(picture)));
  VkCommandBuffer c = command_buffer();
  VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  cmd_execute(c, b.handle, 0, b.size);
  vkCmdFillBuffer(c, picture.handle, 0, 4, 1);
  VK_OK(vkEndCommandBuffer(c));
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1;
  si.pCommandBuffers = &c;
  VK_OK(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkQueueWaitIdle(queue));
  EXPECT_EQ(VK_ERROR_DEVICE_LOST, vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
  EXPECT_EQ(picture.as<uint32_t>()[0], 0u);  // nothing after the hang ran
}

TEST_F(RdpStrict, SizeOfRdramIsTheApplications) {
  VkMemoryAllocateInfo ai{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 5u << 20, 0};
  VkDeviceMemory m;
  EXPECT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, vkAllocateMemory(device, &ai, nullptr, &m));
  ai.allocationSize = 3u << 20;
  VK_OK(vkAllocateMemory(device, &ai, nullptr, &m));
  vkFreeMemory(device, m, nullptr);
}

}  // namespace
}  // namespace vktest
