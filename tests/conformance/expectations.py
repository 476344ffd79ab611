# SPDX-License-Identifier: MIT
"""Expectation lists: cases that are known not to pass, each with its reason.

    STATUS[|STATUS...] CASE-OR-PATTERN  # reason

A case is as expected if it is listed with the status it has, or passes (or is not supported) and is not listed. A listed case that passes is
unexpected unless Pass is among the statuses of its line; one that is not supported contradicts no line.
"""
import collections
import re

import status
from cases import Matcher

Line = collections.namedtuple("Line", "statuses pattern reason where")
FORM = re.compile(r"(\S+)\s+(\S+)\s*(?:#\s*(.*))?$")


class ExpectationError(Exception):
    pass


def parse(text, name):
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        line, where = line.strip(), f"{name}:{number}"
        if not line or line.startswith("#"):
            continue
        match = FORM.match(line)
        if not match:
            raise ExpectationError(f"{where}: expected STATUS CASE # reason, got '{line}'")
        statuses = match[1].split("|")
        for word in statuses:
            if word not in status.ALL:
                raise ExpectationError(f"{where}: '{word}' is no status; there are {', '.join(status.ALL)}")
        if not match[3]:
            raise ExpectationError(f"{where}: '{match[2]}' has no reason: write it behind a #")
        lines.append(Line(frozenset(statuses), match[2], match[3], where))
    return lines


def read(paths):
    return [line for path in paths for line in parse(open(path, encoding="utf-8").read(), path)]


class Expectations:
    """The first line that names a case counts for it."""

    def __init__(self, lines):
        self.lines = [(line, Matcher([line.pattern])) for line in lines]
        self.used = set()

    def line_of(self, case):
        for line, match in self.lines:
            if match(case):
                self.used.add(line.where)
                return line
        return None

    def complaint(self, result):
        """Why a result is not as expected; None if it is."""
        line = self.line_of(result.case)
        if line is None:
            return None if result.status in status.GOOD else result.status
        if result.status in line.statuses or result.status == status.NOT_SUPPORTED:
            return None
        wanted = "|".join(sorted(line.statuses))
        if result.status in status.PASSING:
            return f"passes unexpectedly ({wanted} expected: {line.reason}; {line.where})"
        return f"{result.status} ({wanted} expected; {line.where})"

    def unused(self):
        """Lines that named no case of the run."""
        return [line for line, _ in self.lines if line.where not in self.used]
