# SPDX-License-Identifier: MIT
"""Result files: one line for each case, written as cases end, so that a run that was stopped can go on and two runs can be compared.

    # key: value                                   what the run was made with (any number of lines, first)
    STATUS <tab> CASE <tab> SECONDS <tab> TEXT      TEXT is the one-line result of the program
"""
import collections
import os

import status

Result = collections.namedtuple("Result", "case status seconds text")


class ResultFileError(Exception):
    pass


def one_line(text):
    return " ".join(text.split())


def group(case, depth=2):
    """The group of a case: its name's first parts, never the whole name."""
    parts = case.split(".")
    return ".".join(parts[:max(1, min(depth, len(parts) - 1))])


def parse_line(line, where):
    fields = line.rstrip("\n").split("\t")
    if len(fields) != 4 or fields[0] not in status.ALL:
        raise ResultFileError(f"{where}: expected STATUS, CASE, SECONDS, TEXT with tabs between them, got {line[:80]!r}")
    try:
        return Result(fields[1], fields[0], float(fields[2]), fields[3])
    except ValueError:
        raise ResultFileError(f"{where}: '{fields[2]}' is not a number of seconds") from None


def read(path):
    """(header, {case: Result}). A last line without its end was cut off when the run was stopped, and does not count."""
    header, results = {}, {}
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if line.startswith("# "):
                key, _, value = line[2:].rstrip("\n").partition(": ")
                header[key] = value
            elif line.endswith("\n"):
                result = parse_line(line, f"{path}:{number}")
                results[result.case] = result
    return header, results


class Writer:
    """Appends to a result file; makes it with its header where there is none."""

    def __init__(self, path, header):
        fresh = not os.path.exists(path)
        if not fresh:
            cut_unfinished_line(path)
        self.file = open(path, "a", encoding="utf-8")
        if fresh:
            for key, value in header.items():
                self.file.write(f"# {key}: {one_line(str(value))}\n")
            self.file.flush()

    def add(self, result):
        self.file.write(f"{result.status}\t{result.case}\t{result.seconds:.3f}\t{one_line(result.text)}\n")
        self.file.flush()

    def close(self):
        self.file.close()


def cut_unfinished_line(path):
    with open(path, "rb+") as f:
        data = f.read()
        if data and not data.endswith(b"\n"):
            f.truncate(data.rfind(b"\n") + 1)
