#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of the microcode course and compares what they print with what the chapters say.

usage: check.py [--write] MANIFEST PROGRAM...     (the tools and examples: pumice-compile, pumice-asm, pumice-dis, pumice-replay, pumice-inspect, example-*)

A chapter's blocks ```console are run in order in one folder, which all chapters share and which has `shaders/`. A line that begins with "$ " is a
command for bash; the lines behind it are its output, standard error included. "…" in an output stands for anything in its line. With --write the outputs are
replaced by those of this run: places in buffers, which the driver may choose anew, become "…".
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
PLACES = [(re.compile(r"(IB1|IB2|ring) 0x[0-9A-F]+ dword 0x[0-9A-F]+"), r"\1 …"), (re.compile(r"digest [0-9a-f]{16}"), "digest …"),
          (re.compile(r"\b(at|from) 0x[0-9a-f]{5,}"), r"\1 …"), (re.compile(r"\d+\.\d+ MB"), "… MB")]


def commands_of(block):
    """[(command, expected output)]"""
    out = []
    for line in block.splitlines():
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif out:
            out[-1][1].append(line)
    return out


def run(command, folder, env):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return done.stdout.splitlines()


def matches(line, expected):
    return re.fullmatch(".*".join(re.escape(p) for p in expected.split("…")), line) is not None


def shown(lines):
    for pattern, text in PLACES:
        lines = [pattern.sub(text, l) for l in lines]
    return lines


def chapter(path, folder, env, write):
    """Number of commands that print something else."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    wrong = count = 0

    def check(match):
        nonlocal wrong, count
        lines = []
        for command, expected in commands_of(match[1]):
            got = run(command, folder, env)
            count += 1
            lines += ["$ " + command] + shown(got)
            if len(got) != len(expected) or not all(map(matches, got, expected)):
                wrong += 1
                if not write:
                    print(f"{os.path.basename(path)}: $ {command}\n  prints\n" + "\n".join("    " + l for l in got) + "\n  not\n" + "\n".join("    " + l for l in expected))
        return "```console\n" + "".join(l + "\n" for l in lines) + "```"

    changed = BLOCK.sub(check, text)
    if write and changed != text:
        with open(path, "w", encoding="utf-8") as f:
            f.write(changed)
    print(f"{os.path.basename(path)}: {count} commands" + (f", {wrong} {'written anew' if write else 'print something else'}" if wrong else ""))
    return 0 if write else wrong


def main():
    args = [a for a in sys.argv[1:] if a != "--write"]
    manifest, tools = os.path.abspath(args[0]), list(dict.fromkeys(os.path.dirname(os.path.abspath(a)) for a in args[1:]))
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PATH=os.pathsep.join(tools + [os.environ["PATH"]]), LC_ALL="C.UTF-8")
    for name in [n for n in env if n.startswith("PUMICE_")]:
        del env[name]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(HERE, "shaders"), os.path.join(folder, "shaders"))
        chapters = sorted(glob.glob(os.path.join(HERE, "[0-9]*.md")))
        return 1 if sum(chapter(c, folder, env, "--write" in sys.argv) for c in chapters) or len(chapters) != 10 else 0


sys.exit(main())
