# SPDX-License-Identifier: MIT
"""How far a run is: a bar on a terminal, a line for each tenth elsewhere."""
import sys
import time

import status

WIDTH = 30


class Progress:
    def __init__(self, total, done, stream=None):
        self.total, self.done, self.stream = total, done, stream or sys.stderr
        self.first, self.start, self.bad, self.tenth = done, time.monotonic(), 0, 10 * done // total if total else 0
        self.drawn = 0.0

    def add(self, result):
        self.done += 1
        self.bad += result.status not in status.GOOD
        now = time.monotonic()
        if self.stream.isatty():
            if now - self.drawn >= 0.1 or self.done == self.total:
                self.drawn = now
                filled = WIDTH * self.done // self.total
                self.stream.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {self.words(now)}\033[K" + ("\n" if self.done == self.total else ""))
                self.stream.flush()
        elif 10 * self.done // self.total > self.tenth:
            self.tenth = 10 * self.done // self.total
            print("conformance: " + self.words(now), file=self.stream, flush=True)

    def words(self, now):
        ran, left = self.done - self.first, self.total - self.done
        rest = (now - self.start) * left / ran if ran else 0.0
        return f"{self.done} of {self.total} cases, {self.bad} bad, {int(rest) // 60}:{int(rest) % 60:02} min left"
