// SPDX-License-Identifier: MIT
/// The version of the driver. Those of Vulkan, kInstanceVersion and device_version(), come from gen/extensions.py.
#pragma once
#include <vulkan/vulkan_core.h>

namespace pumice::icd {

/// Of the project, from the build: major, minor, patch.
inline constexpr uint32_t kVersion[] = {PUMICE_VERSION};
/// VkPhysicalDeviceProperties::driverVersion.
inline constexpr uint32_t kDriverVersion = VK_MAKE_API_VERSION(0, kVersion[0], kVersion[1], kVersion[2]);

}  // namespace pumice::icd
