#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the conformance runner on fake_deqp.py; usage: conformance_test.py [TEST...]"""
import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import cases
import causes
import compare
import conformance
import drivers
import expectations
import qpa
import report
import results
from results import Result

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "fake_deqp.py")


class Runs(unittest.TestCase):
    """Whole runs; self.known is what the program has."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = self.path("out")
        self.driver = self.write("x.json", "{}")
        os.mkdir(self.path("state"))
        for name, value in (("FAKE_DEQP_CASES", self.path("known")), ("FAKE_DEQP_STATE", self.path("state")), ("GTEST_SHARD_INDEX", ""), ("GTEST_TOTAL_SHARDS", "")):
            self.set_variable(name, value)

    def set_variable(self, name, value):
        old = os.environ.get(name)
        self.addCleanup(lambda: os.environ.__setitem__(name, old) if old is not None else os.environ.pop(name, None))
        os.environ[name] = value

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(text)
        return self.path(name)

    def read(self, name):
        with open(os.path.join(self.out, name)) as f:
            return f.read()

    def call(self, *arguments):
        """(exit code, standard output, standard error) of the command."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = conformance.main(list(arguments))
        return code, out.getvalue(), err.getvalue()

    def run_fake(self, known, *arguments, words=(), workers=2):
        self.write("known", "\n".join(known) + "\n")
        return self.call("run", FAKE, *words, "--out", self.out, "--workers", str(workers), "--driver", self.driver, *arguments)

    def statuses(self):
        return {name: r.status for name, r in results.read(os.path.join(self.out, "results.txt"))[1].items()}

    def test_every_ending_of_a_case_has_its_status(self):
        known = ["f.a.pass1", "f.a.fail1", "f.b.unsupported1", "f.b.quality1", "f.b.long1", "f.c.crash1", "f.c.exit1", "f.c.pass2", "f.c.resource1", "f.c.pass3"]
        code, out, _ = self.run_fake(known, workers=1)
        self.assertEqual(code, 1)
        self.assertEqual(self.statuses(), {"f.a.pass1": "Pass", "f.a.fail1": "Fail", "f.b.unsupported1": "NotSupported", "f.b.quality1": "QualityWarning", "f.b.long1": "Fail",
                                           "f.c.crash1": "Crash", "f.c.exit1": "Crash", "f.c.pass2": "Pass", "f.c.resource1": "ResourceError", "f.c.pass3": "Pass"})
        rows = [line.split() for line in out.splitlines()]
        self.assertEqual(rows[1:], [["f.a", "2", "1", ".", "1", ".", "."], ["f.b", "3", "1", "1", "1", ".", "."], ["f.c", "5", "2", ".", "1", "2", "."],
                                    ["total", "10", "4", "1", "3", "2", "."]])
        self.assertIn("line one line two", self.read("results.txt"))

    def test_a_hang_ends_and_the_rest_runs(self):
        code, _, _ = self.run_fake(["f.a.pass1", "f.a.hang1", "f.a.pass2"], "--timeout", "3", workers=1)
        self.assertEqual((code, self.statuses()), (1, {"f.a.pass1": "Pass", "f.a.hang1": "Timeout", "f.a.pass2": "Pass"}))
        self.assertIn("no result after 3 s", self.read("failures.txt"))

    def test_failing_cases_keep_their_text(self):
        self.run_fake(["f.a.noise1", "f.a.pass1", "f.a.crash1"], workers=1)
        text = self.read("failures.txt")
        self.assertIn("=== Fail f.a.noise1\nnoise: Image comparison failed\nnot as expected: Fail\nChecks\npixel 3 < 4\nstandard error:\nreport of f.a.noise1\n", text)
        self.assertIn("=== Crash f.a.crash1\nkilled by SIGKILL\n", text)
        self.assertIn("standard error:\nabout to crash\n", text)
        self.assertNotIn("AAAA", text)
        self.assertNotIn("pass1", text)

    def test_cases_that_the_program_lacks_are_missing(self):
        words = [self.write("list", "f.a.pass1\nf.a.pass9  # not there\n")]
        self.assertEqual(self.run_fake(["f.a.pass1"], words=words)[0], 1)
        self.assertEqual(self.statuses(), {"f.a.pass1": "Pass", "f.a.pass9": "Missing"})

    def test_a_case_that_lets_nothing_begin_is_found_among_many(self):
        known = [f"f.a.pass{i}" for i in range(20)] + ["f.a.mute1"] + [f"f.b.pass{i}" for i in range(20)]
        self.run_fake(known, workers=1)
        self.assertEqual([n for n, s in self.statuses().items() if s != "Pass"], ["f.a.mute1"])
        self.assertEqual(len(self.statuses()), 41)
        self.assertIn("no device", self.read("failures.txt"))

    def test_a_program_that_never_begins_is_an_error_of_the_run(self):
        code, _, err = self.run_fake([f"f.a.mute{i}" for i in range(100)])
        self.assertEqual(code, 2)
        self.assertIn("began no case; the last printed:\nended with exit code 1", err)

    def test_shards_are_googletests_and_a_variable_sets_them(self):
        known = [f"f.a.pass{i}" for i in range(7)]
        self.set_variable("GTEST_SHARD_INDEX", "1")
        self.set_variable("GTEST_TOTAL_SHARDS", "3")
        self.run_fake(known)
        self.assertEqual(sorted(self.statuses()), ["f.a.pass1", "f.a.pass4"])
        self.out = self.path("second")
        self.run_fake(known, "--shard-index", "2", "--shard-count", "3")
        self.assertEqual(sorted(self.statuses()), ["f.a.pass2", "f.a.pass5"])
        self.assertEqual(self.run_fake(known, "--shard-index", "3", "--shard-count", "3")[0], 2)

    def test_a_stopped_run_goes_on_and_another_runs_results_are_not_touched(self):
        known = ["f.a.pass1", "f.a.crashonce1", "f.a.pass2"]
        self.run_fake(known, workers=1)
        lines = self.read("results.txt").splitlines(True)
        kept = [line for line in lines if "crashonce1" not in line and "pass2" not in line]
        self.write("out/results.txt", "".join(kept) + "Pass\tf.a.pa")  # as a run that was killed leaves it
        code, _, err = self.run_fake(known, workers=1)
        self.assertEqual((code, self.statuses()), (0, {"f.a.pass1": "Pass", "f.a.crashonce1": "Pass", "f.a.pass2": "Pass"}))
        self.assertIn("3 cases, 1 of them are done", err)
        code, _, err = self.run_fake(known[:2])
        self.assertEqual(code, 2)
        self.assertIn("is of another run", err)
        self.assertEqual(self.run_fake(known[:2], "--fresh")[0], 0)
        self.assertEqual(len(self.statuses()), 2)

    def test_a_run_that_is_terminated_leaves_no_process_and_no_result_of_open_cases(self):
        self.write("known", "f.a.pass1\nf.a.fail1\nf.a.hang1\n")
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        self.set_variable("FAKE_DEQP_HANGS", pipe)
        arguments = [FAKE, "--out", self.out, "--driver", self.driver, "--workers", "1"]
        runner = subprocess.Popen([sys.executable, os.path.join(HERE, "conformance.py"), *arguments], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        with open(pipe) as f:
            hanging = int(f.read())  # comes when the case hangs
        # The program has printed the results before it, the runner may not have read them yet.
        while "fail1" not in self.read("results.txt"):
            self.assertIsNone(runner.poll())
            time.sleep(0.01)
        runner.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 130)
        self.assertRaises(ProcessLookupError, os.kill, hanging, 0)
        self.assertEqual(self.statuses(), {"f.a.pass1": "Pass", "f.a.fail1": "Fail"})
        os.environ["FAKE_DEQP_HANGS"] = ""
        _, _, err = self.call("run", *arguments, "--timeout", "1")
        self.assertIn("2 of them are done", err)
        self.assertEqual(self.statuses()["f.a.hang1"], "Timeout")

    def test_expected_failures_pass_and_unexpected_passes_fail(self):
        known = ["f.a.fail1", "f.a.crash1", "f.a.pass1", "f.b.unsupported1"]
        good = self.write("good", "Fail f.a.fail*  # withdrawn\nCrash|Pass f.a.crash1 # frees twice\nFail f.b.* # not there on some\n")
        code, _, _ = self.run_fake(known, "--expect", good)
        self.assertEqual(code, 0)
        self.assertIn("=== Fail f.a.fail1\nfail: Image comparison failed\nas expected\n", self.read("failures.txt"))
        bad = self.write("bad", "Fail f.a.*  # all of them\nFail f.z.* # gone\n")
        code, _, err = self.run_fake(known, "--expect", bad)
        self.assertEqual(code, 1)
        self.assertIn("f.a.pass1: passes unexpectedly (Fail expected: all of them;", err)
        self.assertIn("f.a.crash1: Crash (Fail expected;", err)
        self.assertIn("no case of the run is called 'f.z.*'", err)
        self.assertIn("passes unexpectedly", self.read("failures.txt"))

    def test_junit_counts_what_is_not_as_expected(self):
        self.run_fake(["f.a.fail1", "f.a.fail2", "f.a.pass1", "f.b.unsupported1"], "--expect", self.write("e", "Fail f.a.fail2 # known\n"))
        suites = xml.etree.ElementTree.fromstring(self.read("junit.xml"))
        self.assertEqual([(s.get("name"), s.get("tests"), s.get("failures"), s.get("skipped")) for s in suites], [("f.a", "3", "1", "1"), ("f.b", "1", "0", "1")])
        failure = suites.find("testsuite/testcase[@name='fail1']/failure")
        self.assertEqual((failure.get("message"), "pixel 3 < 4" in failure.text), ("Fail: fail: Image comparison failed", True))

    def test_compare_and_summary_of_folders(self):
        self.run_fake(["f.a.crashonce1", "f.a.pass1"])
        first, self.out = self.out, self.path("second")
        self.run_fake(["f.a.crashonce1", "f.a.pass1"])
        code, out, _ = self.call("compare", first, self.out)
        self.assertEqual((code, out.splitlines()[0]), (1, "fails no longer: 1"))
        self.assertEqual(self.call("compare", first, first)[0], 0)
        out = self.call("summary", "--markdown", "old=" + first, "new=" + self.out)[1]
        self.assertEqual(out.splitlines()[2:], ["| f.a | 2 | 1 / 0 / 1 | 2 / 0 / 0 |", "| total | 2 | 1 / 0 / 1 | 2 / 0 / 0 |"])

    def test_causes_put_the_same_reasons_together(self):
        self.run_fake(["f.a.fail1", "f.b.fail2", "f.a.crash1", "f.a.pass1"], workers=1)
        out = self.call("causes", self.out, "--examples", "1")[1]
        self.assertEqual(out.splitlines(), ["2  Fail: fail: Image comparison failed", "      f.a 1, f.b 1", "      f.a.fail1", "1  Crash: killed by SIGKILL", "      f.a 1", "      f.a.crash1"])

    def test_the_driver_is_the_manifest_that_is_named(self):
        self.assertEqual(drivers.environment(self.driver, {"A": "1"}), {"A": "1", "PUMICE_DEBUG": "reports", "VK_DRIVER_FILES": self.driver, "VK_ICD_FILENAMES": self.driver})
        os.mkdir(self.path("json"))
        ours = self.write("json/pumice_devel_icd.json", "{}")
        environment = drivers.environment("pumice", {"PUMICE_BUILD_DIR": self.folder.name})
        self.assertEqual((environment["VK_DRIVER_FILES"], environment["PUMICE_DEBUG"]), (ours, "reports"))
        self.assertEqual(drivers.title("pumice", {"PUMICE_CHIP": "r500"}), "pumice-r500")
        code, _, err = self.run_fake(["f.a.pass1"], "--driver", "nvidia")
        self.assertEqual(code, 2)
        self.assertIn("there is no driver 'nvidia': expected pumice, lavapipe, swiftshader or the path of a manifest", err)

    def test_wrapped_programs_and_patterns(self):
        code, _, _ = self.run_fake(["f.a.pass1", "f.a.fail1", "f.b.pass1"], "--wrap", "env FOO=1", "--exclude", self.write("not", "*.fail*  # known\n"), words=["f.a.*"])
        self.assertEqual((code, self.statuses()), (0, {"f.a.pass1": "Pass"}))


