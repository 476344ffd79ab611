#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs of the driver on a strict chip write registers that the chip has, and in them bits that are fields of that chip; no barrier
stands directly behind another.

usage: strict_words.py SOURCE_ROOT CHIP REPLAY FOLDER DRIVER_MANIFEST PROGRAM... -- XML...
Every program is recorded on CHIP; the listing of the recording is compared with the database.
"""
import os
import re
import subprocess
import sys

LINE = re.compile(r"^    (\w+?)(?:\[(\d+)\])? = 0x([0-9A-Fa-f]{8}) ")


def masks(root, chip, files):
    """{register: bits that are fields}"""
    sys.path.insert(0, os.path.join(root, "hw", "db", "gen"))
    import database

    chips, _ = database.load(files)
    return {e.name: sum(f.mask for f in e.fields) if e.fields else 0xFFFFFFFF for e in chips[chip]}


def problems(text, known):
    """What lines of a listing write that the chip lacks."""
    out = []
    for line in text.splitlines():
        if m := LINE.match(line):
            name, value = m[1], int(m[3], 16)
            if name not in known:
                out.append(f"{name}: the chip has no such register")
            elif value & ~known[name]:
                out.append(f"{name} = {value:#010x}: bits {value & ~known[name]:#x} are no field")
        elif "no register" in line or re.search(r"type 0 write of 0x", line):
            out.append(line.strip())
    return sorted(set(out))


def repeated_barriers(text):
    """How often a barrier (its last packet writes TX_INVALTAGS) ends where another begins."""
    return len(re.findall(r"^  \w+ type 0 write of TX_INVALTAGS\n.*\n  \w+ type 0 write of RB3D_DSTCACHE_CTLSTAT$", text, re.M))


def main():
    root, chip, replay, folder, manifest = sys.argv[1:6]
    split = sys.argv.index("--")
    programs, files = sys.argv[6:split], sys.argv[split + 1:]
    known = masks(root, chip, files)
    # The check sees what it is for: a register and a bit of another chip.
    if chip == "r300":
        wrong = "    PS3_ENABLE = 0x00000001 {}\n    VAP_CNTL = 0x00020000 {}\n"
        if len(problems(wrong, known)) != 2:
            sys.exit("registers and fields of the R5xx are not found")
    os.makedirs(folder, exist_ok=True)
    bad = 0
    for program in programs:
        trace = os.path.join(folder, os.path.basename(program) + ".trace")
        env = {**os.environ, "PUMICE_CHIP": chip, "PUMICE_TRACE": trace, "VK_DRIVER_FILES": manifest, "VK_ICD_FILENAMES": manifest}
        run = subprocess.run([program, "--png", trace + ".png", "--size", "64x48", "--frames", "1"], env=env, stderr=subprocess.PIPE, text=True)
        if run.returncode or "pumice: chip:" in run.stderr:
            bad += 1
            print(f"{program}: {run.returncode}\n{run.stderr}")
            continue
        text = subprocess.run([replay, trace, "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
        found = problems(text, known)
        if n := repeated_barriers(text):
            found.append(f"{n} barriers directly behind another")
        writes = len(LINE.findall(text)) or sum(1 for line in text.splitlines() if LINE.match(line))
        print(f"{os.path.basename(program)}: {writes} writes, {len(found)} problems")
        bad += bool(found) or writes < 50
        for p in found:
            print("  " + p)
    return 1 if bad else 0


sys.exit(main())
