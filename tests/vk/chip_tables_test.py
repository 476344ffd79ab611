#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gen_chips.py refuses what is forgotten or wrong, and a chip may inherit another's row: usage: chip_tables_test.py GENERATOR_FOLDER VK_XML"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIMITS = '"VkPhysicalDeviceLimits"'
# A line added to the table: what the generator says, or the text that its output holds.
CASES = [
    ('CHIPS["r500"][%s].pop("maxColorAttachments")' % LIMITS, 1, "chips.py: r500, VkPhysicalDeviceLimits.maxColorAttachments is neither stated nor absent"),
    ('CHIPS["r500"][%s]["maxColourAttachments"] = 4' % LIMITS, 1, "chips.py: r500: VkPhysicalDeviceLimits has no maxColourAttachments"),
    ('CHIPS["r500"][%s]["maxColorAttachments"] = 4.0' % LIMITS, 1, "chips.py: r500, VkPhysicalDeviceLimits.maxColorAttachments: 4.0 is no uint32_t"),
    ('CHIPS["r500"][%s]["maxColorAttachments"] = -4' % LIMITS, 1, "chips.py: r500, VkPhysicalDeviceLimits.maxColorAttachments: -4 is no uint32_t"),
    ('CHIPS["r500"][%s]["pointSizeRange"] = [1.0]' % LIMITS, 1, "chips.py: r500, VkPhysicalDeviceLimits.pointSizeRange: 2 values are wanted"),
    ('CHIPS["r500"][%s]["strictLines"] = 1' % LIMITS, 1, "chips.py: r500, VkPhysicalDeviceLimits.strictLines: 1 is no VkBool32"),
    ('CHIPS["r500"]["VkPhysicalDeviceFeatures"].append("geometryShaders")', 1, "chips.py: r500: VkPhysicalDeviceFeatures has no geometryShaders"),
    ('CHIPS["r600"] = {"VkPhysicalDeviceFeatures": []}', 1, "chips.py: r600 has no VkPhysicalDeviceLimits"),
    ('CHIPS["r600"] = {"inherits": "r500", "VkPhysicalDeviceFeatures": ["geometryShader"], %s: {"maxImageArrayLayers": 2048}}' % LIMITS, 0,
     "kR600_VkPhysicalDeviceLimits = { .maxImageDimension1D = 4096u, .maxImageDimension2D = 4096u, .maxImageDimension3D = 256u, "
     ".maxImageDimensionCube = 4096u, .maxImageArrayLayers = 2048u,"),
]


def main():
    source, vk_xml = sys.argv[1:3]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(os.path.abspath(source), "../../hw"), os.path.join(folder, "hw"))
        folder = os.path.join(folder, "icd/gen")  # chips.py reads ../../hw/db
        os.makedirs(folder)
        for name in ("gen_chips.py", "registry.py", "chips.py"):
            shutil.copy(os.path.join(source, name), folder)
        with open(os.path.join(folder, "chips.py"), encoding="utf-8") as f:
            table = f.read()
        for line, code, text in CASES:
            with open(os.path.join(folder, "chips.py"), "w", encoding="utf-8") as f:
                f.write(table + line + "\n")
            header = os.path.join(folder, "out.h")
            done = subprocess.run([sys.executable, "-B", os.path.join(folder, "gen_chips.py"), vk_xml, header], capture_output=True, text=True)
            said = done.stderr if code else re.sub(r"\s+", " ", open(header, encoding="utf-8").read())
            if done.returncode != code or text not in said:
                wrong += 1
                print(f"{line}: {done.returncode}, expected: {text}\n{said[:600]}")
    return 1 if wrong else 0


sys.exit(main())
