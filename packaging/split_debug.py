#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Install script: strips what was installed and keeps the debug symbols at PREFIX/lib/debug/.build-id/xx/rest.debug, where debuggers look.

Run by meson, which names the staging folder and the prefix in the environment. A file without debug symbols is only stripped.
"""
import json
import os
import re
import subprocess
import sys

OBJCOPY = os.environ.get("OBJCOPY", "objcopy")


def installed_programs():
    """The targets' files that this installation has, under DESTDIR."""
    info = os.path.join(os.environ["MESON_BUILD_ROOT"], "meson-info", "intro-install_plan.json")
    plan = json.load(open(info, encoding="utf-8")).get("targets", {})
    prefix = os.environ["MESON_INSTALL_PREFIX"]
    for entry in plan.values():
        path = re.sub(r"\{(\w+)\}", lambda m: FOLDERS[m[1]], entry["destination"])
        path = os.environ.get("DESTDIR", "") + os.path.join(prefix, path)
        if os.path.isfile(path) and open(path, "rb").read(4) == b"\x7fELF":
            yield path


def folders():
    options = json.load(open(os.path.join(os.environ["MESON_BUILD_ROOT"], "meson-info", "intro-buildoptions.json"), encoding="utf-8"))
    value = {o["name"]: o["value"] for o in options}
    return {"prefix": value["prefix"], "bindir": value["bindir"], "libdir": value["libdir"], "libdir_shared": value["libdir"],
            "libdir_static": value["libdir"], "datadir": value["datadir"], "includedir": value["includedir"]}


def build_id(path):
    notes = subprocess.run(["readelf", "-n", path], check=True, capture_output=True, text=True).stdout
    match = re.search(r"Build ID: ([0-9a-f]+)", notes)
    return match[1] if match else None


def has_debug(path):
    return ".debug_info" in subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout


def split(path):
    identity = build_id(path) if has_debug(path) else None
    if identity:
        debug = os.path.join(os.environ["MESON_INSTALL_DESTDIR_PREFIX"], "lib", "debug", ".build-id", identity[:2], identity[2:] + ".debug")
        os.makedirs(os.path.dirname(debug), exist_ok=True)
        subprocess.run([OBJCOPY, "--only-keep-debug", "--compress-debug-sections", path, debug], check=True)
        os.chmod(debug, 0o644)
        subprocess.run([OBJCOPY, "--strip-unneeded", f"--add-gnu-debuglink={debug}", path], check=True)
    else:
        subprocess.run([OBJCOPY, "--strip-unneeded", path], check=True)


FOLDERS = folders()
for program in sorted(set(os.path.realpath(p) for p in installed_programs())):
    split(program)
