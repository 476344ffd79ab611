#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every entry of the databases has one anchor, a line in the index and the words a search finds it by in the register manual.

usage: manual_test.py MANUAL XML...   (PYTHONPATH: hw/db/gen)
"""
import re
import sys

import database

manual, files = sys.argv[1], sys.argv[2:]
page = open(manual, encoding="utf-8").read()
anchors = re.findall(r'<h3 id="([^"]+)"', page)
indexed = re.findall(r'<li [^>]*><a href="#([^"]+)"', page)
sections = re.findall(r'<section data-words="([^"]*)" data-base="(-?\d+)"', page)
found = {words.split()[0]: int(base) for words, base in sections}
problems = [f"{a} has two anchors" for a in set(anchors) if anchors.count(a) > 1]
chips, _ = database.load(files)
entries = [e for of_chip in chips.values() for e in of_chip]
for e in entries:
    if e.name not in anchors or e.name not in indexed:
        problems.append(f"{e.name} has no anchor or no line in the index")
    if e.name.lower() not in found:
        problems.append(f"{e.name} cannot be found by its name")
    for f in e.fields:
        if not any(f.name.lower() in words.split() for words, _ in sections):
            problems.append(f"{e.name}.{f.name} cannot be found")
print("\n".join(sorted(set(problems))) or f"{len(entries)} entries, {len(anchors)} anchors")
sys.exit(1 if problems or len(entries) < 200 else 0)
