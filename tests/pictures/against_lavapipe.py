#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws one scene with this driver and with Debian's lavapipe through the loader and compares the two pictures.

usage: against_lavapipe.py MANIFEST COMPARE OUT_DIR [--share PERCENT] PROGRAM [ARGS...]
PROGRAM must accept --png FILE. PERCENT of the pixels must agree (default 99.5). Exit code 77 (skipped) when lavapipe is not installed. The pictures stay in OUT_DIR.
"""
import glob
import os
import subprocess
import sys

LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.*.json"


def draw(manifest, png, command):
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest)
    env.pop("VK_INSTANCE_LAYERS", None)
    done = subprocess.run(command + ["--png", png], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"{os.path.basename(png)}: exit code {done.returncode}\n{done.stdout}", end="")
    return done.returncode == 0


def main():
    manifest, compare, out, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    share = "99.5"
    if command[0] == "--share":
        share, command = command[1], command[2:]
    others = sorted(glob.glob(LAVAPIPE))
    if not others:
        print("skipped: lavapipe (mesa-vulkan-drivers) is not installed")
        return 77
    os.makedirs(out, exist_ok=True)
    name = os.path.basename(command[0])
    ours, theirs, difference = (os.path.join(out, f"{name}-{k}.png") for k in ("pumice", "lavapipe", "difference"))
    if not draw(manifest, ours, command) or not draw(others[0], theirs, command):
        return 1
    return subprocess.run([compare, ours, theirs, "2", share, difference]).returncode


sys.exit(main())
