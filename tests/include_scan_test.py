#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The include scan finds each kind of forbidden arrow in a made-up tree, and nothing in a clean one."""
import os
import tempfile
import unittest

import include_scan

ADD = "\n## How to add\n\nA file.\n"
CLEAN = {
    "hw/README.md": f"# hw\n\nMay include: nothing of the project.\n{ADD}",
    "hw/types.h": "#include <cstdint>\n",
    "hw/radeon/README.md": f"# The Radeon\n\nMay include: `hw` (types.h).\n{ADD}",
    "hw/radeon/gpu.h": '#include "hw/types.h"\n',
    "icd/README.md": f"# The driver\n\nMay include: `hw`, `hw/radeon`.\n{ADD}",
    "icd/device.cpp": '#include <vulkan/vulkan.h>\n#include "hw/radeon/gpu.h"\n',
}


class IncludeScan(unittest.TestCase):
    def scan(self, **more):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**CLEAN, **{k.replace("__", "/"): v for k, v in more.items()}}.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                    f.write(text)
            return list(include_scan.violations(root))

    def found(self, word, files):
        problems = self.scan(**files)
        self.assertTrue(any(word in p for p in problems), problems)

    def test_clean(self):
        self.assertEqual(self.scan(), [])

    def test_arrow_that_the_readme_lacks(self):
        self.found("hw/types.h:1: hw must not include hw/radeon/gpu.h", {"hw/types.h": '#include "hw/radeon/gpu.h"\n'})

    def test_circle(self):
        self.found("circle", {"hw/types.h": '#include "hw/radeon/gpu.h"\n', "hw/README.md": "May include: `hw/radeon`.\n"})

    def test_folder_without_readme(self):
        self.found("winsys: no README.md", {"winsys/a.cpp": "#include <cstdint>\n"})

    def test_readme_that_does_not_say_how_to_add(self):
        self.found("hw/README.md does not have how to add", {"hw/README.md": "# hw\n\nMay include: nothing of the project.\n"})
        self.found("hw/db/README.md does not have how to add", {"hw/db/README.md": "# hw/db\n", "hw/db/chips.xml": "<chips/>\n"})
        self.found("hw/db: no README.md", {"hw/db/chips.xml": "<chips/>\n"})
        self.found("hw/README.md does not have a title", {"hw/README.md": f"May include: nothing of the project.\n{ADD}"})

    def test_vulkan_in_the_chip(self):
        self.found("hw must not know Vulkan", {"hw/types.h": "#include <vulkan/vulkan.h>\n"})

    def test_driver_past_the_facade(self):
        self.found("past the chip's facade", {"hw/radeon/chip.h": "\n", "icd/device.cpp": '#include "hw/radeon/chip.h"\n'})

    def test_relative_path(self):
        self.found("from the source root", {"hw/radeon/gpu.h": '#include "../types.h"\n'})

    def test_readme_that_names_no_folder(self):
        self.found("hw/rdp is no folder", {"hw/radeon/README.md": "May include: `hw`, `hw/rdp`.\n"})


unittest.main()
