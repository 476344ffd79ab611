// SPDX-License-Identifier: MIT
/// An application for doctor_test.py: each argument is a request. It ends in silence at the first refusal, as
/// applications do: exit code 3.
#include <unistd.h>
#include <volk.h>

#include <cstring>

int main(int argc, char** argv) {
  VkApplicationInfo app{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  app.pApplicationName = "probe \"one\"";
  app.apiVersion = VK_API_VERSION_1_0;
  VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  ii.pApplicationInfo = &app;
  VkPhysicalDeviceFeatures features{};
  const char* extension = "VK_KHR_ray_query";
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
  VkPhysicalDeviceVulkan12Features next{};
  next.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceTimelineSemaphoreFeatures known{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, &next, VK_TRUE};
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1;
  di.pQueueCreateInfos = &qi;
  di.pEnabledFeatures = &features;
  di.ppEnabledExtensionNames = &extension;
  bool compute = false, forever = false, crash = false;
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* word) { return !std::strcmp(argv[i], word); };
    if (is("version")) app.apiVersion = VK_API_VERSION_1_3;
    if (is("extension")) di.enabledExtensionCount = 1;
    if (is("feature")) features.tessellationShader = features.wideLines = VK_TRUE;
    if (is("structure")) di.pNext = &next;
    if (is("known structure")) di.pNext = &known;
    if (is("compute")) compute = true;
    if (is("forever")) forever = true;
    if (is("crash")) crash = true;
  }
  VkInstance instance;
  if (volkInitialize() != VK_SUCCESS || vkCreateInstance(&ii, nullptr, &instance) != VK_SUCCESS) return 3;
  volkLoadInstance(instance);
  VkPhysicalDevice physical;
  uint32_t count = 1;
  if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count != 1) return 3;
  VkPhysicalDeviceProperties p;
  vkGetPhysicalDeviceProperties(physical, &p);
  if (p.apiVersion < app.apiVersion) return 3;
  VkQueueFamilyProperties family;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, &family);
  if (compute && !(family.queueFlags & VK_QUEUE_COMPUTE_BIT)) return 3;
  VkFormatProperties f;
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_D32_SFLOAT, &f);
  VkDevice device;
  if (vkCreateDevice(physical, &di, nullptr, &device) != VK_SUCCESS) return 3;
  if (crash) _exit(*static_cast<volatile int*>(nullptr));
  while (forever) pause();
  volkLoadDevice(device);
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
  return 0;
}
