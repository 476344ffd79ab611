#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records a Vulkan program and replays the recording: the same bytes on every executor, worker count and instruction set, and the picture
that the program itself read back.

usage: record_replay.py MANIFEST PUMICE_REPLAY COMPARE_IMAGES OUT_DIR [--presents | --bytes] PROGRAM [ARGS...]
PROGRAM must accept --png FILE and draw its last picture at last; or, with --presents, it presents frames, which PUMICE_CAPTURE keeps. With --bytes
pictures are not compared, only what the chip writes.
Recordings and pictures stay in OUT_DIR.
"""
import glob
import os
import shutil
import subprocess
import sys

SPECS = [f"fast:{threads}:{cpu}" for threads in (1, 2, 7) for cpu in ("avx512", "avx2", "portable")] + ["ref"]


def run(command, **more):
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, **more).returncode == 0


def main():
    manifest, replay, compare, out, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
    presents, only_bytes = command[0] == "--presents", command[0] == "--bytes"
    command = command[presents or only_bytes:]
    folder = os.path.join(out, os.path.basename(command[0]))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    trace, picture, png = (os.path.join(folder, n) for n in ("trace.pmt", "application.png", "png"))
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_TRACE=trace)
    if presents:
        env["PUMICE_CAPTURE"] = os.path.join(folder, "captured")
    if not run(command + ([] if presents else ["--png", picture]), env=env):
        return 1
    print("recording:", os.path.getsize(trace), "bytes")
    if not run([replay, trace, "--png", png]) or not run([replay, trace, "--compare"] + SPECS):
        return 1
    if only_bytes:
        return 0
    pictures = sorted(glob.glob(os.path.join(png, "frame-*.png" if presents else "step-*.png")))
    wanted = sorted(glob.glob(os.path.join(folder, "captured", "*.png"))) if presents else [picture]
    print(len(wanted), "pictures of the program,", len(pictures), "of the replay")
    same = all(run([compare, a, b, "0", "100"]) for a, b in zip(wanted, pictures[-len(wanted):]))
    return 0 if same and pictures and (not presents or len(wanted) == len(pictures)) else 1


sys.exit(main())
