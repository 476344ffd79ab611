#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole applications with this driver and with Debian's software drivers, in turn, in one run.

usage: apps.py --manifest FILE [--examples DIR] [--programs FILE,..] [--rounds N] [--frames N] [--size WxH] [--out DIR] [-- COMMAND ARGS...]

Without a command: vkcube (under Xvfb) and all examples in DIR. With one: that command, its whole running time. Each round runs every driver
once; the table gives the median of the rounds and how many times better than the better of the others pumice is (above 1: faster). For the examples a
frame is (time of N+1 frames - time of 1 frame) / N, so that start-up, compilation and writing the PNG cancel out; N is --frames or as
many more as the fastest driver draws in --seconds, because the time of 1 frame varies by milliseconds; "start" is the time of 1 frame, "memory" the most that was
resident while --frames were drawn. Programs (bench_transfer, bench_submit, bench_pipeline) print their own "name<TAB>value<TAB>unit" lines, where "/s" units are better when
larger. Prints Markdown; with --out also writes DIR/apps.md and DIR/apps.svg.
"""
import argparse
import glob
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time

MOST_FRAMES = 10000
STARTS = 40
OTHERS = {"lavapipe": "/usr/share/vulkan/icd.d/lvp_icd.*.json", "SwiftShader": "/usr/lib/chromium/vk_swiftshader_icd.json"}


def drivers(manifest):
    found = {"pumice": os.path.abspath(manifest)}
    for name, pattern in OTHERS.items():
        for path in sorted(glob.glob(pattern))[:1]:
            found[name] = path
    return found


def environment(manifest):
    """Cold: without Mesa's cache of shaders on disk."""
    return dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, MESA_SHADER_CACHE_DISABLE="true")


def seconds(manifest, command):
    """Wall-clock time of one run; None when it fails."""
    env = environment(manifest)
    begin = time.perf_counter()
    done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"{manifest}: {' '.join(command)}: exit code {done.returncode}\n{done.stderr[-400:]}", file=sys.stderr)
        return None
    return time.perf_counter() - begin


# As a program of its own: under xvfb-run the X server would count too. A small interpreter, whose own size is the least that can be seen.
PEAK = "import resource, subprocess, sys; c = subprocess.run(sys.argv[1:], stdout=-3).returncode; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(c)"


def peak(manifest, command, wrapper=()):
    """MB that were resident at most in one run; None when it fails."""
    done = subprocess.run([*wrapper, sys.executable, "-I", "-S", "-c", PEAK, *command], env=environment(manifest), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return None if done.returncode else int(done.stdout.split()[-1]) / 1024


def measure(found, rounds, run):
    """{driver: median of run(manifest)}; drivers alternate so that a slow minute of the machine hits all of them."""
    times = {name: [] for name in found}
    for _ in range(rounds):
        for name, manifest in found.items():
            times[name].append(run(manifest))
    return {name: None if None in t else statistics.median(t) for name, t in times.items()}


def frames(found, args, base):
    """ms of a frame for each driver; `base` is a command that takes a number of frames."""

    def frame(manifest, many):
        short, long = seconds(manifest, base + ["1"]), seconds(manifest, base + [str(many + 1)])
        return None if short is None or long is None else max(long - short, 1e-6) / many * 1e3

    trial = [t for t in (frame(manifest, args.frames) for manifest in found.values()) if t is not None]
    many = max(args.frames, min(int(args.seconds * 1e3 / max(min(trial), 0.01)), MOST_FRAMES)) if trial else args.frames
    return measure(found, args.rounds, lambda manifest: frame(manifest, many))


def example_rows(found, args):
    for path in sorted(glob.glob(os.path.join(args.examples, "example-*"))):
        if not os.access(path, os.X_OK) or os.path.isdir(path):
            continue
        name = os.path.basename(path)[len("example-"):]
        base = [path, "--headless", "--png", os.devnull, "--size", args.size, "--frames"]
        yield f"{name}: start", "ms", measure(found, args.rounds, lambda m: scale(seconds(m, base + ["1"]), 1e3))
        yield f"{name}: frame", "ms", frames(found, args, base)
        yield f"{name}: memory", "MB", measure(found, 1, lambda m: peak(m, base + [str(args.frames)]))


def lines(manifest, command):
    """{(name, unit): value} of a program's own lines; empty when it fails."""
    env = environment(manifest)
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"{manifest}: {' '.join(command)}: exit code {done.returncode}\n{done.stderr[-400:]}", file=sys.stderr)
        return {}
    fields = [line.split("\t") for line in done.stdout.splitlines()]
    return {(f[0], f[2]): float(f[1]) for f in fields if len(f) == 3}


