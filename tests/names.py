#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One scheme for the names of files, suites and tests (CONTRIBUTING.md, "Names"); folders of tests are described.

usage: names.py SOURCE_ROOT BUILD_ROOT
"""
import json
import os
import re
import sys

SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
CAMEL = re.compile(r"(DISABLED_)?[A-Z][A-Za-z0-9]*")
SOURCES = (".cpp", ".h", ".hpp", ".c", ".py", ".xml", ".js", ".css", ".html", ".glsl", ".vert", ".frag", ".comp", ".sh", ".build", ".inc")
GTEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+),\s*(\w+)\)", re.M)
# Folders and files that are named by others: formats, tools, hidden ones.
FOREIGN_FOLDERS = ("docs/reference", "packaging/debian")
# The tests of these suites begin with the name of the level.
LEVELS = {"rdp": "rdp", "winsys": "winsys", "vk": "vk", "vk-ref": "vk", "vk-check": "vk", "vk-validated": "vk", "soak": ""}


def sources(root):
    for folder, names, entries in os.walk(root):
        names[:] = sorted(n for n in names if not n.startswith((".", "build")) and n not in ("out", "__pycache__"))
        where = os.path.relpath(folder, root)
        if where.startswith(FOREIGN_FOLDERS):
            continue
        for name in sorted(entries):
            if name.endswith(SOURCES) and not name.startswith("."):
                yield where, name


def file_problems(root):
    for where, name in sources(root):
        path = os.path.normpath(os.path.join(where, name))
        CHECKED[0] += 1
        if not all(SNAKE.fullmatch(part) for part in (where.split("/") if where != "." else []) + name.split(".")[:1]):
            yield f"{path}: folders and files are in lower case, words joined by _"
        if not where.startswith("tests") or not name.endswith((".cpp", ".h")):
            continue
        tests = GTEST.findall(open(os.path.join(root, path), encoding="utf-8").read())
        is_test, is_bench = name.endswith("_test.cpp"), name.endswith("_bench.cpp")
        if bool(tests) != is_test:
            yield f"{path}: files with tests, and no others, are named WHAT_test.cpp"
        if "_bench" in name and not (is_bench and where.startswith("tests/bench/")):
            yield f"{path}: benchmarks, and nothing else, are tests/bench/*/WHAT_bench.cpp"
        for suite, test in tests:
            CHECKED[0] += 1
            if not CAMEL.fullmatch(suite) or not CAMEL.fullmatch(test):
                yield f"{path}: TEST({suite}, {test}): suites and tests are CamelCase"


def folder_problems(root):
    """Each folder of tests has a README.md or is in a table of the next one above. (Those of code: include_scan.py.)"""
    for where in sorted({where for where, name in sources(root) if where.startswith("tests/") and name.endswith((".cpp", ".py"))}):
        above = where
        while not os.path.exists(os.path.join(root, above, "README.md")):
            above = os.path.dirname(above)
        CHECKED[0] += 1
        part = os.path.relpath(where, above)
        text = open(os.path.join(root, above, "README.md"), encoding="utf-8").read()
        if part != "." and f"`{part}`" not in text and f"`{part.split('/')[0]}/*`" not in text and f"({part}/" not in text:
            yield f"{where}: has no README.md and is not in {above}/README.md"


def lost_tests(root, build):
    """A file of tests that no target compiles passes unseen; merges of lists in meson.build lose them."""
    commands = json.load(open(os.path.join(build, "compile_commands.json"), encoding="utf-8"))
    compiled = {os.path.realpath(os.path.join(c["directory"], c["file"])) for c in commands}
    for where, name in sources(root):
        if where.startswith("tests/") and name.endswith("_test.cpp"):
            CHECKED[0] += 1
            if os.path.realpath(os.path.join(root, where, name)) not in compiled:
                yield f"{where}/{name}: no target compiles it"


def build_problems(root, build):
    table = open(os.path.join(root, "tests/README.md"), encoding="utf-8").read()
    known = set(re.findall(r"`([a-z-]+)`", "\n".join(line for line in table.split("\n") if line.startswith("| `"))))
    for kind in ("tests", "benchmarks"):
        seen = set()
        for test in json.load(open(os.path.join(build, "meson-info", f"intro-{kind}.json"), encoding="utf-8")):
            name, suites = test["name"], [s.split(":")[-1] for s in test["suite"]]
            CHECKED[0] += 1
            if not SNAKE.fullmatch(name):
                yield f"{kind}: {name}: lower case, words joined by _"
            if name in seen:
                yield f"{kind}: {name}: there are two"
            seen.add(name)
            for suite in suites:
                if kind == "tests" and suite not in known:
                    yield f"tests: {name}: the suite {suite} is not in the table of tests/README.md"
                if not name.startswith(LEVELS.get(suite, "")):
                    yield f"tests: {name}: tests of the suite {suite} begin with {LEVELS[suite]}"


CHECKED = [0]

if __name__ == "__main__":
    root, build = sys.argv[1], sys.argv[2]
    found = [p for problems in (file_problems(root), folder_problems(root), lost_tests(root, build), build_problems(root, build)) for p in problems]
    print("\n".join(found) if found else f"{CHECKED[0]} names")
    sys.exit(1 if found or CHECKED[0] < 1000 else 0)
