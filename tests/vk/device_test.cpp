// SPDX-License-Identifier: MIT
/// Enumeration, honesty of limits and formats, entry points, error paths.
#include <malloc.h>

#include <string>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Device : public Vk {
 protected:
  Device() { instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME}; }
};

/// The loader loads and unloads the driver with each instance. (The runtime's memory for exceptions, 72 KB, stayed behind.)
TEST(Unloading, LeavesNothing) {
  ASSERT_EQ(volkInitialize(), VK_SUCCESS);
  const auto once = [] {
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance;
    ASSERT_EQ(vkCreateInstance(&info, nullptr, &instance), VK_SUCCESS);
    const auto function = [&](const char* name) { return vkGetInstanceProcAddr(instance, name); };
    uint32_t count = 1;
    VkPhysicalDevice device;
    EXPECT_EQ(reinterpret_cast<PFN_vkEnumeratePhysicalDevices>(function("vkEnumeratePhysicalDevices"))(instance, &count, &device),
              VK_SUCCESS);
    reinterpret_cast<PFN_vkDestroyInstance>(function("vkDestroyInstance"))(instance, nullptr);
  };
  const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  constexpr size_t kTimes = 20, kOfTheLoader = 4096;
  for (int i = 0; i < 2; ++i) once();
  const size_t before = used();
  for (size_t i = 0; i < kTimes; ++i) once();
  EXPECT_LT(used(), before + kTimes * kOfTheLoader);
}

TEST_F(Device, SaysWhatItIs) {
  VkPhysicalDeviceProperties p;
  vkGetPhysicalDeviceProperties(physical, &p);
  EXPECT_EQ(VK_API_VERSION_MAJOR(p.apiVersion), 1u);
  EXPECT_EQ(VK_API_VERSION_MINOR(p.apiVersion), 0u);
  EXPECT_EQ(p.deviceType, VK_PHYSICAL_DEVICE_TYPE_CPU);
  EXPECT_NE(std::strstr(p.deviceName, "R500"), nullptr);
  EXPECT_EQ(p.limits.maxImageDimension2D, 4096u);
  EXPECT_EQ(p.limits.maxStorageBufferRange, 0u);
  EXPECT_EQ(p.limits.maxImageArrayLayers, 1u);
  EXPECT_GE(p.limits.maxPushConstantsSize, 128u);
}

TEST_F(Device, HasOneGraphicsQueueFamilyWithoutCompute) {
  uint32_t n = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, nullptr);
  ASSERT_EQ(n, 1u);
  VkQueueFamilyProperties q;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, &q);
  EXPECT_EQ(q.queueFlags, VkQueueFlags{VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT});
  EXPECT_EQ(q.queueCount, 1u);
}

