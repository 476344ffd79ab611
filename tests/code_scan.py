#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the code must not contain: comparisons of chips where a capability is meant, registers by number, extents without a name, files that are too long.

usage: code_scan.py SOURCE_ROOT
"""
import os
import re
import sys

ROOMS = ("common", "compiler", "hw", "icd", "tools", "winsys")
MOST_LINES = 600
# (pattern, what it is, what to write instead)
RULES = (
    (re.compile(r"(==|!=) *(hw::)?Profile::\w|Profile::\w+ *(==|!=)|\bcase (hw::)?Profile::"), "compares a chip", "a row of hw/db/chips.xml"),
    (re.compile(r"\bChipFamily::\w+ *(==|!=)|(==|!=) *ChipFamily::"), "compares a family of chips", "a property of ChipInfo or Capabilities"),
    (re.compile(r"\b(raw|raw_float|mmio_read|mmio_write|write0|read_register|write_register)\(0x"), "names a register by its offset", "regs::NAME::offset"),
    (re.compile(r"\breg\[(0x)?[0-9]"), "names a register by its index", "regs::NAME::offset / 4"),
    # The largest extents of targets, textures and screens, and the largest coordinates; a definition gives them a name.
    (re.compile(r"^(?!.*(constexpr|\bk[A-Z]\w* *=)).*(?<![\w.])(2560|4021|8191|8192|16383|16384|0x1FFF|0x2000|0x3FFF|0x4000)u?\b"),
     "has an extent without a name", "a row of hw/db/chips.xml or a constant"),
    # -Dinstruction-sets=host, with which ./pumice run builds, leaves it out.
    (re.compile(r", *Cpu::portable\b|(?<!built)\(Cpu::portable\b"), "wants the portable code, which may not be built", "the Cpu of the executor"),
)
# The RDP has extents of its own; masks of a format's bits have the same values; tables of the databases give the numbers their names.
NO_EXTENTS = ("hw/rdp/", "hw/db/", "icd/gen/", "hw/radeon/decode/xt/block_", "hw/radeon/decode/zb/depth_format.cpp")


def problems(root):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                if not name.endswith((".cpp", ".h", ".hpp", ".py", ".js")):
                    continue
                path = os.path.join(folder, name)
                where = os.path.relpath(path, root)
                lines = open(path, encoding="utf-8").read().split("\n")
                CHECKED[0] += 1
                if len(lines) - 1 > MOST_LINES:
                    yield f"{where}: {len(lines) - 1} lines, more than {MOST_LINES}"
                for number, line in enumerate(lines, 1):
                    code = line if name.endswith(".py") else re.sub(r"//.*", "", line)
                    for pattern, what, instead in RULES:
                        exempt = NO_EXTENTS if "extent" in what else "hw/db/gen/"
                        if pattern.search(code) and not where.startswith(exempt):
                            yield f"{where}:{number}: {what}; instead: {instead}"


CHECKED = [0]

if __name__ == "__main__":
    found = list(problems(sys.argv[1]))
    print("\n".join(found) if found else f"{CHECKED[0]} files, nothing of it")
    sys.exit(1 if found or CHECKED[0] < 300 else 0)
