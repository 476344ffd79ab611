#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The matrix of tests/bench/matrix on this driver and on others, in turn, as one table with ratios to the best of the others.

usage: ./pumice bench matrix [OPTIONS]
  --line NAME      only this line, or lines whose names match a pattern ('texture/*SRGB*'); again for more
  --quick          a selection of lines that takes minutes
  --list           the names of the lines
  --chips A,B      columns of this driver (default: r500,r5x)
  --peer NAME=WHAT another driver: its manifest (.json), or a command that runs a program on it (a chroot with another release, say);
                   NAME alone leaves one out: of the found ones lavapipe, SwiftShader
  --rounds N       how often every driver takes its turn (default 3)
  --seconds S      per line, driver and round (default 0.1; --quick: 0.05)
  --cpus N         all drivers on N processors
  --limit S        a line that takes longer is given up (default 60)
  --goal X         lines below X are listed (default 1.5)
  --out FOLDER     matrix.md and matrix.json (default: out/matrix); not with --line
  --compare FILE   a matrix.json of before: what became slower by more than 5 %
  --no-windows     without the lines of frames in X windows

The rate is that of the fastest sample, as long as a machine may have other work; beside it stands the ratio of medians. A line that a driver lacks is "-".
Each driver's picture is compared with the others' (averages of 64 parts): where it agrees with none, its rate is in brackets and does not count.
"""
import argparse
import contextlib
import fnmatch
import glob
import json
import math
import os
import platform
import selectors
import signal
import statistics
import subprocess
import sys
import time

CHUNK = 20
TOLERANCE = 0.05  # of a picture's averages; of buffers, times their largest
LOGIC_TOLERANCE = 0.15  # XOR makes a last bit that was rounded otherwise a large one
FOUND = {"lavapipe": "/usr/share/vulkan/icd.d/lvp_icd*.json", "SwiftShader": "/usr/lib/chromium/vk_swiftshader_icd.json"}


class Driver:
    def __init__(self, name, ours, environment=None, prefix=()):
        self.name, self.ours, self.prefix = name, ours, list(prefix)
        self.environment = dict(os.environ, MESA_SHADER_CACHE_DISABLE="true", **(environment or {}))
        self.results = {}  # line: [(best, median)]
        self.pictures = {}  # line: numbers
        self.missing = {}  # line: why

    def best(self, line):
        return max(best for best, _ in self.results[line]) if line in self.results else None

    def median(self, line):
        return statistics.median(median for _, median in self.results[line]) if line in self.results else None

    def selected(self, line):
        return line not in self.missing


def manifest_environment(path):
    return {"VK_DRIVER_FILES": path, "VK_ICD_FILENAMES": path}


def drivers(args):
    found = [Driver(chip, True, {**manifest_environment(os.path.abspath(args.manifest)), "PUMICE_CHIP": chip}) for chip in args.chips.split(",") if chip]
    peers = {name: paths[0] for name, pattern in FOUND.items() if (paths := sorted(glob.glob(pattern)))}
    for peer in args.peer:
        name, _, what = peer.partition("=")
        if what:
            peers[name] = what
        elif not peers.pop(name, None):
            sys.exit(f"matrix: there is no driver '{name}' to leave out; found: {', '.join(peers)}")
    for name, what in peers.items():
        if what.endswith(".json"):
            found.append(Driver(name, False, manifest_environment(what)))
        else:
            found.append(Driver(name, False, prefix=what.split()))
    return found


def run_lines(driver, program, lines, seconds, limit):
    """One process measures what it can of `lines`; what ends it, or takes too long, is left out and the rest goes on in another."""
    todo = list(lines)
    while todo:
        process = subprocess.Popen([*driver.prefix, program, "--seconds", str(seconds), *todo], env=driver.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        selector = selectors.DefaultSelector()
        selector.register(process.stdout, selectors.EVENT_READ)
        rest, why = "", None
        while todo:
            if not selector.select(limit):
                os.killpg(process.pid, signal.SIGKILL)
                why = f"took longer than {limit:g} s"
                break
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                break
            rest += chunk.decode()
            *complete, rest = rest.split("\n")
            for text in complete:
                fields = text.split("\t")
                if len(fields) < 3 or fields[0] != todo[0]:
                    continue
                if fields[1] == "-":
                    driver.missing[fields[0]] = fields[2]
                else:
                    driver.results.setdefault(fields[0], []).append((float(fields[1]), float(fields[2])))
                    driver.pictures[fields[0]] = [float(x) for x in fields[4].split(",")]
                todo.pop(0)
        process.stdout.close()
        code = process.wait()
        if todo:
            failed = todo.pop(0)
            driver.missing[failed] = why or f"ended with {code}"
            driver.results.pop(failed, None)


@contextlib.contextmanager
def x_server():
    """A private X server on the same processors; yields its display."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24", "-noreset"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            yield ":" + numbers.readline().strip()
    finally:
        server.terminate()
        server.wait()


