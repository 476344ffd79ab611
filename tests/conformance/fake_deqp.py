#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that speaks dEQP's protocol and does what the names of its cases say; for the tests of the runner.

The last part of a name, up to a digit, is what happens: pass, fail, unsupported, quality, crash, hang, exit, resource (ends the session as dEQP does),
long (a result over two lines), noise (writes to standard error), crashonce (crashes unless FAKE_DEQP_STATE has a file of its name), mute (dies before it begins).
FAKE_DEQP_CASES: file with its cases. FAKE_DEQP_STATE: folder of such files. FAKE_DEQP_HANGS: pipe that the number of a process that hangs is written to.
"""
import os
import re
import signal
import sys


def option(name):
    prefix = f"--deqp-{name}="
    return next((a[len(prefix):] for a in sys.argv[1:] if a.startswith(prefix)), None)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def first_time(name):
    path = os.path.join(os.environ["FAKE_DEQP_STATE"], name)
    if os.path.exists(path):
        return False
    open(path, "w").close()
    return True


def act(name, what, log):
    """(status, text) of a case."""
    if what == "crash" or what == "crashonce" and first_time(name):
        print("about to crash", file=sys.stderr, flush=True)
        die()
    if what == "hang":
        if os.environ.get("FAKE_DEQP_HANGS"):
            with open(os.environ["FAKE_DEQP_HANGS"], "w") as f:
                f.write(str(os.getpid()))
        signal.pause()
    if what == "exit":
        os._exit(7)
    if what == "noise":
        print(f"report of {name}", file=sys.stderr, flush=True)
    if what in ("fail", "noise"):
        log.write('<Section Name="s" Description="Checks"><Text>pixel 3 &lt; 4</Text><Image Name="i">AAAA</Image></Section>')
        return "Fail", f"{what}: Image comparison failed"
    return {"unsupported": ("NotSupported", "no such feature"), "quality": ("QualityWarning", "a bit off"), "resource": ("ResourceError", "no memory"),
            "long": ("Fail", "line one\nline two")}.get(what, ("Pass", "Pass"))


def main():
    known = open(os.environ["FAKE_DEQP_CASES"]).read().split()
    if option("runmode") == "stdout-caselist":
        print("GROUP: fake")
        print("\n".join("TEST: " + name for name in known))
        return 0
    wanted = set(open(option("caselist-file")).read().split())
    cases = [name for name in known if name in wanted]  # in its own order, as dEQP does
    if any("mute" in name for name in cases):
        print("no device", file=sys.stderr, flush=True)
        return 1
    with open(option("log-filename"), "w") as log:
        for name in cases:
            what = re.match(r"[a-z]*", name.rpartition(".")[2])[0]
            print(f"\nTest case '{name}'..", flush=True)
            log.write(f"\n#beginTestCaseResult {name}\n")
            log.flush()
            word, text = act(name, what, log)
            log.write("\n#endTestCaseResult\n")
            log.flush()
            print(f"  {word} ({text})", flush=True)
            if word == "ResourceError":
                print("\nDONE!\n\nTest run totals:\nTest run was ABORTED!", flush=True)
                return 1
    print("\nDONE!\n\nTest run totals:", flush=True)
    return 0


sys.exit(main())
