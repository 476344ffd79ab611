#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vkcube on a real Wayland compositor: what weston (headless) has on its screen must be one of the frames that the driver wrote (PUMICE_CAPTURE).

usage: wayland.py MANIFEST OUT
Skipped (77) where weston, its screenshooter or vkcube-wayland is not installed. weston starts this program again as its only client and ends with it.
"""
import glob
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

PROGRAMS = ["weston", "weston-screenshooter", "vkcube-wayland"]
SCREEN, CUBE = (480, 400), (160, 120)
PATIENCE = 60


def pixels(path):
    """Width, height and rows of R, G, B of an 8-bit PNG without interlacing; multiplied by alpha, if it has that: weston's screenshooter divides
    by what is in the fourth byte of its screen."""
    with open(path, "rb") as f:
        data = f.read()
    at, packed, head = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += size + 12
        if kind == b"IHDR":
            head = struct.unpack(">2I5B", body)
        elif kind == b"IDAT":
            packed += body
    width, height, depth, colour = head[:4]
    n = {2: 3, 6: 4}[colour]
    assert depth == 8 and head[6] == 0, path
    raw, rows, above = zlib.decompress(packed), [], bytearray(width * n)
    for y in range(height):
        start = y * (width * n + 1)
        row, how = bytearray(raw[start + 1:start + 1 + width * n]), raw[start]
        for i in range(len(row)):
            left, up, corner = (row[i - n], above[i], above[i - n]) if i >= n else (0, above[i], 0)
            if how == 1:
                row[i] = row[i] + left & 255
            elif how == 2:
                row[i] = row[i] + up & 255
            elif how == 3:
                row[i] = row[i] + (left + up) // 2 & 255
            elif how == 4:
                p = left + up - corner
                near = min((abs(p - v), k, v) for k, v in enumerate((left, up, corner)))
                row[i] = row[i] + near[2] & 255
        above = row
        rows.append(bytes(row) if n == 3 else bytes((b * row[i | 3] + 127) // 255 for i, b in enumerate(row) if i % 4 < 3))
    return width, height, rows


def shows(screen, frame):
    """Whether the frame is anywhere on the screen, whole: the position is up to the shell."""
    middle = len(frame) // 2
    for y in range(middle, len(screen) - (len(frame) - middle) + 1):
        x = screen[y].find(frame[middle])
        while x >= 0:
            if all(screen[y - middle + i][x:x + len(row)] == row for i, row in enumerate(frame)):
                return True
            x = screen[y].find(frame[middle], x + 1)
    return False


def client(out):
    """Inside weston: the cube, and a picture of the screen when some frames have come."""
    frames = os.path.join(out, "frames")
    env = dict(os.environ, PUMICE_CAPTURE=frames)
    cube = subprocess.Popen(["vkcube-wayland", "--width", str(CUBE[0]), "--height", str(CUBE[1])], env=env, stdout=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    # With three images the first has been committed when the fifth frame is drawn.
    while not os.path.exists(os.path.join(frames, "frame-000005.png")) and cube.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    shot = subprocess.run(["weston-screenshooter"], cwd=out, timeout=PATIENCE)
    alive = cube.poll() is None
    cube.kill()
    cube.wait()
    with open(os.path.join(out, "result"), "w", encoding="utf-8") as f:
        f.write(f"{shot.returncode} {alive}")


def main():
    if sys.argv[1] == "--client":
        return client(sys.argv[2])
    missing = [p for p in PROGRAMS if not shutil.which(p)]
    if missing:
        print("not installed:", ", ".join(missing))
        return 77
    manifest, out = sys.argv[1], os.path.abspath(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    with tempfile.TemporaryDirectory() as runtime:
        launcher, config = os.path.join(out, "client.sh"), os.path.join(out, "weston.ini")
        with open(launcher, "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\nexec '{sys.executable}' '{os.path.abspath(__file__)}' --client '{out}'\n")
        os.chmod(launcher, 0o755)
        with open(config, "w", encoding="utf-8") as f:
            f.write(f"[shell]\nstartup-animation=none\nclose-animation=none\n[autolaunch]\npath={launcher}\nwatch=true\n")
        env = dict(os.environ, XDG_RUNTIME_DIR=runtime, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest)
        for name in ("WAYLAND_DISPLAY", "DISPLAY"):
            env.pop(name, None)
        with open(os.path.join(out, "weston.log"), "w", encoding="utf-8") as log:
            subprocess.run(["weston", "--backend=headless-backend.so", "--use-pixman", f"--width={SCREEN[0]}", f"--height={SCREEN[1]}",
                            "--socket=pumice-test", f"--config={config}", "--idle-time=0", "--debug"],
                           env=env, stdout=log, stderr=log, timeout=2 * PATIENCE)
    with open(os.path.join(out, "result"), encoding="utf-8") as f:
        assert f.read() == "0 True", "the screenshot failed or vkcube ended early, see " + out
    width, height, screen = pixels(glob.glob(os.path.join(out, "*.png"))[0])
    assert (width, height) == SCREEN
    frames = sorted(glob.glob(os.path.join(out, "frames", "*.png")))
    for path in frames:
        if shows(screen, pixels(path)[2]):
            print(f"the screen shows {os.path.basename(path)} of {len(frames)} frames")
            return 0
    print(f"the screen shows none of the {len(frames)} frames, see {out}")
    return 1


sys.exit(main())
