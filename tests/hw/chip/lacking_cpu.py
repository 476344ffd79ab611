#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A PUMICE_CPU value that this processor lacks is skipped by name, before any test runs: usage: lacking_cpu.py CHIP_TESTS. glibc hides the instruction set."""
import os
import subprocess
import sys

HIDDEN = {"avx2": "-AVX2,-AVX512F", "avx512": "-AVX512F"}


def main():
    wrong = 0
    for word, hidden in HIDDEN.items():
        env = dict(os.environ, PUMICE_EXEC="fast", PUMICE_CPU=word, GLIBC_TUNABLES="glibc.cpu.hwcaps=" + hidden)
        done = subprocess.run([sys.argv[1]], env=env, capture_output=True, text=True)
        if done.returncode != 77 or done.stdout != f"skipped: this processor lacks {word}\n":
            wrong += 1
            print(f"PUMICE_CPU={word}: ended with {done.returncode}, expected 77; said:\n{done.stdout[:2000]}{done.stderr[:2000]}")
    # Without the instruction set the tests that do not ask for it run.
    env = dict(os.environ, PUMICE_EXEC="fast", PUMICE_CPU="portable", GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-AVX512F")
    done = subprocess.run([sys.argv[1], "--gtest_filter=Execution.LackingInstructionSetsAreRefusedByName"], env=env, capture_output=True, text=True)
    if done.returncode or "[  PASSED  ] 1 test" not in done.stdout:
        wrong += 1
        print(f"ended with {done.returncode}; said:\n{done.stdout[:2000]}{done.stderr[:2000]}")
    return 1 if wrong else 0


sys.exit(main())