def run_windows(driver, program, display):
    """The lines of bench-window, milliseconds per frame."""
    done = subprocess.run([*driver.prefix, program], env=dict(driver.environment, DISPLAY=display), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    names = []
    for fields in (text.split("\t") for text in done.stdout.splitlines()):
        if len(fields) == 3 and fields[2] == "ms":
            names.append("window/" + fields[0].removeprefix("window "))
            driver.results.setdefault(names[-1], []).append((1e3 / float(fields[1]),) * 2)
    return names


def difference(a, b):
    """Of two pictures' averages, relative to the largest where that is more than 1; not a number differs from everything."""
    if len(a) != len(b):
        return math.inf
    scale = max(1.0, *map(abs, a), *map(abs, b))
    most = max(abs(x - y) for x, y in zip(a, b)) / scale
    return most if most == most else math.inf


def agrees(driver, others, line):
    """True where the picture is that of another driver, or there is none to compare with. This driver's two chips do not speak for each other."""
    mine = driver.pictures.get(line)
    theirs = [d.pictures[line] for d in others if d is not driver and line in d.pictures and not (driver.ours and d.ours)]
    return mine is None or not theirs or min(difference(mine, t) for t in theirs) <= (LOGIC_TOLERANCE if line.endswith("/logic") else TOLERANCE)


def ratio(driver, all_drivers, line, value):
    peers = [value(d, line) for d in all_drivers if not d.ours and line in d.results and agrees(d, all_drivers, line)]
    mine = value(driver, line)
    return mine / max(peers) if peers and mine and agrees(driver, all_drivers, line) else None


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def number(value):
    return f"{value:.4g}" if value is not None else "-"


def table(found, lines, units):
    ours = [d for d in found if d.ours]
    heads = ["line", "unit", *(d.name for d in found)] + [f"{d.name}: {what}" for d in ours for what in ("ratio", "of medians")]
    yield "| " + " | ".join(heads) + " |"
    yield "|---" * len(heads) + "|"
    for line in lines:
        cells = [line, units[line]]
        for d in found:
            text = number(d.best(line))
            cells.append(text if text == "-" or agrees(d, found, line) else f"({text})")
        for d in ours:
            cells += [number(ratio(d, found, line, Driver.best)), number(ratio(d, found, line, Driver.median))]
        yield "| " + " | ".join(cells) + " |"


def summary(found, lines, goal):
    for d in (d for d in found if d.ours):
        ratios = {line: r for line in lines if (r := ratio(d, found, line, Driver.best)) is not None}
        if not ratios:
            yield f"**{d.name}**: no line in common with another driver"
            continue
        yield f"**{d.name}**: {len(ratios)} lines, geometric mean {geometric_mean(ratios.values()):.2f}, smallest {min(ratios.values()):.2f}"
        yield ""
        yield f"| group | lines | geometric mean | smallest | below {goal:g} |"
        yield "|---|---|---|---|---|"
        for group in dict.fromkeys(line.split("/")[0] for line in ratios):
            part = [r for line, r in ratios.items() if line.split("/")[0] == group]
            yield f"| {group} | {len(part)} | {geometric_mean(part):.2f} | {min(part):.2f} | {sum(r < goal for r in part)} |"
        yield ""
        low = sorted((r, line) for line, r in ratios.items() if r < goal)
        if low:
            yield f"Below {goal:g} on {d.name}:"
            yield ""
            yield from (f"* {r:.2f} {line}" for r, line in low)
            yield ""
        lacks = {line: why for line, why in d.missing.items() if line in lines}
        broken = {line: why for line, why in lacks.items() if why.startswith(("ended", "took"))}
        if lacks:
            yield f"{d.name} lacks {len(lacks)} lines" + (f", of these failed: {'; '.join(f'{line} ({why})' for line, why in broken.items())}" if broken else "")
            yield ""
        wrong = [line for line in lines if not agrees(d, found, line)]
        if wrong:
            yield f"{d.name} draws these as no other driver does: " + "; ".join(wrong)
            yield ""


def compared(found, path):
    """Lines of this driver that became slower by more than 5 % since `path`, or faster by more."""
    before = json.load(open(path, encoding="utf-8"))["drivers"]
    for d in (d for d in found if d.ours and d.name in before):
        old = before[d.name]["best"]
        change = sorted((d.best(line) / old[line], line) for line in d.results if old.get(line))
        if change:
            yield f"{d.name} against {path}: geometric mean {geometric_mean([c for c, _ in change]):.3f}"
            yield from (f"* {c:.2f} {line}" for c, line in change if c < 0.95)


def parse():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0].replace("%", "%%"))
    for flag in ("--program", "--manifest", "--window-program", "--compare"):
        parser.add_argument(flag)
    for flag in ("--quick", "--list", "--no-windows"):
        parser.add_argument(flag, action="store_true")
    for flag in ("--line", "--peer"):
        parser.add_argument(flag, action="append", default=[])
    parser.add_argument("--chips", default="r500,r5x")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpus", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--goal", type=float, default=1.5)
    parser.add_argument("--out", default="out/matrix")
    return parser.parse_args()


