#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every register is modelled or read back, and tested, and docs/registers.md says where: the files that it names name the register. What is missing
stands in gaps.txt, which may only get shorter.

usage: coverage_test.py SOURCE_ROOT GAPS XML...   (PYTHONPATH: hw/db/gen)
"""
import os
import re
import sys

import gen_coverage

# Lower it with each gap that is closed.
MOST_GAPS = 14

root, listed_path, files = sys.argv[1], sys.argv[2], sys.argv[3:]
rows = gen_coverage.coverage(root, files)
listed = [line.strip() for line in open(listed_path, encoding="utf-8") if line.strip() and not line.startswith("#")]
actual = gen_coverage.gaps(rows)
problems = [f"{g.split()[0]} has no {g.split()[1]} (or readback= and a reason in hw/db/regs)" for g in actual if g not in listed]
problems += [f"gaps.txt: '{g}' stands twice" for g in set(listed) if listed.count(g) > 1]
if len(listed) > MOST_GAPS:
    problems.append(f"gaps.txt has {len(listed)} lines, {MOST_GAPS} are allowed: a new register comes with its code and test")
notes = [f"gaps.txt: '{g}' is closed: remove the line and lower MOST_GAPS" for g in listed if g not in actual]

STALE = "docs/registers.md is out of date; its head says how to make it: "
page = os.path.join(root, "docs", "registers.md")
written = {}
for line in open(page, encoding="utf-8") if os.path.exists(page) else ():
    cells = [c.strip().strip("`") for c in line.split("|")[1:-1]]
    if len(cells) == 6 and cells[1].startswith("0x"):
        written.setdefault(cells[0], cells)
tokens = {}


def names(path, register):
    if path not in tokens:
        full = os.path.join(root, path)
        tokens[path] = set(gen_coverage.NAME.findall(re.sub(r"//.*", "", open(full, encoding="utf-8").read()))) if os.path.exists(full) else set()
    return register in tokens[path]


for e, _, state, code, test in rows:
    cells = written.pop(e.name, None)
    if cells is None:
        problems.append(f"{STALE}no row {e.name}")
    elif e.readback:
        if cells[3:] != [state, *gen_coverage.READBACK]:
            problems.append(f"{STALE}{e.name}")
    elif (cells[4] != "-" and not names(cells[4], e.through or e.name)) or (cells[5] != "-" and not names(cells[5], e.name)):
        problems.append(f"{STALE}{e.name} is elsewhere now")
    elif (cells[4] == "-" and code) or (cells[5] == "-" and test):
        notes.append(f"{STALE}{e.name} has code and test now")
problems += [f"{STALE}no register {n}" for n in written]
print("\n".join(problems + notes + [f"{len(rows)} registers, {len(actual)} gaps"]))
sys.exit(1 if problems else 0)
