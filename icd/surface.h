// SPDX-License-Identifier: MIT
/// VkSurfaceKHR. The loader owns surfaces (VkIcdSurface*, loader interface version 3 and later); the driver reads their
/// platform handles and queries the window system.
#pragma once
#include <memory>
#include <string>

#include "icd/object.h"
#include "winsys/winsys.h"

namespace pumice::icd {

/// The window behind a surface. Null when its platform is not supported or its library is missing; `error` says why.
std::unique_ptr<winsys::Surface> open_surface(VkSurfaceKHR surface, std::string& error);

/// Whether the driver can present to surfaces of this platform.
bool surface_supported(VkSurfaceKHR surface);

/// What every surface of this driver can do, with the window's present extent filled in.
VkSurfaceCapabilitiesKHR surface_capabilities(winsys::Extent current, uint32_t max_extent, VkImageUsageFlags usage);

}  // namespace pumice::icd
