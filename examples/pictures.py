#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pictures of examples/README.md: every example draws one frame, headless.

usage: ./pumice run examples/pictures.py BUILD_DIR     (from the root of the source)

tests/pictures/committed.py draws them again and compares every pixel.
"""
import os
import subprocess
import sys

SIZE = {"shadows": "400x300", "shader-gallery": "360x240"}
FRAMES = {"rdp-vulkan": "41"}
CHIP = {"rdp-vulkan": "rdp"}  # else r500


def command(path, png):
    """How the program at `path` draws its picture."""
    name = os.path.basename(path).removeprefix("example-")
    return [path, "--png", png, "--size", SIZE.get(name, "240x180"), "--frames", FRAMES.get(name, "1")]


def main():
    if "pumice" not in os.environ.get("VK_DRIVER_FILES", os.environ.get("VK_ICD_FILENAMES", "")):
        print("the loader would choose a driver of its own: call it by ./pumice run")
        return 1
    build, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(here, "pictures")
    os.makedirs(folder, exist_ok=True)
    for where in ("", "rdp"):
        for program in sorted(os.listdir(os.path.join(build, "examples", where))):
            path = os.path.join(build, "examples", where, program)
            name = program.removeprefix("example-")
            if name == program or not os.path.isfile(path):
                continue
            call = command(path, os.path.join(folder, name + ".png"))
            print("+", " ".join(call), flush=True)
            if subprocess.run(call, env=dict(os.environ, PUMICE_CHIP=CHIP.get(name, "r500"))).returncode:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