TEST_F(Device, MemoryIsOneCoherentType) {
  VkPhysicalDeviceMemoryProperties m;
  vkGetPhysicalDeviceMemoryProperties(physical, &m);
  ASSERT_EQ(m.memoryTypeCount, 1u);
  EXPECT_TRUE(m.memoryTypes[0].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  EXPECT_TRUE(m.memoryTypes[0].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

TEST_F(Device, ListsAsManyExtensionsAsThereIsRoomFor) {
  uint32_t n = 0;
  VK_OK(vkEnumerateDeviceExtensionProperties(physical, nullptr, &n, nullptr));
  ASSERT_GE(n, 2u);
  std::vector<VkExtensionProperties> all(n), some(n);
  VK_OK(vkEnumerateDeviceExtensionProperties(physical, nullptr, &n, all.data()));
  EXPECT_EQ(n, all.size());
  uint32_t fewer = n - 1;
  EXPECT_EQ(vkEnumerateDeviceExtensionProperties(physical, nullptr, &fewer, some.data()), VK_INCOMPLETE);
  EXPECT_EQ(fewer, n - 1);
  for (uint32_t i = 0; i < fewer; ++i) EXPECT_STREQ(some[i].extensionName, all[i].extensionName);
  EXPECT_EQ(some.back().specVersion, 0u);
  uint32_t none = 0;
  EXPECT_EQ(vkEnumerateDeviceExtensionProperties(physical, nullptr, &none, some.data()), VK_INCOMPLETE);
  EXPECT_EQ(none, 0u);
}

struct FormatCase {
  VkFormat format;
  VkFormatFeatureFlags has, lacks;
  bool vertex;
};

TEST_F(Device, FormatFeatures) {
  constexpr VkFormatFeatureFlags kColor = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, kBlend = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT,
                                 kSampled = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
                                 kLinear = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT,
                                 kDepth = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT, kStorage = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
  const FormatCase cases[] = {
      {VK_FORMAT_R8G8B8A8_UNORM, kColor | kBlend | kSampled | kLinear, kStorage | kDepth, true},
      {VK_FORMAT_B8G8R8A8_SRGB, kColor | kSampled | kLinear, kStorage, false},
      {VK_FORMAT_R16G16B16A16_SFLOAT, kColor | kBlend | kSampled, kLinear, true},
      {VK_FORMAT_D16_UNORM, kDepth | kSampled, kColor, false},
      {VK_FORMAT_D24_UNORM_S8_UINT, kDepth | kSampled, kColor, false},
      {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, kSampled | kLinear, kColor, false},
      {VK_FORMAT_R32_UINT, 0, kSampled | kColor, true},
      {VK_FORMAT_R32G32B32_SFLOAT, 0, kSampled | kColor, true},
      {VK_FORMAT_BC7_UNORM_BLOCK, 0, kSampled, false},
  };
  for (const FormatCase& c : cases) {
    VkFormatProperties p;
    vkGetPhysicalDeviceFormatProperties(physical, c.format, &p);
    EXPECT_EQ(p.optimalTilingFeatures & c.has, c.has) << c.format;
    EXPECT_EQ(p.optimalTilingFeatures & c.lacks, 0u) << c.format;
    EXPECT_EQ((p.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) != 0, c.vertex) << c.format;
  }
}

TEST_F(Device, ImageFormatsAreRefusedThatItCannotDo) {
  VkImageFormatProperties p;
  EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED,
            vkGetPhysicalDeviceImageFormatProperties(physical, VK_FORMAT_R32_UINT, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                     VK_IMAGE_USAGE_SAMPLED_BIT, 0, &p));
  EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED,
            vkGetPhysicalDeviceImageFormatProperties(physical, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                     VK_IMAGE_USAGE_STORAGE_BIT, 0, &p));
  VK_OK(vkGetPhysicalDeviceImageFormatProperties(physical, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                 VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT, &p));
  EXPECT_EQ(p.maxArrayLayers, 6u);
  EXPECT_EQ(p.sampleCounts, VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT});
}

bool all_zero(const VkImageFormatProperties& p) {
  const VkImageFormatProperties zero{};
  return !std::memcmp(&p.maxExtent, &zero.maxExtent, sizeof p.maxExtent) && !p.maxMipLevels && !p.maxArrayLayers && !p.sampleCounts &&
         !p.maxResourceSize;
}

/// Each of the ways to refuse, with both functions: whatever stood in the structure before is zero afterwards.
TEST_F(Device, ARefusedImageFormatIsZeros) {
  const struct {
    VkFormat format;
    VkImageType type;
    VkImageTiling tiling;
    VkImageUsageFlags usage;
    VkImageCreateFlags flags;
  } cases[] = {
      {VK_FORMAT_D32_SFLOAT, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_STORAGE_BIT, 0},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_CREATE_SPARSE_BINDING_BIT},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_3D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT,
       VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT},
      {VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_1D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0},
      {VK_FORMAT_D16_UNORM, VK_IMAGE_TYPE_3D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_3D, VK_IMAGE_TILING_LINEAR, VK_IMAGE_USAGE_SAMPLED_BIT, 0},
  };
  for (const auto& c : cases) {
    VkImageFormatProperties p;
    std::memset(&p, 0xEE, sizeof p);
    EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED,
              vkGetPhysicalDeviceImageFormatProperties(physical, c.format, c.type, c.tiling, c.usage, c.flags, &p));
    EXPECT_TRUE(all_zero(p)) << &c - cases;
    VkPhysicalDeviceImageFormatInfo2 i{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, nullptr, c.format, c.type, c.tiling, c.usage, c.flags};
    VkImageFormatProperties2 p2{VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, nullptr, {}};
    std::memset(&p2.imageFormatProperties, 0xEE, sizeof p2.imageFormatProperties);
    EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED, vkGetPhysicalDeviceImageFormatProperties2KHR(physical, &i, &p2));
    EXPECT_TRUE(all_zero(p2.imageFormatProperties)) << &c - cases;
  }
}

