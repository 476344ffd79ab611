// SPDX-License-Identifier: MIT
// The platform headers declare the handle types that vk_icd.h puts into its surface structures.
#include <X11/Xlib.h>
#include <vulkan/vk_icd.h>
#include <xcb/xcb.h>
// Xlib defines macros that collide with identifiers elsewhere.
#undef None
#undef Success
#undef Status

#include <algorithm>
#include <iterator>
#include <new>
#include <type_traits>
#include <vector>

#include "icd/physical_device.h"
#include "icd/surface.h"

namespace pumice::icd {
namespace {

// Where no refreshes are reported every frame is late: FIFO_RELAXED is FIFO.
constexpr VkPresentModeKHR kAllModes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR,
                                          VK_PRESENT_MODE_FIFO_RELAXED_KHR};
constexpr std::span<const VkPresentModeKHR> kTearFree = std::span(kAllModes).first(2);  // a Wayland compositor shows whole frames only
constexpr VkCompositeAlphaFlagsKHR kWindowsOwn = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
constexpr VkCompositeAlphaFlagsKHR kBlended = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR;

// A compositor keeps the image on display and the next one.
constexpr SurfaceTraits kPlatforms[] = {{VK_ICD_WSI_PLATFORM_XCB, "xcb", 2, kAllModes, kWindowsOwn},
                                        {VK_ICD_WSI_PLATFORM_XLIB, "xlib", 2, kAllModes, kWindowsOwn},
                                        {VK_ICD_WSI_PLATFORM_WAYLAND, "wayland", 3, kTearFree, kBlended},
                                        {VK_ICD_WSI_PLATFORM_HEADLESS, "headless", 2, kAllModes, kWindowsOwn}};
constexpr SurfaceTraits kUnknown = {{}, nullptr, 2, kAllModes, kWindowsOwn};

std::vector<VkSurfaceFormatKHR> surface_formats(VkPhysicalDevice device) {
  std::vector<VkSurfaceFormatKHR> list;
  for (const VkFormat format : from<PhysicalDevice>(device)->chip.surface_formats)
    list.push_back({format, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR});
  return list;
}

VkResult query_capabilities(PhysicalDevice& physical, VkSurfaceKHR surface, VkSurfaceCapabilitiesKHR* out) {
  std::string error;
  const auto window = open_surface(surface, error);
  if (!window) return report(&physical, VK_ERROR_SURFACE_LOST_KHR, "%s", error.c_str());
  if (window->lost()) return report(&physical, VK_ERROR_SURFACE_LOST_KHR, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR: the window is gone");
  *out = surface_capabilities(surface_traits(surface), window->extent(), physical.chip.limits.maxImageDimension2D,
                              physical.chip.surface_usage);
  return VK_SUCCESS;
}

/// The layouts of vk_icd.h, as loaders use them: open_surface() reads surfaces of either origin. Debian's loader (1.3.239) creates surfaces
/// for drivers that do not; the loader in Chromium 156 reports them as not presentable by such drivers.
constexpr size_t kSurfaceAlign = alignof(void*);

template <class T>
VkResult create_surface(const T& surface, const VkAllocationCallbacks* allocator, VkSurfaceKHR* out) {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kSurfaceAlign);
  void* const memory = host_allocate(allocator, sizeof(T), kSurfaceAlign, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
  if (!memory) return VK_ERROR_OUT_OF_HOST_MEMORY;
  *out = reinterpret_cast<VkSurfaceKHR>(new (memory) T(surface));
  return VK_SUCCESS;
}

}  // namespace

std::unique_ptr<winsys::Surface> open_surface(VkSurfaceKHR surface, std::string& error) {
  const auto* base = reinterpret_cast<const VkIcdSurfaceBase*>(surface);
  switch (base->platform) {
    case VK_ICD_WSI_PLATFORM_XCB: {
      const auto* s = reinterpret_cast<const VkIcdSurfaceXcb*>(base);
      return winsys::create_xcb_surface(s->connection, s->window, error);
    }
    case VK_ICD_WSI_PLATFORM_XLIB: {
      const auto* s = reinterpret_cast<const VkIcdSurfaceXlib*>(base);
      return winsys::create_xlib_surface(s->dpy, s->window, error);
    }
    case VK_ICD_WSI_PLATFORM_WAYLAND: {
      const auto* s = reinterpret_cast<const VkIcdSurfaceWayland*>(base);
      return winsys::create_wayland_surface(s->display, s->surface, error);
    }
    case VK_ICD_WSI_PLATFORM_HEADLESS: return winsys::create_headless_surface();
    default:
      error = "surface platform " + std::to_string(base->platform) + " is not supported (these are:";
      for (const SurfaceTraits& p : kPlatforms) error.append(" ").append(p.name);
      error += ")";
      return nullptr;
  }
}

const SurfaceTraits& surface_traits(VkSurfaceKHR surface) {
  const VkIcdWsiPlatform platform = reinterpret_cast<const VkIcdSurfaceBase*>(surface)->platform;
  const auto row = std::find_if(std::begin(kPlatforms), std::end(kPlatforms), [&](const auto& p) { return p.platform == platform; });
  return row == std::end(kPlatforms) ? kUnknown : *row;
}

VkSurfaceCapabilitiesKHR surface_capabilities(const SurfaceTraits& traits, winsys::Extent current, uint32_t max_extent,
                                              VkImageUsageFlags usage) {
  VkSurfaceCapabilitiesKHR c{};
  c.minImageCount = traits.min_images;
  c.maxImageCount = 0;  // memory is the only limit
  c.currentExtent = {current.width, current.height};
  const bool chosen_by_swapchain = current.width == 0xFFFFFFFFu;
  c.minImageExtent = chosen_by_swapchain ? VkExtent2D{1, 1} : c.currentExtent;
  c.maxImageExtent = chosen_by_swapchain ? VkExtent2D{max_extent, max_extent} : c.currentExtent;
  c.maxImageArrayLayers = 1;
  c.supportedTransforms = c.currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  c.supportedCompositeAlpha = traits.alpha;
  c.supportedUsageFlags = usage;
  return c;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice, uint32_t, VkSurfaceKHR surface,
                                                                     VkBool32* supported) {
  *supported = surface_traits(surface).name != nullptr;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                                                          VkSurfaceCapabilitiesKHR* out) {
  return query_capabilities(*from<PhysicalDevice>(physical), surface, out);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceSurfaceCapabilities2KHR(VkPhysicalDevice physical,
                                                                           const VkPhysicalDeviceSurfaceInfo2KHR* info,
                                                                           VkSurfaceCapabilities2KHR* out) {
  for (auto* b = static_cast<VkBaseOutStructure*>(out->pNext); b; b = b->pNext)
    if (b->sType == VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR)
      reinterpret_cast<VkSurfaceProtectedCapabilitiesKHR*>(b)->supportsProtected = VK_FALSE;
  return query_capabilities(*from<PhysicalDevice>(physical), info->surface, &out->surfaceCapabilities);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice device, VkSurfaceKHR, uint32_t* count,
                                                                     VkSurfaceFormatKHR* out) {
  const auto list = surface_formats(device);
  return write_list(count, out, list.data(), static_cast<uint32_t>(list.size()));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice device, const VkPhysicalDeviceSurfaceInfo2KHR*,
                                                                      uint32_t* count, VkSurfaceFormat2KHR* out) {
  const auto list = surface_formats(device);
  const auto size = static_cast<uint32_t>(list.size());
  if (!out) {
    *count = size;
    return VK_SUCCESS;
  }
  const uint32_t n = std::min(*count, size);
  for (uint32_t i = 0; i < n; ++i) out[i].surfaceFormat = list[i];  // sType and pNext are the application's
  *count = n;
  return n < size ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice, VkSurfaceKHR surface, uint32_t* count,
                                                                          VkPresentModeKHR* out) {
  const auto modes = surface_traits(surface).modes;
  return write_list(count, out, modes.data(), static_cast<uint32_t>(modes.size()));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateXcbSurfaceKHR(VkInstance, const VkXcbSurfaceCreateInfoKHR* info,
                                                      const VkAllocationCallbacks* allocator, VkSurfaceKHR* out) {
  return create_surface(VkIcdSurfaceXcb{{VK_ICD_WSI_PLATFORM_XCB}, info->connection, info->window}, allocator, out);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateXlibSurfaceKHR(VkInstance, const VkXlibSurfaceCreateInfoKHR* info,
                                                       const VkAllocationCallbacks* allocator, VkSurfaceKHR* out) {
  return create_surface(VkIcdSurfaceXlib{{VK_ICD_WSI_PLATFORM_XLIB}, info->dpy, info->window}, allocator, out);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateWaylandSurfaceKHR(VkInstance, const VkWaylandSurfaceCreateInfoKHR* info,
                                                          const VkAllocationCallbacks* allocator, VkSurfaceKHR* out) {
  return create_surface(VkIcdSurfaceWayland{{VK_ICD_WSI_PLATFORM_WAYLAND}, info->display, info->surface}, allocator, out);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateHeadlessSurfaceEXT(VkInstance, const VkHeadlessSurfaceCreateInfoEXT*,
                                                           const VkAllocationCallbacks* allocator, VkSurfaceKHR* out) {
  return create_surface(VkIcdSurfaceHeadless{{VK_ICD_WSI_PLATFORM_HEADLESS}}, allocator, out);
}

VKAPI_ATTR void VKAPI_CALL pm_DestroySurfaceKHR(VkInstance, VkSurfaceKHR surface, const VkAllocationCallbacks* allocator) {
  if (surface) host_free(allocator, reinterpret_cast<void*>(surface), kSurfaceAlign);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t* count,
                                                                        VkRect2D* out) {
  VkSurfaceCapabilitiesKHR c;
  if (const VkResult r = query_capabilities(*from<PhysicalDevice>(physical), surface, &c); r != VK_SUCCESS) return r;
  const VkRect2D whole{{0, 0}, c.currentExtent};
  return write_list(count, out, &whole, 1);
}

VKAPI_ATTR VkBool32 VKAPI_CALL pm_GetPhysicalDeviceWaylandPresentationSupportKHR(VkPhysicalDevice, uint32_t, wl_display* display) {
  return winsys::wayland_display_supported(display);
}

VKAPI_ATTR VkBool32 VKAPI_CALL pm_GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice, uint32_t, xcb_connection_t* connection,
                                                                             xcb_visualid_t visual) {
  return winsys::xcb_visual_supported(connection, visual);
}

VKAPI_ATTR VkBool32 VKAPI_CALL pm_GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice, uint32_t, Display* display,
                                                                              VisualID visual) {
  return winsys::xlib_visual_supported(display, visual);
}

}  // namespace pumice::icd
