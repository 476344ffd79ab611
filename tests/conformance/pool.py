# SPDX-License-Identifier: MIT
"""Spreads cases over worker threads, each of which runs one program after the other; what a program that stopped left over is run by the next."""
import collections
import threading

import status
from process import Process
from results import Result

NEVER_STARTED = 24  # so many programs in a row that begin no case: the program does not work at all


class BrokenProgram(Exception):
    pass


class Pool:
    """run() calls on_result(result) as cases end and on_text(case, text) for each that failed; both under a lock, from any thread."""

    def __init__(self, program, workers, batch, on_result, on_text):
        self.program, self.workers, self.batch = program, workers, batch
        self.on_result, self.on_text = on_result, on_text
        self.lock = threading.Lock()
        self.queue = collections.deque()  # lists of cases that a stopped program left: first
        self.rest = collections.deque()
        self.idle_runs, self.error, self.stop = 0, None, False

    def run(self, cases):
        self.rest.extend(cases)
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(max(1, min(self.workers, len(cases))))]
        for t in threads:
            t.start()
        try:
            for t in threads:
                t.join()
        except KeyboardInterrupt:
            self.stop = True
            self.program.end()
            for t in threads:
                t.join()
            raise
        if self.error:
            raise self.error

    def take(self):
        """Cases of the next program. Batches shrink towards the end, so that no worker is left with many while others have none."""
        with self.lock:
            if self.stop or self.error:
                return None
            if self.queue:
                return self.queue.popleft()
            count = min(self.batch, max(1, len(self.rest) // (2 * self.workers)), len(self.rest))
            return [self.rest.popleft() for _ in range(count)] or None

    def work(self):
        try:
            while (cases := self.take()) is not None:
                self.run_some(cases)
        except Exception as e:  # a thread's exception would be printed and forgotten
            with self.lock:
                self.error = self.error or e

    def run_some(self, cases):
        outcome = Process(self.program, cases, self.ended).run()
        with self.lock:
            for case, text in outcome.texts.items():
                self.on_text(case, text)
            if self.stop:
                return
            if outcome.results or outcome.finished:
                self.idle_runs = 0
                self.give_back(outcome)
            else:
                self.no_start(cases, outcome.printed)

    def ended(self, result):
        with self.lock:
            self.on_result(result)

    def give_back(self, outcome):
        """A program that ended well has nothing left but cases it does not know."""
        if not outcome.left:
            return
        if outcome.finished:
            for case in outcome.left:
                self.on_result(Result(case, status.MISSING, 0.0, "the program never named this case"))
        else:
            self.queue.append(outcome.left)

    def no_start(self, cases, printed):
        """No case began: halves are tried, until one case alone is left that stops the program."""
        self.idle_runs += 1
        if self.idle_runs >= NEVER_STARTED:
            raise BrokenProgram(f"{NEVER_STARTED} runs of the program began no case; the last printed:\n{printed}")
        if len(cases) > 1:
            middle = len(cases) // 2
            self.queue.extend((cases[:middle], cases[middle:]))
            return
        self.on_result(Result(cases[0], status.MISSING, 0.0, "the program began no case"))
        self.on_text(cases[0], printed)
