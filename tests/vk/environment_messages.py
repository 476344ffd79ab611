#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All that a process prints for a bad variable, to the letter and once: usage: environment_messages.py PROBE [lacking] (doctor_probe.cpp, which
makes a device); `lacking`: also with instruction sets hidden by glibc"""
import os
import subprocess
import sys

CASES = [  # variables, exit code of the probe, standard error
    ({}, 0, ""),
    ({"PUMICE_THREADS": "0"}, 0, "pumice: PUMICE_THREADS=0: expected a number from 1 to 256; using the default\n"),
    ({"PUMICE_TRACE_LIMIT": "0"}, 0, "pumice: PUMICE_TRACE_LIMIT=0: expected a number of MiB, at least 1; the recording has no limit\n"),
    ({"PUMICE_FOO": "1"}, 0, "pumice: PUMICE_FOO: no such variable; PUMICE_DEBUG=help lists them\n"),
    ({"PUMICE_EXCE": "ref"}, 0, "pumice: PUMICE_EXCE: no such variable, did you mean PUMICE_EXEC?\n"),
    ({"PUMICE_EXEC": "foo"}, 0, "pumice: PUMICE_EXEC=foo: expected fast, ref or check; using fast\n"),
    ({"PUMICE_CHIP": "rdp", "PUMICE_EXEC": "check"}, 0, "pumice: PUMICE_EXEC=check: expected fast or ref for an RDP; using fast\n"),
    ({"PUMICE_CHIP": "rdp", "PUMICE_RDRAM": "99"}, 0, "pumice: PUMICE_RDRAM=99: expected 1 to 16 (MiB); using 8\n"),
    ({"PUMICE_CHIP": "r50"}, 3, "pumice: PUMICE_CHIP=r50: expected r5x, r500, r300, rdp or all; there is no device\n"),
    ({"PUMICE_CAPTURE": "/proc/no/such"}, 0, "pumice: PUMICE_CAPTURE=/proc/no/such: No such file or directory; frames are not captured\n"),
    ({"PUMICE_CAPTURE_FRAMES": "9-1"}, 0, "pumice: PUMICE_CAPTURE_FRAMES=9-1: expected a-b or a number, with a <= b; capturing all frames\n"),
    ({"PUMICE_LOG": "/no/such/folder/log"}, 0, "pumice: PUMICE_LOG=/no/such/folder/log: No such file or directory; nothing is logged\n"),
    ({"PUMICE_FOO": "1", "PUMICE_EXEC": "foo", "PUMICE_DEBUG": "quiet"}, 0, ""),
]
LACKING = [  # glibc hides the instruction set from the driver
    ({"PUMICE_CPU": word, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F"}, 0,
     f"pumice: PUMICE_CPU={word}: this processor or this build lacks it; using the best there is\n") for word in ("avx2", "avx512")
]


def main():
    wrong = 0
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PUMICE_")}
    for variables, code, text in CASES + (LACKING if "lacking" in sys.argv[2:] else []):
        done = subprocess.run([sys.argv[1]], env={**plain, **variables}, capture_output=True, text=True)
        if done.returncode != code or done.stderr != text:
            wrong += 1
            print(f"{variables}: exit code {done.returncode}, expected {code}; said:\n{done.stderr}expected:\n{text}")
    return 1 if wrong else 0


sys.exit(main())
