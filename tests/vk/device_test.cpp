// SPDX-License-Identifier: MIT
/// Enumeration, honesty of limits and formats, entry points, error paths.
#include <string>

#include "tests/vk/fixture.h"

namespace vktest {
namespace {

class Device : public Vk {};

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
