#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What pumice-rdp play and example-rdp-draw say and return when something is wrong with their input.

usage: tool.py PUMICE_RDP EXAMPLE_RDP_DRAW|-
"""
import os
import random
import struct
import subprocess
import sys
import tempfile

failures = 0


def expect(command, code, *texts):
    """Runs the command; its exit code and every text of its output (both streams) are given."""
    global failures
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode(errors="replace")
    missing = [t for t in texts if t not in output]
    if done.returncode == code and not missing:
        return
    failures += 1
    print(f"FAILED: {' '.join(command)}\n  exit code {done.returncode}, expected {code}; missing: {missing}\n{output}")


def write(path, words):
    with open(path, "wb") as f:
        f.write(b"".join(struct.pack(">Q", w) for w in words))
    return path


def main():
    tool, example = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)
        play = [tool, "play"]
        # Fill mode, a 16x8 image at 0x1000.
        good = write(at("good"), [0x2F << 56 | 3 << 52, 0x2D << 56 | 64 << 12 | 32, 0x3F << 56 | 2 << 51 | 15 << 32 | 0x1000,
                                  0x37 << 56 | 0x12341234, 0x36 << 56 | 60 << 44 | 28 << 32, 0x29 << 56])
        expect(play + [good, "--list", "--png", at("a.png")], 0, "fill_rectangle")
        expect([tool, "--help"], 0, "usage: pumice-rdp COMMAND", "verify")
        expect([tool], 2, "usage: pumice-rdp COMMAND")
        expect(play + ["--help"], 0, "usage: pumice-rdp play FILE", "--measure N")
        expect(play, 2, "usage: pumice-rdp play FILE")
        expect(play + [at("none")], 2, "none: No such file or directory")
        generator = random.Random(1)
        noise = write(at("noise"), [generator.getrandbits(64) for _ in range(300)])
        expect(play + [noise, "--list"], 1, "opcodes that the RDP does not define, the first is word ")
        expect(play + [write(at("cut"), [0x24 << 56])], 1, "the last command of 1 words is cut off")
        # 2-cycle image_read with fill mode hangs the chip.
        hang = write(at("hang"), [0x2F << 56 | 3 << 52 | 1 << 6, 0x2D << 56 | 64 << 12 | 32, 0x3F << 56 | 2 << 51 | 15 << 32 | 0x1000,
                                  0x36 << 56 | 60 << 44 | 28 << 32])
        expect(play + [hang], 1, "1 commands would hang the chip")
        png = ["--png", at("b.png")]
        expect(play + [good] + png + ["--image", "0,5000x10,16"], 1, "5000x10 pixels; pictures have 1 to 4096 each way")
        expect(play + [good] + png + ["--image", "0,10x10,24"], 1, "BITS is 8, 16 or 32")
        expect(play + [good] + png + ["--image", "0x7FFFFF,16x16,32"], 1, "beyond RDRAM's 0x800000 bytes")
        expect(play + [good] + png + ["--image", "zero"], 1, "expected ADDR,WxH,BITS")
        expect(play + [good] + png + ["--scale", "0x9"], 1, "the --scale is 0x9 pixels")
        expect(play + [write(at("empty"), [0x29 << 56])] + png, 1, "the last colour image")
        expect(play + [good, "--frame", "3"], 1, "the list has 0 frames")
        expect(play + [good, "--png", at("no/such/folder.png")], 1, "cannot be written")
        rectangle = at("rectangle.txt")
        with open(rectangle, "w", encoding="utf-8") as f:
            f.write("fill_rectangle xl=15 yl=7\n")
        expect([tool, "asm", rectangle], 0, "3603c01c00000000")
        expect([tool, "dis", "3603c01c00000000"], 0, "fill_rectangle xl=15 yl=7")
        expect([tool, "asm", at("none")], 2, "none cannot be read")
        expect([tool, "dis", "xyz"], 2, "'xyz' is none")
        expect([tool, "dis", "2400000000000000"], 1, "the last command is cut off")
        if example != "-":
            expect([example, "--headless", "--frames", "2", "--size", "200x150", "--png", at("c.png")], 0, "c.png", "2 frames")
            expect([example, "--headless=1"], 2, "unknown option --headless=1", "usage:")
            expect([example, "--size", "9"], 2, "expected WxH")
            expect([example, "--png"], 2, "--png needs a value")
            expect([example, "--help"], 0, "--validate")
    return 1 if failures else 0


sys.exit(main())
