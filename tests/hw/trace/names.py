#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings declare modules: pumice-replay and pumice-inspect call uniforms, inputs and textures by their names; the bytes are the same.

usage: names.py MANIFEST PUMICE_REPLAY PUMICE_INSPECT OUT_DIR DEPTH_BLEND TEXTURED_QUAD
"""
import os
import re
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(text, *wanted):
    for pattern in wanted:
        if not re.search(pattern, text, re.M):
            sys.exit(f"FAILED: {pattern} is not in\n{text}")


def main():
    manifest, replay, inspect, out, depth_blend, textured_quad = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    for chip in ("r300", "r500", "r5x"):
        traces = {}
        for name, program in (("blend", depth_blend), ("quad", textured_quad)):
            traces[name] = os.path.join(out, f"{chip}-{name}.pmt")
            env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_CHIP=chip, PUMICE_TRACE=traces[name])
            subprocess.run([program, "--size", "64x48", "--png", os.path.join(out, "picture.png")], env=env, check=True, stdout=subprocess.DEVNULL)
            expect(run(replay, traces[name]), "the same bytes as recorded")
        # A module is declared once.
        listing = run(replay, traces["blend"], "--list")
        expect(listing, r"^ +module, bytes from 0 of \d+", r"^ +program, bytes from 0 of \d+")
        last = re.findall(r"-- draw (\d+)", listing)[-1]
        blend = run(replay, traces["blend"], "--draw", last)
        expect(blend, r"push\.transform", r"push\.color", r"; position", r"out_color", r"gl_Position")
        vertex = run(replay, traces["blend"], "--draw", last, "--vertex", "0")
        expect(vertex, r"push\.transform", r"out_color$")
        last = re.findall(r"-- draw (\d+)", run(replay, traces["quad"], "--list"))[-1]
        quad = run(replay, traces["quad"], "--draw", last)
        expect(quad, r"; (tex0 = )?image", r"; .*uv")
        pixel = run(replay, traces["quad"], "--draw", last, "--pixel", "32,24")
        expect(pixel, r"; (tex0 = )?image", r"; uv$", r"  colour 0 = .*; out_color$")
        # The modules themselves, for other tools.
        modules = os.path.join(out, chip + "-modules")
        run(replay, traces["quad"], "--draw", last, "--modules", modules)
        for stage in ("vertex", "fragment"):
            with open(os.path.join(modules, f"draw-{int(last):06}-{stage}.spv"), "rb") as file:
                if file.read(4) != b"\x03\x02\x23\x07":
                    sys.exit(f"FAILED: {file.name} is no module")
        page = os.path.join(out, chip + ".html")
        run(inspect, traces["quad"], "-o", page)
        # What both recordings differ in is what the chip does, not modules.
        if "NOP" in subprocess.run([replay, traces["blend"], traces["quad"]], stdout=subprocess.PIPE, text=True).stdout:
            sys.exit("FAILED: modules are compared")
    print("names in the recordings of three chips")


main()
