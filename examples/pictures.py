#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pictures of examples/README.md: every example draws one frame, headless.

usage: ./pumice run examples/pictures.py BUILD_DIR     (from the root of the source; without `./pumice run` the loader's own driver draws)
"""
import os
import subprocess
import sys

SIZE = {"shadows": "400x300", "shader-gallery": "360x240"}
FRAMES = {"rdp-vulkan": "41"}


def main():
    build, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(here, "pictures")
    os.makedirs(folder, exist_ok=True)
    for where in ("", "rdp"):
        for program in sorted(os.listdir(os.path.join(build, "examples", where))):
            path = os.path.join(build, "examples", where, program)
            name = program.removeprefix("example-")
            if name == program or not os.path.isfile(path):
                continue
            command = [path, "--png", os.path.join(folder, name + ".png"), "--size", SIZE.get(name, "240x180"), "--frames", FRAMES.get(name, "1")]
            print("+", " ".join(command), flush=True)
            if subprocess.run(command).returncode:
                return 1
    return 0


sys.exit(main())
