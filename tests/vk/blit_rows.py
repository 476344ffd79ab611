#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the driver's scaled blits are drawn by rows (hw/radeon/fast/blit): usage: blit_rows.py VK_TRANSFER. The driver counts pixels."""
import os
import re
import subprocess
import sys

PIXELS = 128 * 64 + 32 * 16  # of both blits of the test


def main():
    run = subprocess.run([sys.argv[1], "--gtest_filter=Transfer.LinearBlitDoublesAndHalves"], env={**os.environ, "PUMICE_DEBUG": "stats"},
                         stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    said = re.search(r"pixels drawn by rows: (\d+)", run.stderr)
    if run.returncode or not said or int(said.group(1)) != PIXELS:
        print(f"ended with {run.returncode}, wanted {PIXELS} pixels; said:\n{run.stderr[:2000]}")
        return 1
    return 0


sys.exit(main())
