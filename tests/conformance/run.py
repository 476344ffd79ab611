# SPDX-License-Identifier: MIT
"""conformance run: the cases of a dEQP-style program on a driver, into a folder that a later call goes on in."""
import json
import os
import shlex
import sys

import cases
import drivers
import expectations
import report
import results
import status
from pool import Pool
from process import Program
from progress import Progress


def say(text):
    print("conformance: " + text, file=sys.stderr, flush=True)


def add_arguments(parser):
    parser.add_argument("binary", help="dEQP-style program (deqp-vk)")
    parser.add_argument("cases", nargs="*", help="list file, name or pattern ('dEQP-VK.api.*'); default: all that the program has")
    parser.add_argument("--exclude", metavar="FILE", action="append", default=[], help="names or patterns that do not run; may be repeated")
    parser.add_argument("--sample", metavar="N", type=positive, help="N cases, chosen by --seed; some of every group")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="of --sample (default: 1)")
    parser.add_argument("--shard-index", metavar="I", type=int, help="default: GTEST_SHARD_INDEX")
    parser.add_argument("--shard-count", metavar="N", type=int, help="default: GTEST_TOTAL_SHARDS")
    parser.add_argument("--driver", metavar="NAME", default=drivers.OURS, help="pumice (default), lavapipe, swiftshader or the path of a manifest")
    parser.add_argument("--wrap", metavar="COMMAND", default="", help="command before the program, for a container or a debugger")
    parser.add_argument("--workers", metavar="N", type=positive, default=os.cpu_count(), help="programs at a time (default: processors)")
    parser.add_argument("--batch", metavar="N", type=positive, default=200, help="most cases for one start of the program (default: 200)")
    parser.add_argument("--timeout", metavar="S", type=float, default=60.0, help="seconds for a case (default: 60)")
    parser.add_argument("--expect", metavar="FILE", action="append", default=[], help="expectation list; may be repeated")
    parser.add_argument("--out", metavar="FOLDER", help="default: out/conformance/DRIVER below the present folder")
    parser.add_argument("--fresh", action="store_true", help="begin again where the folder has results of an earlier run")
    parser.add_argument("--depth", metavar="N", type=positive, default=2, help="parts of a name that make a group of the summary (default: 2)")
    parser.add_argument("--argument", metavar="A", action="append", default=[], help="more for the program, as --argument=--deqp-vk-device-id=2")


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


# Pictures and shader sources make logs a hundred times larger.
USUAL_ARGUMENTS = ["--deqp-log-images=disable", "--deqp-log-shader-sources=disable"]


class Folder:
    """The files of a run."""

    def __init__(self, path):
        os.makedirs(path, exist_ok=True)
        self.path = path
        for name in ("cases.txt", "results.txt", "failures.txt", "texts.jsonl", "junit.xml", "summary.txt"):
            setattr(self, name.split(".")[0], os.path.join(path, name))

    def clear(self):
        for path in (self.cases, self.results, self.failures, self.texts, self.junit, self.summary):
            if os.path.exists(path):
                os.remove(path)

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


def shard_of(options, environment):
    """(index, count): options win over GoogleTest's variables."""
    index = options.shard_index if options.shard_index is not None else int(environment.get("GTEST_SHARD_INDEX") or 0)
    count = options.shard_count if options.shard_count is not None else int(environment.get("GTEST_TOTAL_SHARDS") or 1)
    return index, count


def main(options, environment):
    binary = os.path.abspath(options.binary)
    if not os.access(binary, os.X_OK):
        raise drivers.DriverError(f"{options.binary} is no program")
    index, count = shard_of(options, environment)
    program = Program(shlex.split(options.wrap) + [binary], USUAL_ARGUMENTS + options.argument, os.path.dirname(binary),
                      drivers.environment(options.driver, environment), options.timeout)
    lines = expectations.read(options.expect)
    names = cases.chosen(options.cases, lambda: cases.listed_by(program.command, program.arguments, program.folder))
    names = cases.without(names, [p for path in options.exclude for p in cases.read_list(path)])
    whole = not options.cases and not options.sample and count == 1
    if options.sample:
        names = cases.sample(names, options.sample, options.seed)
    names = cases.shard(names, index, count)

    title = drivers.title(options.driver, environment)
    part = f"-{index}-of-{count}" if count > 1 else ""
    folder = Folder(options.out or os.path.join("out", "conformance", title + part))
    if options.fresh:
        folder.clear()
    header = {"program": binary, "driver": title, "arguments": " ".join(options.argument), "cases": len(names)}
    done = resumed(folder, header, names)
    folder.write(folder.cases, "\n".join(names) + "\n")
    say(f"{len(names)} cases" + (f", {len(done)} of them are done" if done else "") + f"; results: {folder.path}")
    run_rest(folder, header, program, [n for n in names if n not in done], len(done), options)
    return finish(folder, names, expectations.Expectations(lines), whole, options.depth)


def resumed(folder, header, names):
    """Cases that an earlier call has results of, with texts where they failed: those come when a program ends."""
    if not os.path.exists(folder.results):
        return set()
    old, done = results.read(folder.results)
    for key, value in header.items():
        if old.get(key) != results.one_line(str(value)):
            raise results.ResultFileError(f"{folder.results} is of another run ({key}: {old.get(key)}, now {value}); --fresh begins again, --out names another folder")
    strange = done.keys() - set(names)
    if strange:
        raise results.ResultFileError(f"{folder.results} is of another run (it has {min(strange)}); --fresh begins again, --out names another folder")
    texts = read_texts(folder.texts)
    return {case for case, r in done.items() if r.status in status.GOOD or case in texts}


def run_rest(folder, header, program, names, done, options):
    if not names:
        return
    writer, progress = results.Writer(folder.results, header), Progress(done + len(names), done)

    def on_result(result):
        writer.add(result)
        progress.add(result)

    with open(folder.texts, "a", encoding="utf-8") as texts:
        def on_text(case, text):
            texts.write(json.dumps({"case": case, "text": text}) + "\n")
            texts.flush()
        try:
            Pool(program, options.workers, options.batch, on_result, on_text).run(names)
        finally:
            writer.close()


def read_texts(path):
    found = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                if line.endswith("\n"):
                    entry = json.loads(line)
                    found[entry["case"]] = entry["text"]
    return found


def finish(folder, names, expected, whole, depth):
    _, by_case = results.read(folder.results) if os.path.exists(folder.results) else ({}, {})
    found = [by_case[n] for n in names]
    texts = read_texts(folder.texts)
    complaints = {r.case: c for r in found if (c := expected.complaint(r))}
    folder.write(folder.junit, report.junit(found, complaints, texts))
    folder.write(folder.failures, "".join(failure_text(r, complaints.get(r.case), texts.get(r.case, "")) for r in found if r.status not in status.GOOD or r.case in complaints))
    summary = report.table(found, depth)
    folder.write(folder.summary, summary + "\n")
    print(summary)
    if whole:
        for line in expected.unused():
            say(f"{line.where}: no case of the run is called '{line.pattern}'")
    known = sum(r.status not in status.GOOD and r.case not in complaints for r in found)
    say(f"{len(complaints)} of {len(found)} cases are not as expected, {known} fail as expected; each with its text in {folder.failures}")
    for case in list(complaints)[:20]:
        say(f"  {case}: {complaints[case]}")
    return 1 if complaints else 0


def failure_text(result, complaint, text):
    head = f"=== {result.status} {result.case}\n{result.text}\n"
    return head + (f"not as expected: {complaint}\n" if complaint else "as expected\n") + (text + "\n" if text else "") + "\n"
