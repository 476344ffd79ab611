# SPDX-License-Identifier: MIT
"""Failing cases of a run by cause: the driver's report where there is one, else what the program says, without numbers."""
import collections
import re

import status
from results import group

REPORT = re.compile(r"^pumice: (?:error|warning): (.*)$", re.M)
LEFT_OUT = (
    (re.compile(r"\b[A-Z][A-Z0-9]*\d[A-Z0-9]*_(?:[US](?:NORM|INT|SCALED|FLOAT)|SRGB)\w*"), "FORMAT"),
    (re.compile(r"\b\d+(?:x\d+)+\b|0x[0-9a-fA-F]+|\b\d+(?:\.\d+)?(?:e[-+]?\d+)?\b"), "#"),
    (re.compile(r"#(?:,? #)+"), "#.."),
    (re.compile(r"\.(cpp|hpp|inl):#"), r".\1"),
)
CALL = re.compile(r"^(?:\w+\.)?(\w+)\(.*\): (VK_\w+)")  # vk.createBuffer(device, ..): VK_ERROR_..


def cause(result, text):
    """A line that is the same for cases that fail for the same reason."""
    report = REPORT.search(text)
    said = report[1] if report else CALL.sub(r"\1: \2", result.text)
    for pattern, instead in LEFT_OUT:
        said = pattern.sub(instead, said)
    return f"{result.status}: {said.strip() or '(nothing said)'}"


def by_cause(results, texts):
    """[(cause, [Result])], the most cases first."""
    found = collections.defaultdict(list)
    for r in results:
        if r.status not in status.GOOD:
            found[cause(r, texts.get(r.case, ""))].append(r)
    return sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0]))


def listed(found, examples, depth=2):
    """Text: for each cause how many cases of which groups, and some of them by name."""
    blocks = []
    for said, cases in found:
        groups = collections.Counter(group(r.case, depth) for r in cases)
        names = ", ".join(f"{name} {count}" for name, count in groups.most_common(8)) + (", ..." if len(groups) > 8 else "")
        step = max(1, len(cases) // examples)
        blocks.append("\n".join([f"{len(cases)}  {said}", f"      {names}"] + [f"      {r.case}" for r in cases[::step][:examples]]))
    return "\n".join(blocks)
