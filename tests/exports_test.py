#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A shared library exports what a list says and nothing else: no C++ symbol, no other library's.

usage: exports_test.py NM LIBRARY LIST
LIST: a Debian symbols file (lines " NAME@VERSION MINIMUM"), or names separated by commas.
"""
import os
import subprocess
import sys


def wanted(source):
    if not os.path.exists(source):
        return set(source.split(","))
    return {line.split()[0] for line in open(source, encoding="utf-8") if line.startswith(" ")}


nm, library, source = sys.argv[1:]
want = wanted(source)
lines = subprocess.run([nm, "-D", "--defined-only", "--with-symbol-versions", library], check=True, capture_output=True, text=True).stdout.splitlines()
found = set()
for line in filter(str.strip, lines):
    kind, name = line.split()[-2:]
    # The version's own symbol is absolute: NAME@@NAME.
    name = name.replace("@@", "@")
    if kind == "A" and "@" not in name:
        name = f"{name}@{name}"
    found.add(name if os.path.exists(source) else name.split("@")[0])
if not want or found != want:
    sys.exit(f"{library}: missing {sorted(want - found)}, too many {sorted(found - want)[:20]}")
print(f"{library}:", ", ".join(sorted(found)))
