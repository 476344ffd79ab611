#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""First inputs of the fuzzers: shaders of tests and examples as SPIR-V; random words for the rest.

usage: seeds.py CORPUS
"""
import glob
import os
import random
import struct
import subprocess
import sys


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    corpus, root = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    for name in ("spirv", "pm4", "trace", "rdp", "cache", "asm", "names"):
        os.makedirs(os.path.join(corpus, name), exist_ok=True)
    for path in sorted(glob.glob(os.path.join(root, "../vk/shaders/*.*")) + glob.glob(os.path.join(root, "../../examples/shaders/*.*"))):
        out = os.path.join(corpus, "spirv", os.path.basename(path))
        if subprocess.run(["glslangValidator", "-V", "--quiet", "-o", out, path], stdout=subprocess.DEVNULL).returncode or not os.path.exists(out):
            continue
        with open(out, "r+b") as f:
            words = bytearray(f.read())
            words[4] |= path.endswith(".vert")  # fuzz-spirv's choice of the stage
            f.seek(0)
            f.write(words)
    generator = random.Random(1)
    for i in range(16):
        # Opcodes that exist in front of random fields; register writes and draws.
        rdp = b"".join(struct.pack(">Q", generator.choice([8, 15, 0x24, 0x27, 0x2D, 0x2F, 0x30, 0x33, 0x34, 0x35, 0x36, 0x37, 0x3C, 0x3D, 0x3E, 0x3F]) << 56
                                   | generator.getrandbits(56)) for _ in range(40))
        pm4 = bytes([i & 3]) + b"".join(struct.pack("<II", generator.randrange(0x2000), generator.getrandbits(generator.choice([4, 12, 24, 32]))) for _ in range(200))
        for name, data in (("rdp", rdp), ("pm4", pm4)):
            with open(os.path.join(corpus, name, f"seed-{i}"), "wb") as f:
                f.write(data)
    lines = ("ALU  MAD r0.rgb, r1.rgb, c2.rgb, #0.5 | MAD r0.a, r1.a, 1, 0  !word2=0x80000000", "VE  MAD o0.xyzw, i0.xyzw, c0.xyzw, r1.xyzw",
             "OUT  MAX out0.rgb, r1.rgb, 111 | RCP out0.a, r2.a", "ZB_CNTL Z_ENABLE=1 ZWRITEENABLE=1", "TEX  LD r1.rgba, r0.rgba, tex0")
    for i, line in enumerate(lines):
        for kind in (0, 1, 2, 6, 3, 7, 11):
            with open(os.path.join(corpus, "asm", f"seed-{i}-{kind}"), "wb") as f:
                f.write(bytes([kind]) + line.encode())
    records = struct.pack("<IIII", 1, 8, 0x100000, 16) + struct.pack("<IIIIII", 4, 16, 0, 0x00000578, 7, 0) + struct.pack("<IIIIII", 6, 16, 0, 0, 0, 0) + struct.pack("<III", 10, 4, 0)
    for i in range(4):
        with open(os.path.join(corpus, "trace", f"seed-{i}"), "wb") as f:
            f.write(bytes([i & 2]) + records)
    for i in range(12):  # each chip: no change, a change of the declaration, of the module
        with open(os.path.join(corpus, "names", f"seed-{i}"), "wb") as f:
            f.write(bytes([i % 3 | (8 if i >= 6 else 0)]) + (b"" if i < 3 else bytes([7 * i, i & 1, 1 << i % 8])))
    for i in range(2):
        with open(os.path.join(corpus, "cache", f"seed-{i}"), "wb") as f:
            f.write(bytes([i]) + bytes(32) + b"PumiProg" + struct.pack("<IIQ", 1, 1, 0) + bytes(32) + bytes(32) + struct.pack("<I", 0))
    return 0


sys.exit(main())