/// What Vulkan 1.0 gives without a feature bit or a format feature can be made.
TEST_F(Device, WhatNoFeatureGuardsCanBeMade) {
  for (const VkQueryType type : {VK_QUERY_TYPE_OCCLUSION, VK_QUERY_TYPE_TIMESTAMP}) {
    VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, type, 3, 0};
    VkQueryPool q;
    VK_OK(vkCreateQueryPool(device, &qi, nullptr, &q));
    vkDestroyQueryPool(device, q, nullptr);
  }
  for (int mode = VK_SAMPLER_ADDRESS_MODE_REPEAT; mode <= VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER; ++mode)
    for (int border = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK; border <= VK_BORDER_COLOR_INT_OPAQUE_WHITE; ++border) {
      VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
      si.addressModeU = si.addressModeV = si.addressModeW = static_cast<VkSamplerAddressMode>(mode);
      si.borderColor = static_cast<VkBorderColor>(border);
      si.compareEnable = border % 2 == 0;
      si.mipLodBias = 1;
      VkSampler s;
      VK_OK(vkCreateSampler(device, &si, nullptr, &s));
      vkDestroySampler(device, s, nullptr);
    }
  // Layouts and pools may name every type of descriptor; pipelines that use what the chip lacks are refused with the reason.
  for (int type = VK_DESCRIPTOR_TYPE_SAMPLER; type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT; ++type) {
    VkDescriptorSetLayoutBinding binding{0, static_cast<VkDescriptorType>(type), 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo li{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1, &binding};
    VkDescriptorSetLayout l;
    VK_OK(vkCreateDescriptorSetLayout(device, &li, nullptr, &l));
    VkDescriptorPoolSize size{binding.descriptorType, 1};
    VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
    VkDescriptorPool p;
    VK_OK(vkCreateDescriptorPool(device, &pi, nullptr, &p));
    VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, p, 1, &l};
    VkDescriptorSet s;
    VK_OK(vkAllocateDescriptorSets(device, &ai, &s));
    vkDestroyDescriptorPool(device, p, nullptr);
    vkDestroyDescriptorSetLayout(device, l, nullptr);
  }
  for (VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT; usage <= VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT; usage *= 2) {
    VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    bi.size = 100;
    bi.usage = usage;
    VkBuffer b;
    VK_OK(vkCreateBuffer(device, &bi, nullptr, &b));
    vkDestroyBuffer(device, b, nullptr);
  }
  VkEventCreateInfo ei{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent e;
  VK_OK(vkCreateEvent(device, &ei, nullptr, &e));
  vkDestroyEvent(device, e, nullptr);
}

/// What a driver of another version, without another word, would let the application find out by itself.
class Refusals : public Device {
 protected:
  static std::string printed(const std::function<void()>& f) {
    testing::internal::CaptureStderr();
    f();
    return testing::internal::GetCapturedStderr();
  }
  VkResult create(const VkPhysicalDeviceFeatures* features, uint32_t family = 0, uint32_t queues = 1) {
    const float priorities[4] = {1, 1, 1, 1};
    VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, family, queues, priorities};
    VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    di.queueCreateInfoCount = 1;
    di.pQueueCreateInfos = &qi;
    di.pEnabledFeatures = features;
    VkDevice d;
    return vkCreateDevice(physical, &di, nullptr, &d);
  }
};

