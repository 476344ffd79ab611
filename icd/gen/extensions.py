# SPDX-License-Identifier: MIT
"""The one table of what the driver exposes. An extension is a row here and the functions it names in vk.xml.

Rows: registry name. Everything else (functions, spec version, kind) comes from vk.xml.
"""

API_VERSION = "VK_VERSION_1_0"

INSTANCE = [
    "VK_KHR_surface",
    "VK_KHR_xcb_surface",
    "VK_KHR_xlib_surface",
    "VK_EXT_headless_surface",
    "VK_KHR_get_physical_device_properties2",
    "VK_KHR_get_surface_capabilities2",
    "VK_EXT_debug_utils",
]

DEVICE = [
    "VK_KHR_swapchain",
    "VK_KHR_maintenance1",
]
