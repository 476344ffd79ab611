// SPDX-License-Identifier: MIT
/// The version of the driver. Those of Vulkan, kInstanceVersion and kDeviceVersion, come from gen/extensions.py.
#pragma once
#include <vulkan/vulkan_core.h>

namespace pumice::icd {

constexpr uint32_t make_version(uint32_t major, uint32_t minor, uint32_t patch) { return VK_MAKE_API_VERSION(0, major, minor, patch); }

/// VkPhysicalDeviceProperties::driverVersion: the project's version.
inline constexpr uint32_t kDriverVersion = make_version(PUMICE_VERSION);

}  // namespace pumice::icd
