#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails on every include arrow that DESIGN s.1 does not allow.

usage: include_scan.py SOURCE_ROOT
"""
import os
import re
import sys

ROOMS = ("icd", "compiler", "hw", "winsys")
# What a file of the room may include of other rooms: exact paths or prefixes ending in '*'.
GENERATED = ("hw/db/regs_r300.h", "hw/db/regs_r500.h", "hw/db/isa_us_r500.h")
ALLOWED = {
    "hw": (),
    "compiler": GENERATED,
    "winsys": (),
    # hw/rdp/card.h is to the RDP what hw/radeon/gpu.h is to the Radeons: memory, registers and interrupt, nothing of the stages behind.
    "icd": ("compiler/compiler.h", "compiler/serialize.h", "winsys/winsys.h", "hw/radeon/gpu.h", "hw/radeon/help.h", "hw/radeon/statistics.h", "hw/rdp/card.h") + GENERATED,
}
VULKAN_ONLY_IN = ("icd", "tests", "examples")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def violations(root):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in names:
                if not name.endswith((".h", ".cpp", ".hpp")):
                    continue
                path = os.path.join(folder, name)
                for number, line in enumerate(open(path, encoding="utf-8"), 1):
                    match = INCLUDE.match(line)
                    if not match:
                        continue
                    target = match.group(1)
                    where = f"{os.path.relpath(path, root)}:{number}"
                    if target.startswith(("vulkan/", "vk_")) and room not in VULKAN_ONLY_IN:
                        yield f"{where}: {room} must not know Vulkan ({target})"
                    other = target.split("/")[0]
                    if target.startswith("../"):
                        yield f"{where}: includes are written from the source root ({target})"
                    elif other in ROOMS and other != room and target not in ALLOWED[room]:
                        yield f"{where}: {room} must not include {target}"


def main():
    found = list(violations(sys.argv[1]))
    print("\n".join(found) if found else "no forbidden includes")
    return 1 if found else 0


sys.exit(main())
