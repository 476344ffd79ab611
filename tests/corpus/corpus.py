#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All shaders of the corpus through pumice-run: the executors agree to the bit, the reference with the judge, and the table with table.txt.

usage: corpus.py PUMICE_RUN CHIP [--update]     --update writes the chip's rows of table.txt anew
"""
import os
import re
import subprocess
import sys
import tempfile

import generate

TABLE = os.path.join(generate.HERE, "table.txt")
HEAD = "# Statistics of the corpus (README.md): slots, temps, paired slots, ALU, texture and flow instructions, levels of indirection, constants; or why\n" \
    "# the compiler refuses it. Written by corpus.py --update.\n# shader\tchip\tslots\ttemps\tpaired\talu\ttex\tflow\tlevels\tconstants\n"
SUM = re.compile(r"^\w+: (\d+) the same, (\d+) different, (\d+) refused, (\d+) not judged; (\d+) values judged, (\d+) of them at a jump, (\d+) left open; "
                 r"the reference executed (\d+) instructions, the fast executor (\d+) blocks; (\d+) functions of GLSL.std.450$", re.M)
LEAST = 300
# All but those of doubles, NMin, NMax, NClamp and IMix, which no GLSL for Vulkan becomes, and one of the two forms of modf and frexp.
FUNCTIONS = 81 - 2 - 4 - 2
BLOCKS = 4  # of 16 invocations, for each instruction set


def read_table():
    with open(TABLE, encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line and not line.startswith("#")]


def compare(rows, wanted):
    """Lines that say what is not as in the table."""
    have, want = ({row.split("\t")[0]: row for row in rows_} for rows_ in (rows, wanted))
    for name in sorted(have.keys() | want.keys()):
        if have.get(name) != want.get(name):
            yield f"{name}: now {have.get(name, 'nothing')!r}, in table.txt {want.get(name, 'nothing')!r}"


def main():
    tool, chip = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        names = generate.write(folder)
        table = os.path.join(folder, "table")
        done = subprocess.run([tool, "--chip", chip, "--quiet", "--cpu", "all", "--table", table] + names, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        rows = open(table, encoding="utf-8").read().splitlines() if os.path.exists(table) else []
    match = SUM.search(done.stdout)
    if done.returncode not in (0, 1) or not match:
        print(done.stdout[-4000:])
        return f"pumice-run failed with exit status {done.returncode}"
    same, different, refused, not_judged, values, jumps, _, instructions, blocks, functions = map(int, match.groups())
    print(match.group(0))
    wrong = []
    if different or not_judged:
        print("\n".join(line for line in done.stdout.splitlines() if ": refused: " not in line))
        wrong.append(f"{different} shaders differ, {not_judged} were not judged")
    if same + different + refused + not_judged != len(names) or len(names) < LEAST:
        wrong.append(f"{len(names)} shaders were given, {LEAST} must be there")
    ran = same + different + not_judged
    if blocks not in [sets * BLOCKS * ran for sets in (1, 2, 3)] or instructions < BLOCKS * 4 * ran or values < BLOCKS * 16 * same:
        wrong.append("an executor, or the judge, ran less than all invocations")
    if functions != FUNCTIONS:
        wrong.append(f"{functions} functions of GLSL.std.450, of {FUNCTIONS}")
    if jumps * 200 > values:
        wrong.append(f"{jumps} of {values} values are right for a neighbour only")
    if "--update" in sys.argv and not wrong:
        others = [row for row in read_table() if row.split("\t")[1] != chip] if os.path.exists(TABLE) else []
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(row + "\n" for row in sorted(others + rows)))
        return 0
    wrong += compare(rows, [row for row in read_table() if row.split("\t")[1] == chip])
    return "\n".join(wrong + ["if that is right: corpus.py PUMICE_RUN CHIP --update"]) if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
