#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lives of pixels and vertices of recorded examples: the reference, which reports them, writes the recorded bytes; weights of a fetch's texels add
up to 1 and their sum is its result.

usage: lives.py MANIFEST PUMICE_REPLAY OUT_DIR PROGRAM [ARGS...]
"""
import os
import random
import re
import subprocess
import sys

WIDTH, HEIGHT, LOOKS = 160, 120, 12
NUMBER = r"-?[\d.]+(?:e[-+]\d+)?"


def life(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode or "the same bytes as recorded" not in done.stdout:
        sys.exit(f"FAILED: {' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def numbers(text):
    return [float(n) for n in re.findall(NUMBER, text)]


def check_fetches(text):
    """Of each fetch of four channels in the order of the texel. Returns how many there were."""
    fetches = 0
    for block in re.split(r"\n(?= {6,8}\d+: )", text):
        texels = re.findall(r"C0..C3 \((.*)\), weight (" + NUMBER + ")", block)
        result = re.search(r"-> r\d+\.rgba = \((.*)\)", block)
        if not texels or not result or "GATHER" in block:
            continue
        fetches += 1
        total = sum(float(w) for _, w in texels)
        wanted = [sum(numbers(v)[c] * float(w) for v, w in texels) for c in range(4)]
        got = numbers(result[1])
        if abs(total - 1) > 1e-6 or any(abs(a - b) > 1e-4 for a, b in zip(sorted(wanted), sorted(got))):
            sys.exit(f"FAILED: weights add up to {total}, the filter gives {wanted}\n{block}")
    return fetches


def main():
    manifest, replay, out, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    os.makedirs(out, exist_ok=True)
    trace = os.path.join(out, os.path.basename(command[0]) + ".pmt")
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_TRACE=trace)
    subprocess.run(command + ["--size", f"{WIDTH}x{HEIGHT}", "--png", os.path.join(out, "picture.png")], env=env, check=True, stdout=subprocess.DEVNULL)
    # Dispatches have numbers of the same sequence.
    draws = [int(n) for n in re.findall(r"-- draw (\d+)$", life([replay, trace, "--list"]), re.M)]
    dice = random.Random(1)
    covered = programs = fetches = vertices = 0
    for _ in range(LOOKS):
        # One pixel through all draws (of few).
        at = f"{dice.randrange(WIDTH // 4, 3 * WIDTH // 4)},{dice.randrange(HEIGHT // 4, 3 * HEIGHT // 4)}"
        for draw in draws if len(draws) <= 8 else dice.sample(draws, 8):
            text = life([replay, trace, "--draw", str(draw), "--pixel", at])
            covered += "primitive " in text
            programs += bool(re.search(r"^  US$", text, re.M))
            fetches += check_fetches(text)
        vertex = life([replay, trace, "--draw", str(dice.choice(draws)), "--vertex", str(dice.randrange(4))])
        vertices += "clip position (" in vertex
    print(f"{len(draws)} draws: {covered} lives, {programs} programs, {fetches} fetches, {vertices} vertices")
    return 0 if covered and programs and vertices else 1


sys.exit(main())
