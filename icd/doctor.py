#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an application and shows as a table what it asked the driver for, what it got, and what stopped it.

usage: doctor.py [--seconds N] APP [ARGS...]        (./pumice doctor APP [ARGS...] selects the driver and a display)
       doctor.py --log FILE [--output FILE]         only the table, of a log (PUMICE_LOG) and of what the application printed

The driver writes the log (icd/journal.h); what the loader refuses before the driver is asked comes from its own messages, which are
errors on standard error with VK_LOADER_DEBUG=error. An application that does not end by itself is ended after --seconds (default 20).
The exit code is the application's; 0 if it had to be ended.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

# Topics in the order of the table: how many rows at most, then "and N more".
TOPICS = {"application": 4, "version": 4, "device": 4, "instance extension": 20, "device extension": 30, "queue family": 4, "queue": 8, "feature": 60,
          "structure": 12, "format": 12, "image": 12, "swapchain": 4, "created": 8, "misuse": 12, "error": 12}
LOADER = [
    (re.compile(r"Device extension (\S+) not supported"), "device extension"),
    (re.compile(r"Instance extension (\S+) not supported"), "instance extension"),
    (re.compile(r"Requested layer \"?([^\s\"]+)\"?"), "layer"),
    (re.compile(r"Layer \"?([^\s\"]+)\"? .*(?:not found|failed)"), "layer"),
]
# Topics whose refusal alone may be why an application gives up, the likeliest first. Refused formats and structures are mostly curiosity.
SUSPECTS = ["device", "instance extension", "layer", "device extension", "feature", "queue", "error", "misuse", "version", "image", "structure", "format"]


def read_log(path):
    """Each different event once, in order; a damaged line is passed over."""
    events, seen = [], set()
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            try:
                e = json.loads(line)
                key = (e["topic"], e["asked"], e["got"], e["ok"])
            except (ValueError, KeyError, TypeError):
                continue
            if key not in seen:
                seen.add(key)
                events.append(e)
    return events


def loader_events(output):
    """What the loader refused: the driver never hears of it."""
    events = []
    for line in output.splitlines():
        for pattern, topic in LOADER:
            found = pattern.search(line)
            if found:
                event = {"topic": topic, "asked": found.group(1), "got": "no (the loader says so)", "ok": False}
                if event not in events:
                    events.append(event)
                break
    return events


def rows(events):
    """(topic, asked, got) for the table: refusals first within a topic."""
    order = list(TOPICS) + sorted({e["topic"] for e in events} - set(TOPICS))
    for topic in order:
        mine = sorted((e for e in events if e["topic"] == topic), key=lambda e: e["ok"])
        limit = TOPICS.get(topic, 10)
        for e in mine[:limit]:
            yield topic, e["asked"], e["got"] if e["ok"] else e["got"] + "  <--"
        if len(mine) > limit:
            refused = sum(not e["ok"] for e in mine[limit:])
            yield topic, f"and {len(mine) - limit} more", f"{refused} of them refused"


def cut(text, width):
    return text if len(text) <= width else text[:width - 1] + "…"


def table(events):
    lines = [("asked about", "asked for", "got")] + [tuple(map(str, r)) for r in rows(events)]
    widths = [min(max(len(r[i]) for r in lines), most) for i, most in enumerate((20, 100, 60))]
    out = []
    for i, r in enumerate(lines):
        shown = lines[i - 1][0] != r[0] or i == 1
        # Text too long for its column stays in its row: complete messages matter more than aligned columns.
        out.append("  ".join(((r[0] if shown else "").ljust(widths[0]), cut(r[1], 400).ljust(widths[1]), r[2])).rstrip())
        if i == 0:
            out.append("  ".join("-" * w for w in widths))
    return "\n".join(out)


def created(events, what):
    return any(e["topic"] == "created" and e["asked"] == what for e in events)


def ending(code, ended):
    if ended:
        return "it was still running and was ended"
    if code < 0:
        try:
            return f"it was killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"it was killed by signal {-code}"
    return f"it ended with exit code {code}"


def lacking_queues(events):
    """What an application that looked at the queue families and made no device may have looked for; empty if there is nothing."""
    families = [e["got"] for e in events if e["topic"] == "queue family"]
    if not families or created(events, "device"):
        return ""
    if not any("GRAPHICS" in f for f in families):
        return "GRAPHICS (PUMICE_CHIP chooses the device)"
    return "" if any("COMPUTE" in f for f in families) else "COMPUTE (PUMICE_COMPUTE=1 adds it)"


def verdict(events, code, ended):
    """Sentences: how far it came, and what most likely stopped it."""
    if not events:
        return f"{ending(code, ended).capitalize()} and never made a Vulkan instance on this driver."
    stage = next((text for what, text in (("presented frame", "presented frames"), ("graphics pipeline", "made graphics pipelines but presented nothing"),
                                          ("device", "made a device but no graphics pipeline")) if created(events, what)), "made no device")
    first = f"The application {stage}; {ending(code, ended)}."
    if created(events, "presented frame") and (ended or code == 0):
        return first + " Nothing stopped it."
    suspects = sorted((e for e in events if not e["ok"] and e["topic"] in SUSPECTS), key=lambda e: SUSPECTS.index(e["topic"]))
    queues = lacking_queues(events)
    if not suspects:
        return first + " The driver refused nothing." + (f" The queue family has no {queues}." if queues else "")
    e = suspects[0]
    how = "What it was refused" if ended or code == 0 else "What most likely stopped it"
    text = f"{first} {how}: {e['topic']} {e['asked']}: {e['got']}".rstrip(": ") + "."
    if e["topic"] in ("version", "image", "structure", "format") and queues:
        text += f" Or it looks for what the queue family has not: {queues}."
    return text


def run(command, seconds, log):
    """(exit code, whether it had to be ended, what it printed on standard error). Its output goes on as it comes."""
    env = dict(os.environ, PUMICE_LOG=log)
    env.setdefault("VK_LOADER_DEBUG", "error")
    try:
        # Its own session, so that processes started by a wrapper are ended too.
        child = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, start_new_session=True)
    except OSError as e:
        sys.exit(f"pumice doctor: {command[0]}: {e.strerror.lower()}")
    heard = []

    def listen():
        for line in child.stderr:
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()
            heard.append(line.decode("utf-8", "replace"))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    ended = False
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        ended = True
        for kill, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, None)):
            os.killpg(child.pid, kill)
            try:
                child.wait(timeout=patience)
                break
            except subprocess.TimeoutExpired:
                continue
    listener.join(timeout=2)
    return child.returncode, ended, "".join(heard)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seconds", type=float, default=20)
    p.add_argument("--log", help="only the table of this log")
    p.add_argument("--output", help="with --log: what the application printed on standard error")
    p.add_argument("command", nargs=argparse.REMAINDER, metavar="APP")
    args = p.parse_args()
    if args.log:
        output = open(args.output, encoding="utf-8", errors="replace").read() if args.output else ""
        print(table(read_log(args.log) + loader_events(output)))
        return 0
    if not args.command:
        p.error("which application?")
    with tempfile.TemporaryDirectory(prefix="pumice-doctor-") as folder:
        log = os.path.join(folder, "log")
        open(log, "w", encoding="utf-8").close()
        code, ended, output = run(args.command, args.seconds, log)
        events = read_log(log) + loader_events(output)
    print(f"\npumice doctor: {' '.join(args.command)}\n")
    if events:
        print(table(events) + "\n")
    print(verdict(events, code, ended))
    return 0 if ended else code if code >= 0 else 128 - code


sys.exit(main())