def program_rows(found, args):
    for path in args.programs.split(","):
        values = {}

        def round_of(parts):
            for driver, manifest in found.items():
                for key, value in lines(manifest, [path] + parts).items():
                    values.setdefault(key, {}).setdefault(driver, []).append(value)

        for _ in range(args.rounds):
            round_of(args.only)
        # A start is one sample of a few milliseconds a process: more of them, one after the other.
        for start in sorted({name for name, _ in values if name.startswith("start")}):
            for _ in range(STARTS):
                round_of([start])
        for (name, unit), by_driver in values.items():
            yield name, unit, {d: statistics.median(by_driver[d]) if d in by_driver else None for d in found}


def vkcube_rows(found, args):
    if not shutil.which("vkcube") or not shutil.which("xvfb-run"):
        return
    width, height = args.size.split("x")
    server = ["xvfb-run", "-a", "-s", "-screen 0 1920x1080x24"]
    # MAILBOX: shows frames as fast as they come, and all three drivers have it. SwiftShader has no IMMEDIATE.
    base = ["vkcube", "--present_mode", "1", "--width", width, "--height", height, "--c"]
    yield "vkcube (Xvfb): frame", "ms", frames(found, args, server + base)
    yield "vkcube (Xvfb): memory", "MB", measure(found, 1, lambda m: peak(m, base + [str(args.frames)], server))


def scale(value, factor):
    return None if value is None else value * factor


def ratio(result, unit):
    """How many times better than the better of the others we are."""
    ours = result.get("pumice")
    others = [v for k, v in result.items() if k != "pumice" and v is not None]
    if not ours or not others:
        return None
    return ours / max(others) if unit.endswith("/s") else min(others) / ours


def text(value):
    return "failed" if value is None else f"{value:.{3 if value < 1 else 2 if value < 100 else 0}f}"


def markdown(found, rows):
    yield "| what | unit | " + " | ".join(found) + " | pumice is better by |"
    yield "|---|---|" + "---|" * (len(found) + 1)
    for name, unit, result in rows:
        r = ratio(result, unit)
        yield f"| {name} | {unit} | " + " | ".join(text(result[d]) for d in found) + f" | {'-' if r is None else f'{r:.2f}'} |"


def plot(rows):
    """Bars of the ratio; the line is 1, where pumice and the better of the others take the same time."""
    rows = [(name, ratio(result, unit)) for name, unit, result in rows if ratio(result, unit) is not None]
    top = max([r for _, r in rows] + [2.0])
    width, bar, left = 420, 18, 280
    height = bar * len(rows) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="100%" height="100%" fill="#fff"/>']
    for i, (name, r) in enumerate(rows):
        y = i * bar + 4
        out.append(f'<text x="{left - 6}" y="{y + 12}" text-anchor="end">{name}</text>')
        out.append(f'<rect x="{left}" y="{y}" width="{r / top * width:.1f}" height="{bar - 4}" fill="{"#3a7" if r >= 1 else "#c55"}"/>')
        out.append(f'<text x="{left + r / top * width + 4:.1f}" y="{y + 12}">{r:.2f}</text>')
    one = left + width / top
    out.append(f'<line x1="{one:.1f}" y1="0" x2="{one:.1f}" y2="{height - 22}" stroke="#000" stroke-dasharray="3,3"/>')
    out.append(f'<text x="{left}" y="{height - 6}">how many times better pumice is than the better of the others</text></svg>')
    return "\n".join(out) + "\n"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":")[1].strip() for line in f if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()}, {len(names)} processors"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--manifest", required=True)
    p.add_argument("--examples")
    p.add_argument("--programs", help="programs that print lines themselves, separated by commas")
    p.add_argument("--only", action="append", default=[], metavar="PART", help="only those of the programs' measurements whose name has this part")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--frames", type=int, default=100)
    p.add_argument("--seconds", type=float, default=0.6, help="how long the fastest driver should draw an example")
    p.add_argument("--size", default="1280x720")
    p.add_argument("--out")
    p.add_argument("command", nargs="*")
    args = p.parse_args()
    found = drivers(args.manifest)
    if args.command:
        rows = [(os.path.basename(args.command[0]), "s", measure(found, args.rounds, lambda m: seconds(m, args.command)))]
    else:
        rows = list(vkcube_rows(found, args)) + list(example_rows(found, args)) if args.examples else []
        rows += list(program_rows(found, args)) if args.programs else []
    head = f"{processor()}; {args.size}; median of {args.rounds} alternating rounds, {args.frames} and more frames each"
    table = "\n".join([head, ""] + list(markdown(found, rows)))
    print(table)
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        with open(os.path.join(args.out, "apps.md"), "w", encoding="utf-8") as f:
            f.write(table + "\n")
        with open(os.path.join(args.out, "apps.svg"), "w", encoding="utf-8") as f:
            f.write(plot(rows))
    return 0 if all(r["pumice"] is not None for _, _, r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
