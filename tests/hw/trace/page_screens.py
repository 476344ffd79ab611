#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens pages of pumice-inspect in headless Chromium: screenshots to look at, and how long a page takes until it shows its first draw.
Not part of the suites: Chromium is large.

usage: page_screens.py OUT_DIR PAGE.html [#HASH...]   (as in '#draw=3&view=cost&x=10&y=20&tab=programs')
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def chromium(profile, *args):
    return subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}", *args],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)


def main():
    out, page, hashes = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:] or [""]
    if not shutil.which("chromium"):
        sys.exit("page_screens.py: chromium is not installed (apt install chromium)")
    os.makedirs(out, exist_ok=True)
    failures = 0
    for i, place in enumerate(hashes):
        with tempfile.TemporaryDirectory() as profile:
            url = f"file://{page}{place}"
            picture = os.path.join(out, f"{os.path.splitext(os.path.basename(page))[0]}-{i}.png")
            dom = chromium(profile, "--virtual-time-budget=60000", "--enable-logging=stderr", "--dump-dom", url)
            chromium(profile, "--virtual-time-budget=60000", "--window-size=1500,900", f"--screenshot={picture}", url)
            ready = re.search(r'<body[^>]*data-ready="(\d+)"', dom.stdout)
            complaints = [l for l in dom.stderr.splitlines() if "CONSOLE" in l]
            failures += not ready or bool(complaints)
            print(f"{picture}: " + (f"ready after {ready[1]} ms" if ready else "never ready"), *complaints, sep="\n  ")
    return 1 if failures else 0


sys.exit(main())
