// SPDX-License-Identifier: MIT
/// The one place that holds volk's function pointers.
#define VK_USE_PLATFORM_XCB_KHR
#include <xcb/xcb.h>
#define VOLK_IMPLEMENTATION
#include <volk.h>
