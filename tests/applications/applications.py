#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debian's Vulkan applications on this driver and on lavapipe: runs, refuses or crashes, frames per second, pictures compared.

usage: applications.py [--manifest FILE] [--chip NAME,...] [--only NAME,...] [--seconds N] [--out FOLDER] [--table FILE] [--no-install]

Installs each client (apt-get, as root), runs it N seconds on a private Xvfb for each driver, one at a time, and writes FOLDER/CLIENT/DRIVER.png and .log. With
--table the rows of what ran replace theirs in FILE (docs/applications.md), the others stay. Not part of ./pumice test: it installs gigabytes.
"""
import argparse
import datetime
import glob
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from clients import CLIENTS

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.*.json"
HEAD = "| application | chip | Pumice | frames/s | lavapipe | frames/s | pictures |"
RULE = "|---|---|---|---|---|---|---|"


def contents(path):
    with open(path, "rb") as f:
        return f.read()


def still_screen(process, path):
    """screen() while the client is stopped and the server has done what was asked of it: else the rows may be of several frames."""
    try:
        os.killpg(process.pid, signal.SIGSTOP)
    except ProcessLookupError:
        return screen(contents(path))
    try:
        data = contents(path)
        for _ in range(50):
            time.sleep(1e-3)
            before, data = data, contents(path)
            if data == before:
                break
    finally:
        os.killpg(process.pid, signal.SIGCONT)
    return screen(data)


def screen(data):
    """What an Xvfb with -fbdir shows: width, height, RGB rows, from its XWD file."""
    header, _, _, _, width, height = struct.unpack(">6I", data[:24])
    stride, colors = struct.unpack(">I", data[48:52])[0], struct.unpack(">I", data[76:80])[0]
    base = header + colors * 12
    rows = []
    for y in range(height):
        line = data[base + y * stride:base + y * stride + width * 4]
        row = bytearray(width * 3)
        row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
        rows.append(bytes(row))
    return width, height, rows


def write_png(path, width, height, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    packed = zlib.compress(b"".join(b"\0" + r for r in rows))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def difference(a, b):
    """Per cent of pixels that differ by more than a quarter in a channel, and whether there is anything to see."""
    (wa, ha, ra), (wb, hb, rb) = a, b
    if (wa, ha) != (wb, hb):
        return None
    far = sum(1 for x, y in zip(ra[::2], rb[::2]) for i in range(0, len(x), 6) if max(abs(x[i] - y[i]), abs(x[i + 1] - y[i + 1]), abs(x[i + 2] - y[i + 2])) > 64)
    return 100.0 * far / (len(ra[::2]) * len(ra[0][::6]))


def is_empty(picture):
    return all(row == picture[2][0] for row in picture[2])


def start_xvfb(folder):
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-noreset", "-fbdir", folder, "-nolisten", "tcp"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as f:
        number = f.readline().strip()
    if not number:
        sys.exit("applications: Xvfb does not start")
    return server, ":" + number


def reason(text, own_words=""):
    """The lines that say most about why it stopped: the driver's first one and the application's own, or what is known of them."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    driver = [line for line in lines if line.startswith("pumice: ")][:1]
    if own_words:
        return "; ".join(driver + [own_words])
    own = [line for line in lines if not line.startswith("pumice: ")]
    for pattern in (r"(?i)does not support|could not find a suitable", r"VK_ERROR|VkResult", r"(?i)error|fail|not supported|unsupported|could not|cannot"):
        hits = [line for line in own if re.search(pattern, line)]
        if hits:
            return "; ".join(driver + [re.sub(r" @ 0x[0-9a-f]+", "", hits[-1 if "error" in pattern else 0])])
    return driver[0] if driver else lines[-1] if lines else "no output"


def frames_logged(folder):
    """The average frames per second that MangoHud has logged, None without a log: a line of names, then a line per frame that ends with its time in ns."""
    for path in glob.glob(os.path.join(folder, "*.csv")):
        lines = [line.split(",") for line in open(path, encoding="utf-8", errors="replace").read().splitlines()]
        head = next((i for i, line in enumerate(lines) if line[:2] == ["fps", "frametime"]), None)
        # The first frame counts from MangoHud's beginning.
        times = [int(line[-1]) for line in lines[head + 1:] if line[-1].isdigit()] if head is not None else []
        if len(times) > 1:
            return 1e9 * (len(times) - 1) / (times[-1] - times[0])
    return None


