#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""10,000 frames need no more memory than 1,000: no_leak.py PROGRAM. Each frame records, submits, draws and reads back."""
import os
import subprocess
import sys

SLACK_KIB = 1024  # what malloc may keep; a leak of 128 bytes a frame would be more


def peak_kib(program, frames):
    process = subprocess.Popen([program, "--headless", "--size", "64x64", "--png", os.devnull, "--frames", str(frames)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{program} --frames {frames}: wait status {status}")
    return usage.ru_maxrss


few, many = peak_kib(sys.argv[1], 1000), peak_kib(sys.argv[1], 10000)
print(f"peak of resident memory: {few} KiB after 1,000 frames, {many} KiB after 10,000")
sys.exit(0 if many <= few + SLACK_KIB else 1)
