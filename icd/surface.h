// SPDX-License-Identifier: MIT
/// VkSurfaceKHR. The loader owns surfaces (VkIcdSurface*, loader interface version 3 and later); the driver reads their
/// platform handles and queries the window system.
#pragma once
#include <vulkan/vk_icd.h>

#include <memory>
#include <span>
#include <string>

#include "icd/object.h"
#include "winsys/winsys.h"

namespace pumice::icd {

/// The window behind a surface. Null when its platform is not supported or its library is missing; `error` says why.
std::unique_ptr<winsys::Surface> open_surface(VkSurfaceKHR surface, std::string& error);

/// What differs between the platforms' surfaces.
struct SurfaceTraits {
  VkIcdWsiPlatform platform;
  const char* name;  ///< null: the driver cannot present to surfaces of this platform
  /// As many images as a window system may keep at a time, and one.
  uint32_t min_images;
  std::span<const VkPresentModeKHR> modes;
  VkCompositeAlphaFlagsKHR alpha;
};
const SurfaceTraits& surface_traits(VkSurfaceKHR surface);

/// What the surface can do, with the window's present extent filled in.
VkSurfaceCapabilitiesKHR surface_capabilities(const SurfaceTraits& traits, winsys::Extent current, uint32_t max_extent,
                                              VkImageUsageFlags usage);

}  // namespace pumice::icd
