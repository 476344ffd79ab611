#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a GoogleTest program under VK_LAYER_KHRONOS_validation with its checks of synchronization and best practices, and fails at every message that
validation_exceptions.txt does not list.

usage: validated.py EXCEPTIONS PROGRAM [ARGS...]      (exit status 77: the layer is not installed)
"""
import collections
import fnmatch
import glob
import os
import re
import subprocess
import sys
import tempfile

SETTINGS = """khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT
khronos_validation.report_flags = error,warn,perf
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = stdout
khronos_validation.enable_message_limit = false
"""
MESSAGE = re.compile(r"Validation (Error|Warning|Performance Warning): \[ (\S+) \].*?\| MessageID = \w+ \| (.*)")
KINDS = {"Error": "error", "Warning": "warning", "Performance Warning": "advice"}
RUN = re.compile(r"\[ RUN      \] (\S+)")


def read_exceptions(path):
    """[(pattern of tests, pattern of messages or "skip", reason)]"""
    rows = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(None, 2)
        if len(fields) < 3:
            sys.exit(f"{path}:{number}: expected: tests, messages, reason")
        rows.append(tuple(fields))
    return rows


def gtest_filter(rows):
    """The environment's own filter without the tests that cannot run under the layer."""
    skipped = [tests for tests, what, _ in rows if what == "skip"]
    have = os.environ.get("GTEST_FILTER", "*")
    return ":".join([have if "-" in have else have + "-"] + skipped).replace("-:", "-")


def main():
    if not any(glob.glob(os.path.join(d, "vulkan/explicit_layer.d/*hronos_validation.json")) for d in ("/usr/share", "/usr/local/share", "/etc")):
        print("the validation layer is not installed (vulkan-validationlayers)")
        return 77
    rows = read_exceptions(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "vk_layer_settings.txt"), "w", encoding="utf-8").write(SETTINGS)
        env = dict(os.environ, VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation", VK_LAYER_SETTINGS_PATH=folder, GTEST_FILTER=gtest_filter(rows))
        done = subprocess.run(sys.argv[2:], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found, first, test = collections.Counter(), {}, "(none)"
    for line in done.stdout.decode(errors="replace").splitlines():
        if run := RUN.search(line):
            test = run[1]
        if message := MESSAGE.search(line):
            key = (test, f"{KINDS[message[1]]}:{message[2]}")
            found[key] += 1
            first.setdefault(key, message[3][:300])
    bad = [k for k in sorted(found) if not any(fnmatch.fnmatch(k[0], t) and fnmatch.fnmatch(k[1], m) for t, m, _ in rows)]
    for test, message in bad:
        print(f"{test}: {message} ({found[test, message]} times): {first[test, message]}")
    print(f"{sum(found.values())} messages, {sum(found[k] for k in bad)} of them without an exception")
    if done.returncode:
        print(done.stdout.decode(errors="replace")[-3000:])
    return 1 if bad or done.returncode else 0


sys.exit(main())