TEST_F(Refusals, OneLineEachAndOnce) {
  const auto version = [] {
    VkApplicationInfo ai{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    ai.apiVersion = VK_MAKE_API_VERSION(0, 1, 2, 0);
    VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    ii.pApplicationInfo = &ai;
    VkInstance i;
    VK_OK(vkCreateInstance(&ii, nullptr, &i));
    reinterpret_cast<PFN_vkDestroyInstance>(vkGetInstanceProcAddr(i, "vkDestroyInstance"))(i, nullptr);
  };
  VkPhysicalDeviceFeatures features{};
  features.geometryShader = features.sampleRateShading = features.wideLines = VK_TRUE;
  const auto image = [&] {
    VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    ii.imageType = VK_IMAGE_TYPE_2D;
    ii.format = VK_FORMAT_D32_SFLOAT;
    ii.extent = {16, 16, 1};
    ii.mipLevels = ii.arrayLayers = 1;
    ii.samples = VK_SAMPLE_COUNT_1_BIT;
    ii.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    VkImage i;
    EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED, vkCreateImage(device, &ii, nullptr, &i));
  };
  const auto query = [&] {
    VkImageFormatProperties p;
    EXPECT_EQ(VK_ERROR_FORMAT_NOT_SUPPORTED,
              vkGetPhysicalDeviceImageFormatProperties(physical, VK_FORMAT_R32_UINT, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_LINEAR,
                                                       VK_IMAGE_USAGE_STORAGE_BIT, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, &p));
  };
  const auto statistics = [&] {
    VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, VK_QUERY_TYPE_PIPELINE_STATISTICS, 3, 1};
    VkQueryPool q;
    EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateQueryPool(device, &qi, nullptr, &q));
  };
  const auto compute = [&] {
    VkComputePipelineCreateInfo ci{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    VkPipeline p;
    EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &ci, nullptr, &p));
  };
  const struct {
    std::function<void()> ask;
    const char* said;
  } cases[] = {
      {version, "pumice: the application asks for Vulkan 1.2, this device (r500) has 1.0\n"},
      {[&] { EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, create(&features)); },
       "pumice: error: VK_ERROR_FEATURE_NOT_PRESENT: vkCreateDevice: not available on this device (r500): geometryShader, "
       "sampleRateShading\n"},
      {[&] { EXPECT_EQ(VK_ERROR_INITIALIZATION_FAILED, create(nullptr, 1)); },
       "pumice: error: VK_ERROR_INITIALIZATION_FAILED: vkCreateDevice: queues asked for: 1 of family 1; this device (r500) has one, of "
       "family 0\n"},
      {[&] { EXPECT_EQ(VK_ERROR_INITIALIZATION_FAILED, create(nullptr, 0, 3)); },
       "pumice: error: VK_ERROR_INITIALIZATION_FAILED: vkCreateDevice: queues asked for: 3 of family 0; this device (r500) has one, of "
       "family 0\n"},
      {image,
       "pumice: error: VK_ERROR_FORMAT_NOT_SUPPORTED: vkCreateImage: format D32_SFLOAT, type 2D, tiling OPTIMAL, usage "
       "SAMPLED|DEPTH_STENCIL_ATTACHMENT, flags 0 is not available on this device (r500)\n"},
      {query,
       "pumice: format R32_UINT, type 2D, tiling LINEAR, usage STORAGE, flags MUTABLE_FORMAT is not available on this device (r500)\n"},
      {statistics,
       "pumice: error: VK_ERROR_FEATURE_NOT_PRESENT: vkCreateQueryPool: queries of type PIPELINE_STATISTICS are not available on this "
       "device (r500); the chip counts Z passes only\n"},
      {compute,
       "pumice: error: VK_ERROR_FEATURE_NOT_PRESENT: vkCreateComputePipelines: the chip of this device (r500) has no compute stage\n"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(printed(c.ask), c.said);
    EXPECT_EQ(printed(c.ask), "") << "again: " << c.said;
  }
}