class Parts(unittest.TestCase):
    def test_a_sample_depends_on_each_name_alone(self):
        names = [f"f.{i}" for i in range(1000)]
        hundred = cases.sample(names, 100, 5)
        self.assertEqual(len(hundred), 100)
        self.assertEqual(hundred, sorted(hundred, key=names.index))
        self.assertLess(set(hundred), set(cases.sample(names, 200, 5)))
        self.assertEqual(set(hundred), set(cases.sample(names[::-1], 100, 5)))
        self.assertNotEqual(hundred, cases.sample(names, 100, 6))
        self.assertEqual(cases.sample(names, 2000, 5), names)

    def test_a_sample_has_some_of_every_group(self):
        names = [f"f.large.{i}" for i in range(1000)] + [f"f.small.{i}" for i in range(50)] + ["f.single.0"]
        def counts(count, at_least):
            kept = cases.sample(names, count, 3, at_least)
            return len(kept), *(sum(n.startswith(g) for n in kept) for g in ("f.large", "f.small", "f.single"))
        self.assertEqual(counts(60, 10)[0], 60)
        self.assertGreaterEqual(counts(60, 10)[2], 10)
        self.assertEqual(counts(60, 10)[3], 1)
        self.assertEqual(counts(3, 10), (3, 1, 1, 1))

    def test_shards_are_disjoint_and_complete(self):
        names = [str(i) for i in range(10)]
        self.assertEqual(sorted(sum((cases.shard(names, i, 3) for i in range(3)), [])), names)

    def test_expectation_lines_need_a_status_and_a_reason(self):
        for text, complaint in (("Fail f.a", "x:1: 'f.a' has no reason"), ("Fails f.a # r", "x:1: 'Fails' is no status"), ("Fail", "x:1: expected STATUS CASE # reason")):
            with self.assertRaisesRegex(expectations.ExpectationError, re.escape(complaint)):
                expectations.parse(text, "x")

    def test_comparison_names_each_kind(self):
        def of(**words):
            return {case: Result(case, word, 0.0, "") for case, word in words.items()}
        a = of(a="Pass", b="NotSupported", c="Fail", d="Fail", e="Pass", f="Pass", g="QualityWarning")
        b = of(a="Fail", b="Crash", c="Timeout", d="Pass", e="NotSupported", h="Pass", g="Pass")
        self.assertEqual({kind: [c for c, _, _ in found] for kind, found in compare.differences(a, b)},
                         {"passed, does not now": ["a", "e"], "was not supported, fails": ["b"], "fails otherwise": ["c"], "fails no longer": ["d"],
                          "only in the first": ["f"], "only in the second": ["h"]})

    def test_logs_that_break_off(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log")
            with open(path, "w") as f:
                f.write('#beginSession\n\n#beginTestCaseResult a\n<Text>x &amp; y</Text>\n#endTestCaseResult\n#beginTestCaseResult b\n<Number Name="n" Description="Offset" Unit="px">3</Number><Te')
            self.assertEqual(qpa.texts(path, {"a", "b"}), {"a": "x & y", "b": "Offset: 3 px\n<Te"})
            self.assertEqual(qpa.texts(path + "x", {"a"}), {})

    def test_a_cause_has_no_numbers_and_prefers_the_drivers_report(self):
        result = Result("f.a", "Fail", 0.0, "vk.createImage(device, pInfo, &object): VK_ERROR_FEATURE_NOT_PRESENT at vkRefUtil.cpp:38")
        self.assertEqual(causes.cause(result, ""), "Fail: createImage: VK_ERROR_FEATURE_NOT_PRESENT at vkRefUtil.cpp")
        self.assertEqual(causes.cause(result, "x\npumice: error: R16G16_SNORM of 0x1f, 16x16: 3, 4, 5 levels\n"), "Fail: FORMAT of #..: #.. levels")

    def test_junit_is_xml_whatever_the_text(self):
        text = report.junit([Result("f.a.b", "Fail", 0.5, 'a "<\x01>')], {"f.a.b": "Fail"}, {"f.a.b": "\x1b[1m]]>&"})
        self.assertEqual(xml.etree.ElementTree.fromstring(text).find("testsuite/testcase/failure").text, "?[1m]]>&")

    def test_result_files_that_are_none(self):
        with self.assertRaisesRegex(results.ResultFileError, "y:3: expected STATUS"):
            results.parse_line("Passed\ta\t1\tx\n", "y:3")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[1:], verbosity=1)
