#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of operations in docs/microcode.md: each mark <!-- opcodes FILE NAME --> is followed by the <opcodes name="NAME"> of hw/db/isa/FILE.xml.

usage: gen_microcode.py SOURCE_ROOT [check]     check: fails when the document is out of date
"""
import os
import re
import sys
import xml.etree.ElementTree as ET

MARK = re.compile(r"^<!-- opcodes (\w+) (\w+) -->\n(?:\n?(?:\|.*\n)+\n?)?", re.M)


def table(root, name, ops):
    group = next(e for e in ET.parse(os.path.join(root, "hw", "db", "isa", name + ".xml")).getroot().iter("opcodes") if e.get("name") == ops)
    units = [u.get("name") for u in group.findall("unit")]
    lines = [f"<!-- opcodes {name} {ops} -->\n\n", "| operation | " + " | ".join(f"code, {u}" if len(units) > 1 else "code" for u in units) + " | sources | chips | gives |\n",
             "|---|" + "---|" * (len(units) + 3) + "\n"]
    for o in group.findall("opcode"):
        if o.get("chips") == "r5x":
            continue
        chips = "R5xx" if o.get("chips") == "r500" else "all"
        text = (o.text or "").strip().replace("|", "\\|")
        codes = " | ".join(o.get(u) or "-" for u in units)
        lines.append(f"| `{o.get('mnemonic') or o.get('name')}` | {codes} | {o.get('sources')} | {chips} | {text} |\n")
    return "".join(lines) + "\n"


def main():
    root, check = sys.argv[1], sys.argv[2:] == ["check"]
    path = os.path.join(root, "docs", "microcode.md")
    before = open(path, encoding="utf-8").read()
    after = re.sub(r"\n{3,}", "\n\n", MARK.sub(lambda m: table(root, m[1], m[2]), before))
    if check:
        if before != after:
            sys.exit("docs/microcode.md is out of date: python3 hw/db/gen/gen_microcode.py .")
        print(f"{len(MARK.findall(before))} tables")
        return
    with open(path, "w", encoding="utf-8") as f:
        f.write(after)


if __name__ == "__main__":
    main()
