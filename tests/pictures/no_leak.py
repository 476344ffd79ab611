#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""16,000 frames need no more memory than 4,000, after which all pools have their size: no_leak.py PROGRAM. Each frame records, submits, draws and reads back."""
import os
import subprocess
import sys

SLACK_KIB = 1024  # what malloc may keep; a leak of 128 bytes per frame would be more


def peak_kib(program, frames):
    process = subprocess.Popen([program, "--headless", "--size", "64x64", "--png", os.devnull, "--frames", str(frames)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{program} --frames {frames}: wait status {status}")
    return usage.ru_maxrss


few, many = peak_kib(sys.argv[1], 4000), peak_kib(sys.argv[1], 16000)
print(f"peak of resident memory: {few} KiB after 4,000 frames, {many} KiB after 16,000")
sys.exit(0 if many <= few + SLACK_KIB else 1)
