// SPDX-License-Identifier: MIT
/// Versions that the driver tells.
#pragma once
#include <vulkan/vulkan_core.h>

namespace pumice::icd {

/// Of the project, from the build: major, minor, patch.
inline constexpr uint32_t kVersion[] = {PUMICE_VERSION};
/// VkPhysicalDeviceProperties::driverVersion.
inline constexpr uint32_t kDriverVersion = VK_MAKE_API_VERSION(0, kVersion[0], kVersion[1], kVersion[2]);

/// Of functions on instances (vkEnumerateInstanceVersion). It is above that of the devices so that the loader hands over the version that
/// the application asks for instead of 1.0, and the driver can say what the application does not get.
inline constexpr uint32_t kInstanceVersion = VK_MAKE_API_VERSION(0, 1, 1, VK_HEADER_VERSION);

/// VkPhysicalDeviceProperties::apiVersion of the strict chips and of the RDP.
inline constexpr uint32_t kVulkan10 = VK_MAKE_API_VERSION(0, 1, 0, VK_HEADER_VERSION);

}  // namespace pumice::icd
