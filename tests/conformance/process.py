# SPDX-License-Identifier: MIT
"""One run of a dEQP-style program over some cases: follows what it prints, ends it where a case takes too long, says how each case ended.

The program prints "Test case 'NAME'.." when a case begins and "  STATUS (text)" when it ends. What it wrote to standard error meanwhile belongs to the case.
"""
import os
import re
import select
import signal
import subprocess
import tempfile
import time

import qpa
import status
from results import Result

BEGIN = re.compile(r"Test case '(.*)'\.\.$")
END = re.compile(r"  (%s) \((.*)$" % "|".join(status.DEQP), re.S)
STDERR_MOST = 4000  # bytes of a case's standard error that are kept


class Program:
    """How to start it: command and arguments, its folder, environment, seconds for a case and for what is before the first one; what runs of it."""

    def __init__(self, command, arguments=(), folder=None, environment=None, timeout=60.0, start_timeout=120.0):
        self.command, self.arguments, self.folder, self.environment = list(command), list(arguments), folder, environment
        self.timeout, self.start_timeout = timeout, start_timeout
        self.running, self.ended = set(), False

    def end(self):
        """Ends what runs, as a stopped run does: open cases get no result."""
        self.ended = True
        for child in list(self.running):
            kill(child)


class Outcome:
    """What a run gave: results in order, the texts of what did not pass, cases without result, whether the program went through its whole list,
    what was printed outside cases."""

    def __init__(self):
        self.results, self.texts, self.left, self.finished, self.printed = [], {}, [], False, ""


class Process:
    def __init__(self, program, cases, on_result):
        self.program, self.cases, self.on_result = program, cases, on_result
        self.outcome = Outcome()
        self.case, self.began, self.text, self.stray = None, 0.0, None, []
        self.stderr_from = 0

    def run(self):
        with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
            names, log, stderr = (os.path.join(folder, n) for n in ("cases.txt", "log.qpa", "stderr"))
            with open(names, "w", encoding="utf-8") as f:
                f.write("\n".join(self.cases) + "\n")
            command = self.program.command + ["--deqp-caselist-file=" + names, "--deqp-log-filename=" + log] + self.program.arguments
            with open(stderr, "wb") as errors:
                child = subprocess.Popen(command, cwd=self.program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                                         env=self.program.environment, start_new_session=True)
            self.stderr_path = stderr
            self.program.running.add(child)
            try:
                if not self.program.ended:
                    self.follow(child)
            finally:
                self.program.running.discard(child)
                kill(child)
                child.stdout.close()
            self.collect(log)
        return self.outcome

    def follow(self, child):
        """Reads until the program ends or a case, or what is between two cases, takes longer than the limit."""
        fd, rest, deadline = child.stdout.fileno(), b"", time.monotonic() + self.program.start_timeout
        while True:
            ready, _, _ = select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                self.stopped(status.TIMEOUT, f"no result after {self.program.timeout:g} s")
                return
            data = os.read(fd, 65536)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if self.line(line.decode("utf-8", "replace")):
                    deadline = time.monotonic() + (self.program.timeout if self.case else self.program.start_timeout)
        if rest:
            self.line(rest.decode("utf-8", "replace"))
        try:
            code = child.wait(self.program.start_timeout)
        except subprocess.TimeoutExpired:
            code = None
        self.stopped(status.CRASH, ending(code))

    def line(self, line):
        """Takes one line; true where a case begins or ends."""
        if self.text is not None:  # a result over several lines
            self.text += "\n" + line
            return self.try_end()
        match = BEGIN.match(line)
        if match:
            self.case, self.began = match[1], time.monotonic()
            return True
        match = END.match(line) if self.case else None
        if match:
            self.word, self.text = match[1], match[2]
            return self.try_end()
        # "DONE!" comes after an abort too, which a line about the run says.
        self.outcome.finished = line == "DONE!" or (self.outcome.finished and line != "Test run was ABORTED!")
        self.stray.append(line)
        return False

    def try_end(self):
        if not self.text.endswith(")"):
            return False
        self.finish(self.word, self.text[:-1])
        return True

    def finish(self, word, text):
        result = Result(self.case, word, time.monotonic() - self.began, text)
        self.outcome.results.append(result)
        size = os.path.getsize(self.stderr_path)
        if word not in status.GOOD:
            with open(self.stderr_path, "rb") as f:
                f.seek(max(self.stderr_from, size - STDERR_MOST))
                self.outcome.texts[self.case] = f.read().decode("utf-8", "replace").strip()
        self.case, self.text, self.stderr_from = None, None, size
        self.on_result(result)

    def stopped(self, word, text):
        """The program ended, or is ended: an open case gets its status."""
        if self.program.ended:
            return
        if self.case:
            self.finish(word, text)
        elif word == status.TIMEOUT:
            self.stray.append(f"nothing began within {self.program.start_timeout:g} s")
        else:
            self.stray.append(text)

    def collect(self, log):
        done = {r.case for r in self.outcome.results}
        self.outcome.left = [c for c in self.cases if c not in done]
        logged = qpa.texts(log, self.outcome.texts)
        for case, errors in self.outcome.texts.items():
            parts = [logged.get(case, "")] + (["standard error:\n" + errors] if errors else [])
            self.outcome.texts[case] = "\n".join(p for p in parts if p)
        with open(self.stderr_path, encoding="utf-8", errors="replace") as f:
            errors = f.read()
        self.outcome.printed = "\n".join([s for s in self.stray if s.strip()][-20:] + errors.splitlines()[-20:])


def ending(code):
    if code is None:
        return "closed its output and did not end"
    if code < 0:
        try:
            return "killed by " + signal.Signals(-code).name
        except ValueError:
            return f"killed by signal {-code}"
    return f"ended with exit code {code} within the case"


def kill(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
