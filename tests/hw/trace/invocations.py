#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lives of invocations of recorded dispatches: the reference, which reports them, writes the recorded bytes, and what each invocation loads, stores and
waits for is what its shader says (tests/vk/shaders/groups.comp, texels.comp).

usage: invocations.py MANIFEST PUMICE_REPLAY PUMICE_INSPECT OUT_DIR VK_R5X_COMPUTE
"""
import base64
import json
import os
import random
import re
import subprocess
import sys
import zlib


def fail(text):
    sys.exit("FAILED: " + text)


def record(manifest, out, program, test):
    trace = os.path.join(out, test + ".pmt")
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_CHIP="r5x", PUMICE_TRACE=trace)
    subprocess.run([program, "--gtest_filter=Compute." + test], env=env, check=True, stdout=subprocess.DEVNULL)
    return trace


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def life(replay, trace, dispatch, at):
    code, text = run(replay, trace, "--dispatch", str(dispatch), "--invocation", ",".join(map(str, at)))
    if code or "the same bytes as recorded" not in text:
        fail(f"{trace} {dispatch} {at}: exit code {code}\n{text}")
    return text


def stored(text, slot):
    """(byte, first value) of each executed store."""
    blocks = re.split(r"\n(?= {5,7}\d+: )", text)
    return [(int(re.search(r"from byte (\d+)", b)[1]), int(re.search(r"-> stored \((\S+?)[,)]", b)[1], 0))
            for b in blocks if f" {slot}, " in b and "-> stored" in b]


def groups(replay, trace):
    """5x3 workgroups of 8x4 invocations add up their numbers in local memory."""
    text = run(replay, trace, "--dispatch", "1")[1]
    for want in ["5x3x1 workgroups of 8x4x1 invocations", "compute program", "X_CS_LOCAL_SIZE = ", "by type 0 write of X_CS_CODE_LO", "BARRIER"]:
        if want not in text:
            fail(f"--dispatch 1 lacks '{want}'\n{text}")
    dice = random.Random(1)
    for at in [(0, 0, 0), (39, 11, 0)] + [(dice.randrange(40), dice.randrange(12), 0) for _ in range(8)]:
        text = life(replay, trace, 1, at)
        x, y = at[0] % 8, at[1] % 4
        index, group = x + 8 * y, at[0] // 8
        title = f"workgroup ({group}, {at[1] // 4}, 0), local ({x}, {y}, 0), index {index}: lane {index % 16} of group {index // 16}"
        # The cell, then, by invocation 0 alone, the sum of all.
        cells = stored(text, "STB")
        if title not in text or cells != [(8 + 4 * (at[1] * 40 + at[0]), at[0] | at[1] << 16)]:
            fail(f"invocation {at}: {cells}, expected title '{title}'\n{text}")
        # part[] shrinks step by step as long as the invocation takes part.
        part = [32 * group + i for i in range(32)]
        want = [(4 * index, part[index])]
        for step in [16, 8, 4, 2, 1]:
            part = [part[i] + part[i + step] if i < step else part[i] for i in range(32)]
            if index < step:
                want.append((4 * index, part[index]))
        if stored(text, "STL") != want:
            fail(f"invocation {at}: stored {stored(text, 'STL')} in local memory, expected {want}\n{text}")
        barriers = text.count("the group waits at the barrier")
        if barriers != 6 or text.count("the group goes on") != barriers or text.count("the program ends") != 1:
            fail(f"invocation {at}: {barriers} barriers\n{text}")
        # A group skips what none of its lanes does.
        if ("  -- not active" in text) != (0 < index < 16):
            fail(f"invocation {at}: activity\n{text}")
    code, text = run(replay, trace, "--dispatch", "1", "--invocation", "40,0,0")
    if code or "invocation (40, 0, 0) is not among them" not in text:
        fail(f"an invocation that is not there: {code}\n{text}")


def texels(replay, trace):
    for x in range(8):
        text = life(replay, trace, 1, (x, 0, 0))
        values = text.count("-> stored (")
        if values != 3 or "set 0, descriptor at " not in text or ": image at " not in text:
            fail(f"invocation {x} stores {values} texels\n{text}")


def refusals(replay, trace):
    for words, want in [(["--draw", "1"], "1 is the number of a dispatch: --dispatch"), (["--dispatch", "9"], "--dispatch 9: the recording has 2 draws and dispatches"),
                        (["--dispatch", "1", "--pixel", "1,1"], "--invocation goes with --dispatch"), (["--invocation", "1,1,1"], "--invocation goes with --dispatch"),
                        (["--dispatch", "1", "--invocation", "1,1"], "what does"), (["--dispatch", "1", "--draw", "1"], "exclude each other")]:
        code, text = run(replay, trace, *words)
        if code != 2 or want not in text:
            fail(f"{words}: exit code {code}, expected '{want}'\n{text}")
    text = run(replay, trace, "--list")[1]
    if "-- dispatch 1" not in text or "-- dispatch 2" not in text:
        fail("--list does not number dispatches\n" + text)


def page(replay, inspect, trace, out):
    """Dispatches have their place on the page, with program, groups and lives."""
    file = os.path.join(out, "dispatches.html")
    code, text = run(inspect, trace, "-o", file, "--invocation", "39,11,0")
    if code:
        fail(text)
    with open(file, encoding="utf-8") as html:
        html = html.read()
    index = json.loads(re.search(r'id="index">(.*?)</script>', html, re.S)[1])
    events = [e for e in index["events"] if "draw" in e]
    details = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="t0">(.*?)</script>', html, re.S)[1])))
    if [e.get("groups") for e in events][0] != "5x3x1 workgroups of 8x4x1 invocations" or len(details) != len(events):
        fail(f"dispatches of the page: {events}")
    lives = details[0]["lives"]
    told = run(replay, trace, "--dispatch", "1", "--invocation", "39,11,0")[1]
    if len(lives) != 1 or "\n".join(lives[0]["lines"]) not in told:
        fail(f"life on the page: {lives}\n{told}")
    if not any("BARRIER" in l for l in details[0]["programs"]) or not any("X_CS_LOCAL_SIZE" in l for l in details[0]["registers"]):
        fail(f"details: {details[0]}")


def main():
    manifest, replay, inspect, out, program = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    trace = record(manifest, out, program, "GroupsBarriersAndAtomics")
    groups(replay, trace)
    refusals(replay, trace)
    page(replay, inspect, trace, out)
    texels(replay, record(manifest, out, program, "TexelBuffersAndStorageImages"))
    print("dispatches of two programs: 18 lives")


main()
