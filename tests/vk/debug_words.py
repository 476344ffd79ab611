#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the switches of icd/debug.cpp print: usage: debug_words.py EXAMPLE. Fails with what was expected and not found."""
import os
import subprocess
import sys

EXPECTED = {  # PUMICE_DEBUG: texts that standard error must hold
    "packets": ("pumice: stream at 0x", "VAP_VF_CNTL", "RB3D_COLOROFFSET", "US_CODE_ADDR"),
    "submit": ("pumice:",),
    "stats": ("temps",),
    "help": ("watchdog", "PUMICE_THREADS"),
    "packts": ("unknown word 'packts'",),
    "quiet": (),
}


def main():
    wrong = 0
    for word, texts in EXPECTED.items():
        run = subprocess.run([sys.argv[1], "--headless", "--size", "64x64", "--frames", "1"], env={**os.environ, "PUMICE_DEBUG": word},
                             stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        missing = [t for t in texts if t not in run.stderr]
        if run.returncode or missing or (word == "quiet" and run.stderr):
            wrong += 1
            print(f"PUMICE_DEBUG={word}: ended with {run.returncode}, lacks {missing}; said:\n{run.stderr[:2000]}")
    return 1 if wrong else 0


sys.exit(main())
