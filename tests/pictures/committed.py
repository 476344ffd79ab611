#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of examples/README.md are what the strict r500 draws: an example drawn on both executors has every pixel of the committed picture.

usage: committed.py SOURCE_ROOT MANIFEST COMPARE OUT_DIR PROGRAM
"""
import os
import subprocess
import sys

root, manifest, compare, out, program = sys.argv[1:]
sys.path.insert(0, os.path.join(root, "examples"))
import pictures  # noqa: E402

name = os.path.basename(program).removeprefix("example-")
committed = os.path.join(root, "examples", "pictures", name + ".png")
os.makedirs(out, exist_ok=True)
for executor in ("fast", "ref"):
    png = os.path.join(out, f"{name}-{executor}.png")
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_CHIP="r500", PUMICE_EXEC=executor)
    if subprocess.run(pictures.command(program, png), env=env, check=False).returncode:
        sys.exit(f"{name} does not draw on {executor}")
    if subprocess.run([compare, committed, png, "0", "100"], check=False).returncode:
        sys.exit(f"{png} is not {committed}: ./pumice run examples/pictures.py BUILD_DIR makes the pictures, if they are to change")