TEST_F(Refusals, AnInstanceHandsOverTheVersionAskedFor) {
  uint32_t version = 0;
  VK_OK(vkEnumerateInstanceVersion(&version));
  EXPECT_GE(VK_API_VERSION_MINOR(version), 1u);  // the loader's own, at least
  uint32_t n = 0;
  VkApplicationInfo ai{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  ai.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  ii.pApplicationInfo = &ai;
  VkInstance i;
  VK_OK(vkCreateInstance(&ii, nullptr, &i));
  const auto function = [&](const char* name) { return vkGetInstanceProcAddr(i, name); };
  const auto groups = reinterpret_cast<PFN_vkEnumeratePhysicalDeviceGroups>(function("vkEnumeratePhysicalDeviceGroups"));
  ASSERT_TRUE(groups);
  VK_OK(groups(i, &n, nullptr));
  ASSERT_EQ(n, 1u);
  VkPhysicalDeviceGroupProperties g{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES, nullptr, 0, {}, 0};
  VK_OK(groups(i, &n, &g));
  EXPECT_EQ(g.physicalDeviceCount, 1u);
  VkPhysicalDeviceProperties p;
  reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(function("vkGetPhysicalDeviceProperties"))(g.physicalDevices[0], &p);
  EXPECT_EQ(VK_API_VERSION_MINOR(p.apiVersion), 0u);
  reinterpret_cast<PFN_vkDestroyInstance>(function("vkDestroyInstance"))(i, nullptr);
}

TEST_F(Device, UnknownExtensionsAndFeaturesAreRefused) {
  const char* name = "VK_KHR_ray_query";
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1;
  qi.pQueuePriorities = &priority;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1;
  di.pQueueCreateInfos = &qi;
  di.enabledExtensionCount = 1;
  di.ppEnabledExtensionNames = &name;
  VkDevice d;
  EXPECT_EQ(VK_ERROR_EXTENSION_NOT_PRESENT, vkCreateDevice(physical, &di, nullptr, &d));
  di.enabledExtensionCount = 0;
  VkPhysicalDeviceFeatures f{};
  f.geometryShader = VK_TRUE;
  di.pEnabledFeatures = &f;
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateDevice(physical, &di, nullptr, &d));
}

TEST_F(Device, FunctionsOfDisabledExtensionsAreNull) {
  EXPECT_NE(nullptr, vkGetDeviceProcAddr(device, "vkCmdDraw"));
  EXPECT_EQ(nullptr, vkGetDeviceProcAddr(device, "vkCreateSwapchainKHR"));
  EXPECT_EQ(nullptr, vkGetDeviceProcAddr(device, "vkCmdDrawMeshTasksEXT"));
  EXPECT_EQ(nullptr, vkGetDeviceProcAddr(device, "vkNoSuchThing"));
}

TEST_F(Device, OnlyWholeNamesAreFunctions) {
  const std::string whole = "vkCmdDrawIndexedIndirect";
  for (size_t n = 0; n < whole.size(); ++n) {
    const std::string part = whole.substr(0, n);
    EXPECT_EQ(part == "vkCmdDraw" || part == "vkCmdDrawIndexed", vkGetDeviceProcAddr(device, part.c_str()) != nullptr) << part;
  }
  EXPECT_NE(nullptr, vkGetDeviceProcAddr(device, whole.c_str()));
  EXPECT_EQ(nullptr, vkGetDeviceProcAddr(device, (whole + whole).c_str()));
  EXPECT_EQ(nullptr, vkGetDeviceProcAddr(device, std::string(100000, 'v').c_str()));
}

TEST_F(Device, TwoDevicesLiveSideBySide) {
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1;
  qi.pQueuePriorities = &priority;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1;
  di.pQueueCreateInfos = &qi;
  VkDevice second;
  VK_OK(vkCreateDevice(physical, &di, nullptr, &second));
  Buffer b = buffer(64);
  run([&](VkCommandBuffer c) { vkCmdFillBuffer(c, b.handle, 0, 64, 7); });
  EXPECT_EQ(b.as<uint32_t>()[15], 7u);
  vkDestroyDevice(second, nullptr);
}

