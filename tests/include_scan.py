#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rooms: every folder of source has a README.md that says what it is, what it may include and how to add to it, and includes nothing else;
the arrows make no circle.

usage: include_scan.py SOURCE_ROOT

A README's line is: May include: `folder`, `folder` (remark), `folder/header.h`, ... or "nothing of the project". A folder is exact: `hw` does not
stand for what is below it. A folder may always include itself. Generated headers belong to the folder that they are generated in.
"""
import collections
import os
import re
import sys

ROOMS = ("common", "compiler", "hw", "icd", "tools", "winsys")
SOURCES = (".h", ".cpp", ".hpp")
TABLES = (".py", ".xml")  # databases and generators: a README, but no line of includes
# Only the driver, and programs that use it, know Vulkan.
VULKAN_ONLY_IN = ("icd", "tests", "examples")
# The driver reaches a chip through its facade; these are all of it.
FACADES = {"hw/types.h", "hw/radeon/gpu.h", "hw/radeon/help.h", "hw/radeon/statistics.h", "hw/rdp/card.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
MAY = re.compile(r"^May include: (.*)$", re.M)
TO_ADD = re.compile(r"^## (How to add|Adding)|\bTo add\b", re.M)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def readme_of(root, folder):
    """The text of a folder's README.md, or None."""
    path = os.path.join(root, folder, "README.md")
    return read(path) if os.path.exists(path) else None


def allowed_of(root, folder):
    """The set of folders and headers in the README's line, or None when there is no such line."""
    if "include" in folder.split("/"):  # public headers stand alone
        return set()
    match = MAY.search(readme_of(root, folder) or "")
    return None if not match else set(re.findall(r"`([^`]+)`", match.group(1)))


def lacks(readme):
    """What a README does not say beside the line of includes."""
    if not re.match(r"(<!--.*-->\n)?# \S", readme):
        yield "a title"
    if not TO_ADD.search(readme):
        yield "how to add to the folder ('## How to add' or 'To add ...')"


def includes(root):
    """(folder, place, target) of every include of a project header."""
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                if not name.endswith(SOURCES):
                    continue
                path = os.path.join(folder, name)
                for number, line in enumerate(read(path).split("\n"), 1):
                    match = INCLUDE.match(line)
                    if match:
                        yield os.path.relpath(folder, root), f"{os.path.relpath(path, root)}:{number}", match.group(1)


def source_folders(root):
    """Folders with code, databases or generators; public headers stand alone."""
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            inside = os.path.relpath(folder, root)
            if "include" not in inside.split("/") and any(n.endswith(SOURCES + TABLES) for n in names):
                yield inside


def circle(arrows):
    """A list of folders that lead back to the first, or None."""
    state, trail = {}, []

    def visit(folder):
        state[folder] = "open"
        trail.append(folder)
        for target in sorted(arrows.get(folder, ())):
            if state.get(target) == "open":
                return trail[trail.index(target):] + [target]
            if target not in state:
                found = visit(target)
                if found:
                    return found
        trail.pop()
        state[folder] = "done"
        return None

    for folder in sorted(arrows):
        if folder not in state:
            found = visit(folder)
            if found:
                return found
    return None


def violations(root):
    may, arrows, seen = {}, collections.defaultdict(set), set()
    for folder, where, target in includes(root):
        room = folder.split("/")[0]
        if folder.endswith("/pch"):  # a copy of what the files of a room include anyway; no file includes it
            continue
        if folder not in may:
            may[folder] = allowed_of(root, folder)
            if may[folder] is None:
                yield f"{folder}: no README.md with a line 'May include: ...'"
        seen.add(folder)
        if target.startswith(("vulkan/", "vk_")) and room not in VULKAN_ONLY_IN:
            yield f"{where}: {room} must not know Vulkan ({target})"
        if target.startswith("../"):
            yield f"{where}: includes are written from the source root ({target})"
        if target.split("/")[0] not in ROOMS or "/" not in target:
            continue
        other = os.path.dirname(target)
        if other == folder:
            continue
        arrows[folder].add(other)
        if may[folder] is not None and other not in may[folder] and target not in may[folder]:
            yield f"{where}: {folder} must not include {target} (see {folder}/README.md)"
        if room == "icd" and other.startswith("hw/") and other != "hw/db" and target not in FACADES:
            yield f"{where}: the driver reaches past the chip's facade ({target})"
    for folder in sorted(source_folders(root)):
        readme = readme_of(root, folder)
        if readme is not None:
            yield from (f"{folder}/README.md does not have {what}" for what in lacks(readme))
        elif folder not in may:
            yield f"{folder}: no README.md"
    for folder in sorted(seen):
        for target in sorted(may[folder] or ()):
            if not target.endswith(".h") and target not in arrows[folder] and not os.path.isdir(os.path.join(root, target)):
                yield f"{folder}/README.md: {target} is no folder"
    found = circle(arrows)
    if found:
        yield "folders include each other in a circle: " + " -> ".join(found)


def main():
    found = list(violations(sys.argv[1]))
    print("\n".join(found) if found else "no forbidden includes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
