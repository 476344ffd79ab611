#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The driver exports the loader's entry points and nothing else.

usage: exports_test.py NM LIBRARY
"""
import subprocess
import sys

WANTED = {"vk_icdGetInstanceProcAddr", "vk_icdGetPhysicalDeviceProcAddr", "vk_icdNegotiateLoaderICDInterfaceVersion"}
lines = subprocess.run([sys.argv[1], "-D", "--defined-only", sys.argv[2]], check=True, capture_output=True, text=True).stdout.splitlines()
found = {line.split()[-1].split("@")[0] for line in lines if line.strip()}
if found != WANTED:
    sys.exit(f"missing: {sorted(WANTED - found)}, too many: {sorted(found - WANTED)[:20]}")
print("exports:", ", ".join(sorted(found)))