TEST_F(Device, ComputePipelinesAreRefused) {
  VkComputePipelineCreateInfo ci{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  VkPipeline p = reinterpret_cast<VkPipeline>(1);
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &ci, nullptr, &p));
  EXPECT_EQ(p, VkPipeline{VK_NULL_HANDLE});
}

TEST_F(Device, PipelineCacheDataIsItsHeader) {
  VkPipelineCacheCreateInfo ci{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache;
  VK_OK(vkCreatePipelineCache(device, &ci, nullptr, &cache));
  size_t size = 0;
  VK_OK(vkGetPipelineCacheData(device, cache, &size, nullptr));
  VkPipelineCacheHeaderVersionOne header{};
  ASSERT_EQ(size, sizeof header);
  VK_OK(vkGetPipelineCacheData(device, cache, &size, &header));
  VkPhysicalDeviceProperties p;
  vkGetPhysicalDeviceProperties(physical, &p);
  EXPECT_EQ(header.headerVersion, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
  EXPECT_EQ(header.deviceID, p.deviceID);
  EXPECT_EQ(0, std::memcmp(header.pipelineCacheUUID, p.pipelineCacheUUID, VK_UUID_SIZE));
  vkDestroyPipelineCache(device, cache, nullptr);
}

TEST(Instance, ApplicationAllocatorIsUsedAndBalanced) {
  ASSERT_EQ(VK_SUCCESS, volkInitialize());
  int live = 0;
  VkAllocationCallbacks a{};
  a.pUserData = &live;
  a.pfnAllocation = [](void* user, size_t size, size_t align, VkSystemAllocationScope) {
    ++*static_cast<int*>(user);
    return std::aligned_alloc(align, (size + align - 1) / align * align);
  };
  a.pfnReallocation = [](void* user, void* old, size_t size, size_t, VkSystemAllocationScope) {
    if (!old) ++*static_cast<int*>(user);
    return std::realloc(old, size);
  };
  a.pfnFree = [](void* user, void* p) {
    if (p) --*static_cast<int*>(user);
    std::free(p);
  };
  VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance i;
  ASSERT_EQ(VK_SUCCESS, vkCreateInstance(&ii, &a, &i));
  volkLoadInstance(i);
  EXPECT_GT(live, 0);
  vkDestroyInstance(i, &a);
  EXPECT_EQ(live, 0);
}

TEST(Instance, MessengersHearReports) {
  ASSERT_EQ(VK_SUCCESS, volkInitialize());
  const char* name = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  ii.enabledExtensionCount = 1;
  ii.ppEnabledExtensionNames = &name;
  VkInstance i;
  ASSERT_EQ(VK_SUCCESS, vkCreateInstance(&ii, nullptr, &i));
  volkLoadInstance(i);
  std::string heard;
  VkDebugUtilsMessengerCreateInfoEXT mi{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  mi.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  mi.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  mi.pUserData = &heard;
  mi.pfnUserCallback = [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                          const VkDebugUtilsMessengerCallbackDataEXT* d, void* user) {
    *static_cast<std::string*>(user) += d->pMessage;
    return VkBool32{VK_FALSE};
  };
  VkDebugUtilsMessengerEXT m;
  ASSERT_EQ(VK_SUCCESS, vkCreateDebugUtilsMessengerEXT(i, &mi, nullptr, &m));
  uint32_t n = 1;
  VkPhysicalDevice p;
  ASSERT_EQ(VK_SUCCESS, vkEnumeratePhysicalDevices(i, &n, &p));
  const char* nothing = "VK_KHR_ray_query";
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.enabledExtensionCount = 1;
  di.ppEnabledExtensionNames = &nothing;
  VkDevice d;
  EXPECT_EQ(VK_ERROR_EXTENSION_NOT_PRESENT, vkCreateDevice(p, &di, nullptr, &d));
  EXPECT_NE(heard.find("VK_KHR_ray_query"), std::string::npos);
  vkDestroyDebugUtilsMessengerEXT(i, m, nullptr);
  vkDestroyInstance(i, nullptr);
}

}  // namespace
}  // namespace vktest
