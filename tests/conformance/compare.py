# SPDX-License-Identifier: MIT
"""Two result files, case by case."""
import status


KINDS = ("passed, does not now", "was not supported, fails", "fails otherwise", "fails no longer", "support differs", "only in the first", "only in the second")


def differences(a, b):
    """(heading, [(case, Result or None, Result or None)]) for each kind of difference, the gravest first. A and B are {case: Result}."""
    kinds = {kind: [] for kind in KINDS}
    for case in sorted(a.keys() | b.keys()):
        kind = kind_of(a.get(case), b.get(case))
        if kind:
            kinds[kind].append((case, a.get(case), b.get(case)))
    return [(kind, found) for kind, found in kinds.items() if found]


def kind_of(old, new):
    if old is None or new is None:
        return "only in the second" if old is None else "only in the first"
    if old.status == new.status:
        return None
    if new.status in status.GOOD:
        if old.status not in status.GOOD:
            return "fails no longer"
        return None if {old.status, new.status} <= status.PASSING else "support differs" if old.status == status.NOT_SUPPORTED else "passed, does not now"
    if old.status in status.PASSING:
        return "passed, does not now"
    return "was not supported, fails" if old.status == status.NOT_SUPPORTED else "fails otherwise"


def text_differences(a, b):
    """Cases of the same status in both whose one-line texts differ."""
    return [(case, a[case], b[case]) for case in sorted(a.keys() & b.keys()) if a[case].status == b[case].status and a[case].text != b[case].text]


def listed(kind, found, most):
    """Text of one kind; at most MOST cases of it."""
    lines = [f"{kind}: {len(found)}"]
    for case, old, new in found[:most]:
        lines.append(f"  {case}")
        lines += [f"    {mark} {r.status} ({r.text})" for mark, r in (("-", old), ("+", new)) if r]
    return "\n".join(lines + ([f"  and {len(found) - most} more (--most)"] if len(found) > most else []))
