#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs dEQP-style conformance programs and compares what came out; docs/conformance.md says how.

usage: conformance.py [run] BINARY [CASES...]     runs (run is the default)
       conformance.py compare A B                 two result files or folders, case by case
       conformance.py summary [TITLE=]FILE...     tables by group
       conformance.py causes FOLDER               what failed in a run, by cause
Exit code: 0 everything as expected, 1 not, 2 the run itself went wrong.
"""
import argparse
import os
import signal
import sys

import cases
import causes
import compare
import drivers
import expectations
import pool
import report
import results
import run

ERRORS = (cases.CaseListError, drivers.DriverError, expectations.ExpectationError, results.ResultFileError, pool.BrokenProgram, OSError)


def result_file(path):
    return os.path.join(path, "results.txt") if os.path.isdir(path) else path


def compare_main(options):
    a, b = (results.read(result_file(p))[1] for p in (options.a, options.b))
    found = compare.differences(a, b)
    if options.text:
        texts = compare.text_differences(a, b)
        found += [("same status, other text", texts)] if texts else []
    for kind, entries in found:
        print(compare.listed(kind, entries, options.most))
    same = len(a.keys() & b.keys())
    print(f"{same} cases are in both, {sum(len(e) for _, e in found)} differ")
    return 1 if found else 0


def summary_main(options):
    runs = []
    for word in options.files:
        title, _, path = word.rpartition("=")
        runs.append((title or word, list(results.read(result_file(path))[1].values())))
    if options.markdown:
        print(report.side_by_side(runs, options.depth))
    else:
        print("\n\n".join((f"{title}\n" if len(runs) > 1 else "") + report.table(found, options.depth) for title, found in runs))
    return 0


def causes_main(options):
    folder = run.Folder(options.folder)
    found = causes.by_cause(results.read(folder.results)[1].values(), run.read_texts(folder.texts))
    print(causes.listed(found, options.examples, options.depth))
    return 0


def parser():
    top = argparse.ArgumentParser(prog="conformance", formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    run.add_arguments(commands.add_parser("run", help="run cases"))
    p = commands.add_parser("compare", help="compare two result files")
    p.add_argument("a")
    p.add_argument("b")
    p.add_argument("--text", action="store_true", help="also the one-line texts of cases with the same status")
    p.add_argument("--most", metavar="N", type=run.positive, default=50, help="cases printed of a kind of difference (default: 50)")
    p = commands.add_parser("summary", help="tables by group")
    p.add_argument("files", nargs="+", metavar="[TITLE=]FILE")
    p.add_argument("--markdown", action="store_true", help="side by side, pass / not supported / everything else")
    p.add_argument("--depth", type=run.positive, default=2)
    p = commands.add_parser("causes", help="what failed in a run, by cause")
    p.add_argument("folder")
    p.add_argument("--examples", metavar="N", type=run.positive, default=2, help="cases named for each cause (default: 2)")
    p.add_argument("--depth", type=run.positive, default=2)
    return top


COMMANDS = {"compare": compare_main, "summary": summary_main, "causes": causes_main}


def main(arguments):
    if arguments and arguments[0] not in ("run", *COMMANDS, "-h", "--help"):
        arguments = ["run", *arguments]
    options = parser().parse_args(arguments)
    try:
        if options.command == "run":
            return run.main(options, os.environ)
        return COMMANDS[options.command](options)
    except ERRORS as e:
        print(f"conformance: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("conformance: stopped; the same command goes on where it was", file=sys.stderr)
        return 130


def interrupt(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    sys.exit(main(sys.argv[1:]))
