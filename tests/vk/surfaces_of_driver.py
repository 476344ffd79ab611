#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The driver without a loader creates surfaces itself, as new loaders want it, and as the loader's own structures.

usage: surfaces_of_driver.py DRIVER
"""
import ctypes
import sys

HEADLESS = 9  # VK_ICD_WSI_PLATFORM_HEADLESS
EXTENSIONS = [b"VK_KHR_surface", b"VK_KHR_xcb_surface", b"VK_KHR_xlib_surface", b"VK_KHR_wayland_surface", b"VK_EXT_headless_surface"]
NAMES = ["vkCreateXcbSurfaceKHR", "vkCreateXlibSurfaceKHR", "vkCreateWaylandSurfaceKHR", "vkCreateHeadlessSurfaceEXT", "vkDestroySurfaceKHR"]


class InstanceCreateInfo(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("next", ctypes.c_void_p), ("flags", ctypes.c_uint32), ("application", ctypes.c_void_p),
                ("layer_count", ctypes.c_uint32), ("layers", ctypes.c_void_p), ("extension_count", ctypes.c_uint32), ("extensions", ctypes.c_void_p)]


def main():
    driver = ctypes.CDLL(sys.argv[1])
    find = driver.vk_icdGetInstanceProcAddr
    find.restype, find.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]

    def function(instance, name, result, *arguments):
        at = find(instance, name.encode())
        assert at, f"the driver has no {name}"
        return ctypes.CFUNCTYPE(result, *arguments)(at)

    pointer = ctypes.c_void_p
    names = (ctypes.c_char_p * len(EXTENSIONS))(*EXTENSIONS)
    info = InstanceCreateInfo(1, None, 0, None, 0, None, len(EXTENSIONS), ctypes.cast(names, pointer))
    instance = pointer()
    assert function(None, "vkCreateInstance", ctypes.c_int, pointer, pointer, pointer)(ctypes.byref(info), None, ctypes.byref(instance)) == 0
    for name in NAMES:
        assert find(instance, name.encode()), f"the driver has no {name}"
    surface = ctypes.c_uint64()
    create = function(instance, "vkCreateHeadlessSurfaceEXT", ctypes.c_int, pointer, pointer, pointer, pointer)
    assert create(instance, None, None, ctypes.byref(surface)) == 0 and surface.value
    assert ctypes.cast(surface.value, ctypes.POINTER(ctypes.c_uint32))[0] == HEADLESS
    function(instance, "vkDestroySurfaceKHR", None, pointer, ctypes.c_uint64, pointer)(instance, surface, None)
    function(instance, "vkDestroyInstance", None, pointer, pointer)(instance, None)


main()