def run(client, environment, out, name, seconds):
    """One client on one driver: result in words, frames per second or None, picture."""
    home = tempfile.mkdtemp(prefix="pumice-app-")
    for file, text in client.files.items():
        open(os.path.join(home, file), "w", encoding="utf-8").write(text)
    server, display = start_xvfb(home)
    env = dict(os.environ, DISPLAY=display, HOME=home, XDG_RUNTIME_DIR=home, QT_QPA_PLATFORM="xcb", SDL_VIDEODRIVER="x11", **environment, **client.environment)
    env.pop("WAYLAND_DISPLAY", None)
    env["PATH"] += ":/usr/games"
    command = client.command
    if client.measured:
        command = ["mangohud", *command]
        env["MANGOHUD_CONFIG"] = f"no_display,autostart_log=8,log_duration=10,log_interval=0,output_folder={home}"
    if not shutil.which(client.command[0], path=env["PATH"]):
        server.terminate()
        server.wait()
        return f"not installed: {client.command[0]}", None, None
    log = os.path.join(out, name + ".log")
    picture, begin = None, time.monotonic()
    try:
        with open(log, "wb") as f:
            process = subprocess.Popen(command, cwd=home, env=env, stdout=f, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        # The last picture while it ran: a client that ends by itself takes its window away.
        while process.poll() is None and time.monotonic() - begin < seconds:
            time.sleep(0.25)
            seen = still_screen(process, os.path.join(home, "Xvfb_screen0"))
            if process.poll() is None and not is_empty(seen):
                picture = seen
        took = time.monotonic() - begin
        code = process.poll()
        if code is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        logged = frames_logged(home)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(home, ignore_errors=True)
    text = open(log, encoding="utf-8", errors="replace").read()
    if picture:
        write_png(os.path.join(out, name + ".png"), *picture)
    if code is not None and (code < 0 or code in (134, 139)):
        return f"crashes ({signal.Signals(-code).name if code < 0 else code}): {reason(text)}", None, picture
    if code:
        return f"refuses: {reason(text)}", None, picture
    without = re.search(client.without, text) if client.without else None
    if without:
        return f"goes on without Vulkan: {reason(text, ''.join(without.groups()))}", None, picture
    fps = None
    if client.fps and re.findall(client.fps, text):
        fps = float(re.findall(client.fps, text)[-1])
    elif client.measured:
        fps = logged
    elif client.frames and code == 0:
        fps = client.frames / took
    return "runs", fps, picture


def cell(text, limit=240):
    return text.replace("|", "\\|").replace("\n", " ")[:limit]


def installed(client):
    return all(subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", p], capture_output=True, text=True).stdout == "installed" for p in client.packages)


def install(client):
    if installed(client):
        return True
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    return subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *client.packages], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def update_table(path, rows):
    """Rows of what ran replace theirs; the others stay, in the order of clients.py. A file that is missing is made."""
    lines = open(path, encoding="utf-8").read().splitlines() if os.path.exists(path) else [HEAD, RULE]
    at = lines.index(HEAD)
    end = at + 2
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    old = {tuple(c.strip() for c in line.split("|")[1:3]): line for line in lines[at + 2:end]}
    old.update(rows)
    order = {c.name: i for i, c in enumerate(CLIENTS)}
    body = [old[k] for k in sorted(old, key=lambda k: (order.get(k[0], 99), k[1]))]
    open(path, "w", encoding="utf-8").write("\n".join(lines[:at + 2] + body + lines[end:]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manifest", default=os.path.join(TOP, "build", "json", "pumice_devel_icd.json"))
    parser.add_argument("--chip", default="r5x", help="with several, r5x,r500: a row each")
    parser.add_argument("--only", default="", help=", ".join(c.name for c in CLIENTS))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--out", default=os.path.join(TOP, "out", "applications"))
    parser.add_argument("--table")
    parser.add_argument("--no-install", action="store_true")
    args = parser.parse_args()
    only = [n.strip() for n in args.only.split(",") if n.strip()]
    unknown = set(only) - {c.name for c in CLIENTS}
    if unknown:
        parser.error(f"no such client: {', '.join(sorted(unknown))}; there are {', '.join(c.name for c in CLIENTS)}")
    args.manifest = os.path.abspath(args.manifest)
    if not os.path.isfile(args.manifest):
        parser.error(f"{args.manifest} is missing; ./pumice build makes it")
    others = sorted(glob.glob(LAVAPIPE))
    if not others:
        parser.error("lavapipe is missing; apt-get install mesa-vulkan-drivers")
    if not shutil.which("Xvfb"):
        parser.error("Xvfb is missing; apt-get install xvfb")
    rows = {}
    print(HEAD + "\n" + RULE)
    for client in (c for c in CLIENTS if not only or c.name in only):
        out = os.path.join(args.out, re.sub(r"\W+", "-", client.name).strip("-"))
        os.makedirs(out, exist_ok=True)
        ready = installed(client) if args.no_install else install(client)
        other = None
        for chip in args.chip.split(","):
            if not ready:
                words = [client.name, chip, "not installed", "", "", "", ""]
            else:
                if other is None:
                    other = run(client, {"VK_DRIVER_FILES": others[0], "VK_ICD_FILENAMES": others[0]}, out, "lavapipe", args.seconds)
                mine = run(client, {"VK_DRIVER_FILES": args.manifest, "VK_ICD_FILENAMES": args.manifest, "PUMICE_CHIP": chip}, out, chip, args.seconds)
                apart = difference(mine[2], other[2]) if mine[2] and other[2] else None
                words = [client.name, chip, mine[0], f"{mine[1]:.1f}" if mine[1] else "", other[0], f"{other[1]:.1f}" if other[1] else "",
                         f"{apart:.1f} % of the pixels differ" if apart is not None else "one of them shows nothing" if mine[2] or other[2] else "no window"]
            line = "| " + " | ".join(cell(w) for w in words) + " |"
            rows[(client.name, chip)] = line
            print(line, flush=True)
            if args.table:
                update_table(args.table, {(client.name, chip): line})
    print(f"\n{datetime.date.today()}: pictures and logs are in {args.out}", file=sys.stderr)


main()
