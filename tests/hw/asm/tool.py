#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pumice-asm and pumice-dis on the command line: the examples of docs/microcode.md, and errors with a place.

usage: tool.py PUMICE_ASM PUMICE_DIS
"""
import random
import re
import subprocess
import sys

assembler, disassembler = sys.argv[1:3]
failures = 0


def expect(command, code, text, given=""):
    """Runs the command; its exit code is given and its output has `text`. Returns the output."""
    global failures
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != code or text not in done.stdout:
        failures += 1
        print(f"FAILED: {' '.join(command)}\n  exit code {done.returncode}, expected {code}; missing: {text!r}\n{done.stdout}")
    return done.stdout


line = "OUT  MAX.copy out0.rgb, r0.rgb, r0.rgb | MAX.copy out0.a, r0.a, r0.a  {sem_wait last}"
words = expect([assembler], 0, "", f"; a listing\n  0: {line}\n\n")
expect([disassembler, "us", *words.split()], 0, line)
expect([disassembler], 0, line, words)
alu = "OUT  MAD r0.rgb&out0.rgb, r1.gbr, c3.aaa, srcp.rgb srcp=1-r2 | RCP r0.a, r1.a"
expect([disassembler, "us_r300", *expect([assembler, "us_r300"], 0, "", alu).split()], 0, alu)
lookup = "TEX  PROJ r3.rgba, r4.rgba, tex15"
expect([disassembler, "us_r300_tex", *expect([assembler, "us_r300_tex"], 0, "", lookup).split()], 0, lookup)
expect([assembler, "us_r300"], 1, "the R3xx has no such swizzle", "ALU  MAX r1.rgb, r2.grb, r2.grb")
expect([assembler, "us_r300"], 1, "the R3xx has no such operation", "ALU  SIN r1.a, r2.a")
expect([assembler, "us_r300"], 1, "the R3xx has no such constant above c31", "ALU  MAX r1.rgb, c32.rgb, c32.rgb")
expect([assembler, "us_r300_tex"], 1, "the R3xx has no such coordinate swizzle", "TEX  LD r3.rgba, r4.grba, tex0")
vertex = "VE  MAD o0.xyzw, c1.xyzw, r2.-x-y-z1, i0.wwww"
expect([disassembler, "pvs", *expect([assembler, "pvs"], 0, "", vertex).split()], 0, vertex)
expect([disassembler, "r500", "ZB_CNTL", "16"], 0, "ZB_CNTL ")
by_address = expect([disassembler, "r500", "4f00", "16"], 0, "ZB_CNTL ")
expect([assembler, "r500"], 0, "00000016", by_address)
expect([assembler], 1, "(input):2:6: the RGB unit has no operation", line + "\nALU  FOO r1.rgb, r0.rgb\n")
expect([assembler, "what", "more"], 2, "usage")
expect([assembler, "none.txt"], 2, "none.txt cannot be read")
expect([disassembler, "us", "1", "2"], 2, "an instruction has 6 words, here are 2")
expect([disassembler, "us", "g"], 2, "'g' is no word")
expect([disassembler, "r500", "NOTHING", "1"], 2, "r500 has no register or word NOTHING")
# Damaged listings: whatever they hold, the tool ends with an exit code of its own, and each error has a place in the file.
noise = random.Random(7)
listings = {"us": line, "us_r300": alu, "us_r300_tex": lookup, "pvs": vertex, "r500": by_address.strip(), "r300": "US_CONFIG NLEVEL=3 FIRST_TEX=1"}
for name, good in listings.items():
    damaged = []
    for _ in range(300):
        text = bytearray(good.encode())
        for _ in range(noise.randint(1, 4)):
            at = noise.randrange(len(text))
            if noise.random() < 0.3:
                del text[at : at + noise.randint(1, 9)]
            else:
                text[at] = noise.randrange(256)
            text = text or bytearray(b"x")
        damaged.append(bytes(text).replace(b"\n", b" "))
    done = subprocess.run([assembler, name], input=b"\n".join(damaged), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    places = re.findall(rb"^\(input\):(\d+):(\d+): .", done.stderr, re.M)
    if done.returncode != 1 or len(places) < 100 or any(int(n) > len(damaged) or int(c) > len(damaged[int(n) - 1]) + 1 for n, c in places):
        failures += 1
        print(f"FAILED: {name}, damaged: exit code {done.returncode}, {len(places)} errors")
for _ in range(200):
    junk = ["".join(chr(noise.choice([*range(33, 127)])) for _ in range(noise.randint(1, 9))) for _ in range(noise.randint(1, 7))]
    done = subprocess.run([disassembler, noise.choice([*listings, "x"]), *junk], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 2) or (done.returncode and not done.stderr):
        failures += 1
        print(f"FAILED: pumice-dis {junk}: exit code {done.returncode}")
sys.exit(1 if failures else 0)
