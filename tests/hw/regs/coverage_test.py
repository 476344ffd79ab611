#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every register is modelled or read back, and tested, and docs/registers.md says where: the files that it names name the register.

usage: coverage_test.py SOURCE_ROOT XML...   (PYTHONPATH: hw/db/gen)
"""
import os
import re
import sys

import gen_coverage

root, files = sys.argv[1], sys.argv[2:]
rows = gen_coverage.coverage(root, files)
problems = [f"{g.split()[0]} has no {g.split()[1]} (or readback= and a reason in hw/db/regs)" for g in gen_coverage.gaps(rows)]

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
    elif not names(cells[4], e.through or e.name) or not names(cells[5], e.name):
        problems.append(f"{STALE}{e.name} is elsewhere now")
problems += [f"{STALE}no register {n}" for n in written]
print("\n".join(problems + [f"{len(rows)} registers"]))
sys.exit(1 if problems else 0)
