#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Documents stand alone: every section that a comment or a document cites exists in docs/reference, and every link leads somewhere.

usage: documents.py SOURCE_ROOT
Citations: `us-isa A8, A9`, `pipeline s.6.4`, `vulkan-on-r5xx a2`, `docs/reference/rdp.md section 9.2`.
"""
import os
import re
import sys

NAMES = ("us-isa", "pvs-isa", "cp-pm4", "vulkan-on-r5xx", "extended-isa-ideas", "pipeline")
SECTION = r"(?:s\.|sections? |[Pp]art )?\(?[A-C]?\d+(?:\.\d+)*|[Pp]art [A-Z]|\([a-z]\d?\)|[a-d]\d\b"
LIST = rf"(?:{SECTION})(?:(?:, and |, | and |\s?/\s?)(?:{SECTION}))*"
# "pipeline" is a word too: only with "s." it is the document.
CITATION = re.compile(rf"\b(?:({'|'.join(NAMES[:-1])})(?:\.md)?\)?,? ({LIST})|(pipeline)(?:\.md)?,? (s\.\d+(?:\.\d+)*(?:(?:, and |, | and )(?:s\.)?\d+(?:\.\d+)*)*))")
RDP = re.compile(r"docs/reference/rdp\.md sections? (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*)")
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
ELSEWHERE = re.compile(r"\bDESIGN s\.\d|\bDESIGN\.md|\.\./shared/")
SOURCES = (".cpp", ".h", ".hpp", ".c", ".py", ".md", ".xml", ".build", ".vert", ".frag", ".sh")


def sections(path):
    """The numbers of a document's headings: 6, 6.4, A8, part C, a1."""
    found = set()
    for line in open(path, encoding="utf-8"):
        match = re.match(r"#+ (?:PART ([A-Z])\b|\(?([A-Za-z]?\d+(?:\.\d+)*|[a-z])\)?[. ])", line)
        if match:
            found.add("part " + match[1].lower() if match[1] else match[2].lower())
    return found


def cited(text):
    """The section numbers in a list like 's.6.4, 6.5'."""
    for part in re.findall(r"[Pp]art [A-Z]\b|\b[A-Ca-c]?\d+(?:\.\d+)*|\b[a-d]\d?\b", text.replace("s.", " ").replace("section", " ")):
        yield part.lower()


def files(root):
    for folder, names, entries in os.walk(root):
        names[:] = [n for n in names if not n.startswith((".", "build")) and n not in ("out", "__pycache__")]
        for name in entries:
            if name.endswith(SOURCES):
                yield os.path.join(folder, name)


def problems(root):
    reference = os.path.join(root, "docs", "reference")
    have = {name: sections(os.path.join(reference, name + ".md")) for name in NAMES + ("rdp",)}
    for name, numbers in have.items():
        if not numbers:
            yield f"docs/reference/{name}.md: no section found"
    for path in files(root):
        where = os.path.relpath(path, root)
        if where == os.path.join("tests", "documents.py"):
            continue
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            for match in CITATION.finditer(line):
                name, text = (match[1], match[2]) if match[1] else (match[3], match[4])
                for section in cited(text):
                    CHECKED[0] += 1
                    if section not in have[name]:
                        yield f"{where}:{number}: {name} has no section {section}"
            for match in RDP.finditer(line):
                for section in cited(match[1]):
                    CHECKED[0] += 1
                    if section not in have["rdp"]:
                        yield f"{where}:{number}: docs/reference/rdp.md has no section {section}"
            if ELSEWHERE.search(line):
                yield f"{where}:{number}: cites a document that is not in the repository"
            if path.endswith(".md"):
                for match in LINK.finditer(line):
                    target = os.path.normpath(os.path.join(os.path.dirname(path), match[1]))
                    if "://" not in match[1] and not os.path.exists(target):
                        yield f"{where}:{number}: the link {match[1]} leads nowhere"


CHECKED = [0]
found = list(problems(sys.argv[1]))
print("\n".join(found) if found else f"{CHECKED[0]} citations, all there")
sys.exit(1 if found or CHECKED[0] < 100 else 0)
