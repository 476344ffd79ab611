#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pumice-trace: files, exit codes and what it says.

usage: launch.py MANIFEST PUMICE_TRACE PUMICE_REPLAY OUT_DIR EXAMPLE
"""
import os
import re
import shutil
import subprocess
import sys

failures = 0


def main():
    manifest, tool, replay, folder, example = sys.argv[1:6]
    tool, replay, example = (os.path.abspath(p) for p in (tool, replay, example))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest)
    for name in ("PUMICE_TRACE", "PUMICE_TRACE_LIMIT", "PUMICE_CHIP"):
        env.pop(name, None)
    draw = [example, "--headless", "--frames", "2", "--size", "64x48"]
    name = os.path.basename(example)

    def expect(arguments, code, *texts, command=None):
        global failures
        done = subprocess.run((command or [tool]) + arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd=folder)
        missing = [t for t in texts if not re.search(t, done.stdout)]
        if done.returncode != code or missing:
            failures += 1
            print(f"FAILED: {' '.join(arguments)}\n  exit code {done.returncode}, expected {code}; missing: {missing}\n{done.stdout}")

    expect(draw, 0, rf"{name}\.pmt, [\d.]+ MiB", r"pumice-replay \S+ --draw 1")
    expect([f"{name}.pmt"], 0, "the same bytes as recorded", command=[replay])
    # The second recording leaves the first one alone.
    expect(["--", *draw], 0, rf"{name}-2\.pmt, ")
    expect(["--chip", "r500", "-o", "a.pmt", *draw], 0, r"a\.pmt, ")
    # The header's profile (hw/radeon/trace/format.h).
    assert open(os.path.join(folder, "a.pmt"), "rb").read(20)[16] == 5
    expect(["-o", "a.pmt", *draw], 2, r"a\.pmt exists; --force replaces it")
    expect(["--force", "-o", "a.pmt", *draw], 0, r"a\.pmt, ")
    expect(["-o", "no/such/a.pmt", *draw], 2, r"no/such/a\.pmt: No such file or directory")
    expect(["--limit", "0", *draw], 2, "--limit 0: expected a number of MiB, at least 1")
    expect(["--nosuch", *draw], 2, "unknown option '--nosuch'")
    expect(["-o"], 2, "-o needs a value")
    expect([], 2, "which application")
    # Exit codes are the application's; what was never recorded is no recording.
    expect(["sh", "-c", "exit 7"], 7, "nothing was recorded")
    expect(["sh", "-c", "kill -9 $$"], 137, "nothing was recorded")
    expect(["true"], 3, "nothing was recorded")
    expect(["./no-such-program"], 127, "no-such-program: No such file or directory")
    assert not os.path.exists(os.path.join(folder, "true.pmt"))
    return failures != 0


sys.exit(main())
