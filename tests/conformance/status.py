# SPDX-License-Identifier: MIT
"""The words a case can end with. The first ten are those of dEQP logs; Missing is ours: the program ended well and never named the case."""

PASS, NOT_SUPPORTED, CRASH, TIMEOUT, MISSING = "Pass", "NotSupported", "Crash", "Timeout", "Missing"
DEQP = (PASS, NOT_SUPPORTED, "QualityWarning", "CompatibilityWarning", "Fail", "InternalError", "ResourceError", "Pending", CRASH, TIMEOUT)
ALL = DEQP + (MISSING,)
GOOD = frozenset((PASS, "QualityWarning", "CompatibilityWarning", NOT_SUPPORTED))
PASSING = GOOD - {NOT_SUPPORTED}

# The columns of summaries: heading, statuses. Each status is in one column.
COLUMNS = (
    ("pass", PASSING),
    ("not supported", frozenset((NOT_SUPPORTED,))),
    ("fail", frozenset(("Fail", "InternalError", "ResourceError", "Pending", MISSING))),
    ("crash", frozenset((CRASH,))),
    ("timeout", frozenset((TIMEOUT,))),
)
