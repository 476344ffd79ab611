# SPDX-License-Identifier: MIT
"""Summaries: a table by group for the terminal, one side by side in Markdown, JUnit's XML."""
import collections
from xml.sax.saxutils import escape, quoteattr

import status
from results import group


def counted(results, depth):
    """{group: Counter of column names}, groups in alphabetical order."""
    column = {word: name for name, words in status.COLUMNS for word in words}
    groups = collections.defaultdict(collections.Counter)
    for r in results:
        groups[group(r.case, depth)][column[r.status]] += 1
    return dict(sorted(groups.items()))


def total_of(groups):
    return sum(groups.values(), collections.Counter())


def table(results, depth=2):
    """Text with a row for each group and the total."""
    names = [name for name, _ in status.COLUMNS]
    groups = counted(results, depth)
    rows = [("group", "cases", *names)]
    for name, counts in [*groups.items(), ("total", total_of(groups))]:
        rows.append((name, str(sum(counts.values())), *(str(counts[n]) if counts[n] else "." for n in names)))
    width = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, width))) for row in rows)


def side_by_side(runs, depth=2):
    """Markdown: a row for each group, for each of [(title, results)] what passes, is not supported and fails in any way."""
    tables = [(title, counted(results, depth)) for title, results in runs]
    groups = sorted(set().union(*(t for _, t in tables)))
    lines = ["| group | cases | " + " | ".join(title for title, _ in tables) + " |", "|---|" + "---|" * (len(tables) + 1)]
    for name in groups + ["total"]:
        cells = [total_of(t) if name == "total" else t.get(name, collections.Counter()) for _, t in tables]
        lines.append(f"| {name} | {max(sum(c.values()) for c in cells)} | " + " | ".join(cell_text(c) for c in cells) + " |")
    return "\n".join(lines)


def cell_text(counts):
    bad = sum(counts.values()) - counts["pass"] - counts["not supported"]
    return f"{counts['pass']} / {counts['not supported']} / {bad}"


def junit(results, complaints, texts):
    """XML: a suite for each group; what is not as expected is a failure, what is known not to pass or not supported is skipped."""
    suites = collections.defaultdict(list)
    for r in results:
        suites[group(r.case)].append(r)
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for name, cases in sorted(suites.items()):
        failures = sum(r.case in complaints for r in cases)
        skipped = sum(r.case not in complaints and r.status not in status.PASSING for r in cases)
        out.append(f'<testsuite name={quoteattr(name)} tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}" '
                   f'time="{sum(r.seconds for r in cases):.3f}">')
        out += [junit_case(r, complaints.get(r.case), texts.get(r.case, "")) for r in cases]
        out.append("</testsuite>")
    return "\n".join(out + ["</testsuites>"]) + "\n"


def junit_case(r, complaint, text):
    parent, _, name = r.case.rpartition(".")
    head = f'<testcase classname={quoteattr(parent)} name={quoteattr(name)} time="{r.seconds:.3f}"'
    if complaint:
        return f"{head}><failure message={quoteattr(xml_text(f'{complaint}: {r.text}'))}>{escape(xml_text(text))}</failure></testcase>"
    if r.status not in status.PASSING:
        return f"{head}><skipped message={quoteattr(xml_text(f'{r.status}: {r.text}'))}/></testcase>"
    return head + "/>"


def xml_text(text):
    """Characters that XML 1.0 may not contain become question marks."""
    return "".join(c if c in "\t\n" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "?" for c in text)
