#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every opcode of the three instruction sets is named by a test of what it computes: in text ("  MAD "), as a code of its field (ALPHA_OP__MAD) or as an
enumerator (XiOp::MAD). Comments do not count.

usage: opcode_coverage.py SOURCE_ROOT
"""
import os
import re
import sys
import xml.etree.ElementTree as ET

# Sets: what the database calls them, and where their meaning is tested.
SETS = {
    "us_r300": ["tests/hw/us/r300_test.cpp"],
    "us_r300_tex": ["tests/hw/us/r300_test.cpp", "tests/hw/fast/us/r300_test.cpp", "tests/hw/asm/text_test.cpp"],
    "us_r500": ["tests/hw/us", "tests/hw/chip", "tests/hw/x", "tests/hw/fast/x", "tests/hw/xt"],
    "pvs": ["tests/hw/vap", "tests/hw/chip"],
}


def text_of(root, places):
    out = []
    for place in places:
        path = os.path.join(root, place)
        files = [path] if os.path.isfile(path) else [os.path.join(path, f) for f in sorted(os.listdir(path)) if f.endswith((".cpp", ".h"))]
        for f in files:
            out.append(re.sub(r"//.*", "", open(f, encoding="utf-8").read()))
    return "\n".join(out)


root = sys.argv[1]
problems, count = [], 0
for name, places in SETS.items():
    text = text_of(root, places)
    for opcodes in ET.parse(os.path.join(root, "hw/db/isa", name + ".xml")).getroot().iter("opcodes"):
        for op in opcodes.iter("opcode"):
            count += 1
            words = {op.get("name"), op.get("mnemonic")} - {None}
            if not any(re.search(rf"(__|::|[\" (_])({re.escape(w)})\b", text) for w in words):
                problems.append(f"{name}: no test of {' or '.join(places)} names {op.get('name')} ({opcodes.get('name')})")
print("\n".join(problems + [f"{count} opcodes"]))
sys.exit(1 if problems else 0)
