#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the documents of the code's structure name in backticks exists: files, folders, functions, types, tests, suites.

usage: named_code.py SOURCE_ROOT
Of docs/architecture.md, CONTRIBUTING.md and the README.md of every folder of code. `cp/executor.cpp`, `mip_layout.h`: a file or folder whose path ends so; `*`,
`BLOCK`, `WHAT` and `<block>` stand for anything in it, `_flow.cpp` is the end of a name. `regs::ZB_CNTL`, `tex`: a word of the sources; of a name with `::`
all parts are in one file. Commands, environment variables and what a build makes are not looked for.
"""
import os
import re
import sys

ROOMS = ("common/", "compiler/", "hw/", "icd/", "tests/", "tools/", "winsys/")
# Their backticks are names of measurements, clients and files of other projects.
NOT_CODE = {"tests/applications/README.md", "tests/bench/matrix/README.md"}
CODE = (".cpp", ".h", ".hpp", ".c", ".py", ".xml", ".build", ".js", ".vert", ".frag", ".comp", ".map")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# Stand for names: of each entry point there is a function.
PATTERNS = {"pm_Function", "rdp_Function", "pm_NAME", "kCamelCase", "STRUCT_of(number)", "NAME_value(code)", "NAME_code(value)", "SPIRV(NAME_frag)"}
# What a build makes or a system brings.
GENERATED = {"chips.h", "groups.h", "regs_<chip>.h", "regs_CHIP.h", "decode_CHIP.cpp", "isa_<set>.h", "isa_NAME.h", "hw/db/isa_NAME.h", "rdp_commands.h",
             "rdp_tables.cpp", "rdp_card_registers.h", "entrypoints.h", "entrypoints.cpp", "names.cpp", "chip_tables.h", "NAME.frag.h", "PROGRAM-pumice.png",
             "apps.md", "vk.xml", "libclang-rt-14-dev"}


def tree(root):
    """Paths of all files and folders of the sources."""
    for folder, names, entries in os.walk(root):
        names[:] = [n for n in names if not n.startswith((".", "build")) and n not in ("out", "__pycache__")]
        for name in names + entries:
            yield os.path.relpath(os.path.join(folder, name), root)


def words_of(root, paths):
    """The words of each file of code."""
    for path in paths:
        if path.endswith(CODE) or path == "pumice":
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                yield set(WORD.findall(file.read()))


def is_path(name):
    return "/" in name or re.search(r"\.(cpp|h|py|xml|md|build|sh|symbols|\*)$", name)


def path_pattern(name):
    """Of `decode/<block>` or `hw/db/regs/BLOCK.xml`; `packet*` has no dot, so a folder's name must end where it does."""
    if name.startswith(("_", ".")):
        name = "*" + name
    pattern = re.sub(r"<\w+>|(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z]|\.md)", "*", name.rstrip("/"))
    return re.compile("(?:.*/)?" + re.escape(pattern).replace(r"\*", "[^/]*").replace(r"\{", "(?:").replace(r"\}", ")").replace(",", "|") + r"(?:\.(?:h|cpp))?")


def named(name):
    """Whether it is the name of something of the sources."""
    if " " in name or name in PATTERNS or name in GENERATED or name.startswith(("PUMICE_", "build/", "<", "-", "/")):
        return False
    return not re.search(r"\w\*\w", name) or "/" in name  # else a product


def problems(root, documents=None):
    paths = list(tree(root))
    if documents is None:
        documents = ["docs/architecture.md", "CONTRIBUTING.md"]
        documents += sorted(p for p in paths if p.endswith("/README.md") and p.startswith(ROOMS) and p not in NOT_CODE)
    files = list(words_of(root, paths))
    words = set().union(*files)
    for document in documents:
        text = open(os.path.join(root, document), encoding="utf-8").read()
        text = re.sub(r"```.*?```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
        for number, line in enumerate(text.split("\n"), 1):
            for name in re.findall(r"`([^`]+)`", line):
                if not named(name):
                    continue
                CHECKED[0] += 1
                if name.startswith("../"):
                    name = os.path.normpath(os.path.join(os.path.dirname(document), name))
                if is_path(name):
                    pattern = path_pattern(name)
                    found = any(pattern.fullmatch(path) for path in paths)
                elif "*" in name:
                    found = any(word.startswith(name.rstrip("*")) for word in words)
                else:
                    parts = set(WORD.findall(re.sub(r'="\w+"', "", name)))
                    found = any(parts <= file for file in files) if len(parts) > 1 else parts <= words
                    pattern = path_pattern(name)
                    found = found or any(pattern.fullmatch(path) for path in paths)
                if not found:
                    yield f"{document}:{number}: there is no {name}"


CHECKED = [0]

if __name__ == "__main__":
    found = list(problems(sys.argv[1]))
    print("\n".join(found) if found else f"{CHECKED[0]} names, all there")
    sys.exit(1 if found or CHECKED[0] < 100 else 0)
