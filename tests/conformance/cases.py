# SPDX-License-Identifier: MIT
"""Which cases run: lists, patterns, what the program itself lists; then exclusions, the sample, the shard, in this order."""
import collections
import fnmatch
import hashlib
import os
import re
import subprocess

from results import group


class CaseListError(Exception):
    pass


def read_list(path):
    """Names or patterns of a list file: one per line, # begins a comment, blank lines do not count."""
    with open(path, encoding="utf-8") as f:
        lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in f)
        return [line for line in lines if line]


def listed_by(command, arguments, folder):
    """All cases of the program, in its order."""
    done = subprocess.run(command + ["--deqp-runmode=stdout-caselist"] + arguments, cwd=folder, capture_output=True, text=True, errors="replace")
    names = re.findall(r"^TEST: (\S+)$", done.stdout, re.M)
    if done.returncode or not names:
        raise CaseListError(f"{command[-1]} lists no cases (exit code {done.returncode}): {(done.stderr or done.stdout).strip()[-400:]}")
    return names


class Matcher:
    """Whether a name is in a set of names and patterns (fnmatch's * and ?)."""

    def __init__(self, patterns):
        self.names = {p for p in patterns if not any(c in p for c in "*?[")}
        rest = [fnmatch.translate(p) for p in patterns if p not in self.names]
        self.pattern = re.compile("|".join(rest)) if rest else None

    def __call__(self, name):
        return name in self.names or bool(self.pattern and self.pattern.match(name))


def chosen(words, list_all):
    """Cases of the words of a command line, each a list file or a pattern; list_all() is asked only where a pattern or nothing is given."""
    if not words:
        return list_all()
    names, everything = [], None
    for word in words:
        patterns = read_list(word) if os.path.exists(word) else [word]
        for pattern in patterns:
            if not any(c in pattern for c in "*?["):
                names.append(pattern)
                continue
            everything = list_all() if everything is None else everything
            match = Matcher([pattern])
            found = [name for name in everything if match(name)]
            if not found:
                raise CaseListError(f"no case matches '{pattern}'")
            names += found
    return list(dict.fromkeys(names))


def without(names, patterns):
    match = Matcher(patterns)
    return [name for name in names if not match(name)]


def sample(names, count, seed, at_least=40):
    """COUNT of the names, in their order; at least AT_LEAST of each group where there are so many and room for it. The choice depends on each name
    and the seed alone: a list that gained or lost some cases keeps the others."""
    if count >= len(names):
        return list(names)
    order = sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())
    seen, first, rest = collections.Counter(), [], []
    share = min(at_least, count // len({group(name) for name in names}))
    for name in order:
        seen[group(name)] += 1
        (first if seen[group(name)] <= share else rest).append(name)
    kept = set((first + rest)[:count])
    return [name for name in names if name in kept]


def shard(names, index, count):
    """As GoogleTest does: case number i belongs to shard i % count."""
    if count < 1 or not 0 <= index < count:
        raise CaseListError(f"shard {index} of {count}: the index counts from 0 to the number of shards less one")
    return names[index::count]