def choose(args, rows):
    """The names of the lines to measure, and whether those in windows belong to them."""
    if args.line:
        names = [row[0] for row in rows if any(row[0] == want or fnmatch.fnmatchcase(row[0], want) for want in args.line)]
        windows = any(want.startswith("window") for want in args.line)  # all of them, from one program
        if not names and not windows:
            sys.exit(f"matrix: no line is called {' or '.join(args.line)}; --list names them")
        return names, windows
    return [row[0] for row in rows if not args.quick or row[2] == "quick"], True


def main():
    args = parse()
    rows = [text.split("\t") for text in subprocess.run([args.program, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()]
    if args.list:
        print("\n".join(row[0] for row in rows))
        return
    lines, windows = choose(args, rows)
    units = {row[0]: row[1] for row in rows}
    if args.cpus:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:args.cpus])
    found = drivers(args)
    seconds = args.seconds or (0.05 if args.quick else 0.1)
    begin = time.monotonic()
    for start in range(0, len(lines), CHUNK):
        part = lines[start:start + CHUNK]
        for _ in range(args.rounds):
            for d in found:
                run_lines(d, args.program, [line for line in part if d.selected(line)], seconds, args.limit)
        print(f"matrix: {start + len(part)} of {len(lines)} lines, {time.monotonic() - begin:.0f} s", file=sys.stderr)
    if windows and args.window_program and not args.no_windows:
        with x_server() as display:
            for _ in range(args.rounds):
                for d in found:
                    for name in run_windows(d, args.window_program, display):
                        if name not in units:
                            units[name] = "frames/s"
                            lines.append(name)
    heading = f"{platform.machine()}, {len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f}; {args.rounds} rounds in turn, {seconds:g} s per line"
    text = [heading, "", *summary(found, lines, args.goal), *(compared(found, args.compare) if args.compare else ()), ""]
    if args.line:
        print("\n".join([*table(found, lines, units), "", *text]))
        return
    print("\n".join(text))
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "matrix.md"), "w", encoding="utf-8") as out:
        out.write("\n".join(["# Matrix", "", *text, *table(found, lines, units)]) + "\n")
    with open(os.path.join(args.out, "matrix.json"), "w", encoding="utf-8") as out:
        json.dump({"heading": heading, "units": units, "drivers": {d.name: {
            "best": {line: d.best(line) for line in d.results}, "median": {line: d.median(line) for line in d.results}, "missing": d.missing} for d in found}}, out, indent=1)
    print(f"the table: {os.path.join(args.out, 'matrix.md')}")


main()
