#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manual pages are the tools' own help (packaging/man_pages.sh): every installed tool has a page, and its help names every option that its sources read.

usage: man_pages.py SOURCE_ROOT (NAME PROGRAM FOLDER)...     (FOLDER: of its sources, or the one)
"""
import os
import re
import subprocess
import sys

root = sys.argv[1]
with open(os.path.join(root, "packaging/man_pages.sh"), encoding="utf-8") as f:
    pages = set(re.findall(r"\bpage (pumice-[a-z]+) ", f.read()))
wrong = [] if pages else ["packaging/man_pages.sh names no page"]

# Every tool that is installed is among those that this test is given, and has a page.
installed = set()
for folder, folders, files in os.walk(root):
    folders[:] = [d for d in folders if not d.startswith((".", "build"))]
    if "meson.build" in files:
        with open(os.path.join(folder, "meson.build"), encoding="utf-8") as f:
            installed |= {m[1] for m in re.finditer(r"executable\('(pumice-[a-z]+)'(.*?\n?)(?=^\S|\Z)", f.read(), re.M | re.S) if "install: true" in m[2]}
given = {sys.argv[i]: sys.argv[i + 1 : i + 3] for i in range(2, len(sys.argv), 3)}
wrong += [f"{name} is installed without a page in packaging/man_pages.sh" for name in sorted(installed - pages)]
wrong += [f"{name} has a page but is not installed" for name in sorted(pages - installed)]
options = 0
for name, (program, folder) in given.items():
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if name == "pumice-rdp":
        for command in ("play", "bench", "verify"):
            text += subprocess.run([program, command, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    read = set()
    place = os.path.join(root, folder)
    for file in [place] if os.path.isfile(place) else [os.path.join(place, n) for n in sorted(os.listdir(place))]:
        if file.endswith((".cpp", ".h")):
            with open(file, encoding="utf-8") as f:
                read |= set(re.findall(r'"(--[a-z][a-z0-9-]*)"', f.read()))
    read.discard("--help")
    options += len(read)
    wrong += [f"{name} --help does not name {o}" for o in sorted(read) if not re.search(re.escape(o) + r"(?![a-z-])", text)]
for line in wrong:
    print("FAILED: " + line)
if not options:
    print("FAILED: no option was found in any source")
print(f"{len(pages)} pages, {len(given)} tools, {options} options")
sys.exit(1 if wrong or not options else 0)
