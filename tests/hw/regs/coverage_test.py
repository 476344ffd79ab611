#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every register is modelled or read back, and tested; docs/registers.md says where. What is missing stands in gaps.txt, which may only get shorter.

usage: coverage_test.py SOURCE_ROOT GAPS XML...   (PYTHONPATH: hw/db/gen)
"""
import os
import sys

import gen_coverage

# Lower it with each gap that is closed.
MOST_GAPS = 57

root, listed_path, files = sys.argv[1], sys.argv[2], sys.argv[3:]
rows = gen_coverage.coverage(root, files)
listed = [line.strip() for line in open(listed_path, encoding="utf-8") if line.strip() and not line.startswith("#")]
actual = gen_coverage.gaps(rows)
problems = [f"{g.split()[0]} has no {g.split()[1]} (or readback= and a reason in hw/db/regs)" for g in actual if g not in listed]
problems += [f"gaps.txt: '{g}' is closed: remove the line and lower MOST_GAPS" for g in listed if g not in actual]
problems += [f"gaps.txt: '{g}' stands twice" for g in set(listed) if listed.count(g) > 1]
if len(listed) > MOST_GAPS:
    problems.append(f"gaps.txt has {len(listed)} lines, {MOST_GAPS} are allowed: a new register comes with its code and test")
page = os.path.join(root, "docs", "registers.md")
if not os.path.exists(page) or open(page, encoding="utf-8").read() != gen_coverage.document(rows):
    problems.append("docs/registers.md is out of date; its head says how to make it")
print("\n".join(problems) or f"{len(rows)} registers, {len(listed)} gaps")
sys.exit(1 if problems else 0)
