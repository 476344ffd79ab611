#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pumice-replay's options and what it says of bad input, on a recording of an example that presents frames.

usage: tool.py MANIFEST PUMICE_REPLAY OUT_DIR EXAMPLE
"""
import os
import re
import shutil
import subprocess
import sys

failures = 0


def expect(command, code, *texts, env=None):
    """Runs the command; its exit code and every text (a pattern) of its output are given. Returns the output."""
    global failures
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    missing = [t for t in texts if not re.search(t, done.stdout)]
    if done.returncode != code or missing:
        failures += 1
        print(f"FAILED: {' '.join(command)}\n  exit code {done.returncode}, expected {code}; missing: {missing}\n{done.stdout}")
    return done.stdout


def main():
    manifest, replay, out, example = sys.argv[1:5]
    folder = os.path.join(out, "tool")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    at = lambda name: os.path.join(folder, name)
    trace = at("a.pmt")
    expect([example, "--frames", "4", "--size", "160x120"], 0, env=dict(os.environ, PUMICE_CHIP="r500", VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_TRACE=trace))
    play = [replay, trace]
    whole = expect(play + ["--digests"], 0, "the same bytes as recorded")
    frames = re.findall(r"^frame \d+ .*$", whole, re.M)
    draws = int(re.search(r"(\d+) draws", whole)[1])
    # All of them, also the last one, whose label is the last packet before the device goes.
    assert len(frames) == 4 and draws >= 4, whole
    expect(play + ["--frame", "1", "--png", at("frame")], 0)
    assert os.listdir(at("frame")) == ["frame-000001.png"], os.listdir(at("frame"))
    for i, line in enumerate(frames):
        expect(play + ["--frame", str(i)], 0, "^" + re.escape(line))
    count = len(frames)
    expect(play + ["--frame", str(count)], 2, f"--frame {count}: the recording has {count} frames")
    expect(play + ["--draw", str(draws), "--list", "--png", at("draw")], 0, f"draw {draws}, type 3", f"-- draw {draws}\n")
    assert os.listdir(at("draw")) == [f"draw-{draws:06}-00.png"], os.listdir(at("draw"))
    # The state, the life of a pixel and of a vertex; two recordings.
    expect(play + ["--draw", "2"], 0, r"  RB3D_COLORPITCH\[0\] = 0x", "vertex program, slots", r"OUT  .* out0\.", "differences from the draw before")
    life = expect(play + ["--draw", "2", "--pixel", "80,60"], 0, "^draw 2, ", "primitive 1: triangle", r"edge 2: ", r"r0 = \(.*RS_INST\[0\]", r"-> out0\.rgb = ", r"-> stored 0x[0-9a-f]{8},")
    expect(play + ["--draw", "2", "--pixel", "80,60", "--exec", "ref"], 0, re.escape(re.search(r"-> stored.*", life)[0]))
    expect(play + ["--draw", "2", "--pixel", "0,0"], 0, r"cover pixel \(0, 0\): 0")
    expect(play + ["--draw", "2", "--vertex", "0"], 0, "^draw 2, ", r"fetched: [0-9a-f]{8}", r"-> o0\.", "window x ")
    expect(play + ["--draw", "2", "--vertex", "99"], 0, "99 is not among them")
    expect(play + ["--pixel", "1,1"], 2, "goes with --draw")
    expect(play + ["--draw", "1", "--pixel", "1"], 2, "what does '--pixel' mean here")
    expect(play + ["--sample", "0"], 2, "--sample and --layer go with --draw")
    expect(play + ["--draw", "2", "--layer", "-1"], 2, "what does '--layer' mean here")
    # A target of one sample and layer shows it whatever is asked for.
    first = re.search(r"target at .* digest (\w+)", expect(play + ["--draw", "2"], 0))[1]
    expect(play + ["--draw", "2", "--sample", "3", "--layer", "5"], 0, f"digest {first}")
    expect(play + [trace], 0, "no difference")
    expect(play + [trace, "--draw", "1"], 2, "two recordings are compared as a whole")
    other = at("b.pmt")
    expect([example, "--frames", "5", "--size", "160x120"], 0, env=dict(os.environ, PUMICE_CHIP="r500", VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_TRACE=other))
    expect(play + [other], 1, "A has .* draws, B")
    expect(play + [at("none.pmt")], 2, "none.pmt")
    expect(play + ["--draw", str(draws + 1)], 2, f"--draw {draws + 1}: the recording has {draws} draws")
    expect(play + ["--until", str(draws + 1)], 2, f"--until {draws + 1}: the recording has {draws} draws")
    expect(play + ["--until", "1", "--frame", "1"], 2, "exclude each other")
    expect([replay, at("none.pmt")], 2, "none.pmt: No such file or directory")
    # Cut inside a block and without its end.
    with open(trace, "rb") as f:
        data = f.read()
    for n in (len(data) - 1, len(data) // 2, 64):
        with open(at("cut.pmt"), "wb") as f:
            f.write(data[:n])
        expect([replay, at("cut.pmt")], 3, "the recording is truncated")
        expect([replay, at("cut.pmt"), "--compare", "ref", "fast"], 3, "the recording is truncated")
    # An instruction set that this processor lacks is skipped by its name.
    # glibc hides AVX-512 from the program.
    less = dict(os.environ, GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX512F")
    expect(play + ["--cpu", "avx512"], 77, "avx512 skipped", env=less)
    expect(play + ["--compare", "ref", "fast:1", "fast:2:avx512"], 0, "fast:2:avx512 +skipped", "the same bytes everywhere", env=less)
    expect(play + ["--compare", "ref", "fast:1:avx512"], 77, "nothing left to compare", env=less)
    return 1 if failures else 0


sys.exit(main())
