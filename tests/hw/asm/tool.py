#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pumice-asm and pumice-dis on the command line: the examples of docs/microcode.md, and errors with a place.

usage: tool.py PUMICE_ASM PUMICE_DIS
"""
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
sys.exit(1 if failures else 0)
