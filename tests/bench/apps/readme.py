#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The figures of README.md on the default device: vkcube, Warzone 2100, a pipeline to its first picture; beside lavapipe and SwiftShader.

usage: readme.py --manifest FILE --pipelines PROGRAM [--readme FILE] [--rounds N] [--no-warzone]

Prints the rows of README.md's table; with --readme replaces them there, others stay. Warzone is installed where it is missing (as root). On a quiet machine.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import types

import apps

HERE = os.path.dirname(os.path.abspath(__file__))
APPLICATIONS = os.path.join(HERE, "..", "..", "applications", "applications.py")


def cell(value):
    return "" if value is None else f"{value:.{0 if value >= 20 else 1 if value >= 10 else 2}f}"


def row(what, unit, result):
    return f"| {what} | " + " | ".join(f"{cell(result.get(d))} {unit}".strip() if result.get(d) else "" for d in ("pumice", "lavapipe", "SwiftShader")) + " |"


def warzone(manifest):
    """Frames per second by driver, from applications.py."""
    with tempfile.TemporaryDirectory() as out:
        text = subprocess.run([sys.executable, APPLICATIONS, "--manifest", manifest, "--only", "Warzone 2100", "--seconds", "30", "--out", out],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
    cells = [c.strip() for line in text.splitlines() if line.startswith("| Warzone") for c in line.split("|")]
    try:
        return {"pumice": float(cells[4]), "lavapipe": float(cells[6])}
    except (IndexError, ValueError):
        sys.exit(f"readme: Warzone gave no frame rates:\n{text}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--manifest", required=True)
    p.add_argument("--pipelines", required=True, help="bench_pipeline")
    p.add_argument("--readme")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--no-warzone", action="store_true")
    args = p.parse_args()
    os.environ.pop("PUMICE_CHIP", None)  # the default one
    found = apps.drivers(args.manifest)
    rows = []
    cube = types.SimpleNamespace(size="1280x720", frames=100, seconds=0.6, rounds=args.rounds)
    for name, unit, result in apps.vkcube_rows(found, cube):
        rows.append(row("vkcube at 1280x720, " + ("a frame" if name.endswith("frame") else "memory"), unit, result))
    if not args.no_warzone:
        rows.append(row("Warzone 2100, its screen before a skirmish", "frames/s", warzone(args.manifest)))
    pipelines = types.SimpleNamespace(programs=args.pipelines, only=["lit pixels"], rounds=args.rounds)
    rows += [row("a lit pipeline, from its creation to its first picture", unit, result)
             for name, unit, result in apps.program_rows(found, pipelines) if name == "lit pixels: to the first picture"]
    print(f"{apps.processor()}; median of {args.rounds} rounds in turn", *rows, sep="\n")
    if args.readme:
        text = open(args.readme, encoding="utf-8").read()
        for line in rows:
            what = line.split("|")[1]
            text, n = re.subn(rf"(?m)^\|{re.escape(what)}\|.*$", lambda _: line, text)
            if n != 1:
                sys.exit(f"readme: {args.readme} has no row '{what.strip()}'")
        open(args.readme, "w", encoding="utf-8").write(text)
    return 0


sys.exit(main())
