#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""matrix.py with a program that only pretends, and a few lines of the real one on the driver.

usage: matrix_test.py MATRIX.py PROGRAM MANIFEST
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

MATRIX, PROGRAM, MANIFEST = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)

# Rates and pictures by driver; 'peer' is what runs behind a --peer command that sets PUMICE_CHIP to that.
PRETEND = """#!/usr/bin/env python3
import os, sys, time
RATES = {"r500": 30.0, "r5x": 20.0, "peer": 10.0, "wrong": 99.0}
chip = os.environ["PUMICE_CHIP"]
if sys.argv[1] == "--list":
    print("a/plain\\tMpix/s\\tquick\\na/crash\\tMpix/s\\t-\\na/hang\\tMpix/s\\t-\\na/lacks\\tMpix/s\\t-\\nb/last\\tMpix/s\\tquick")
    sys.exit(0)
for name in sys.argv[3:]:
    if chip == "r5x" and name == "a/crash":
        os.abort()
    if chip == "r5x" and name == "a/hang":
        time.sleep(1000)
    if chip == "r5x" and name == "a/lacks":
        print(f"{name}\\t-\\tno such feature", flush=True)
        continue
    rate = RATES[chip]
    picture = "0.9,0.9" if chip == "wrong" else "0.51,0.5" if chip == "r500" else "0.5,0.5"
    print(f"{name}\\t{rate}\\t{rate / 2}\\t3\\t{picture}", flush=True)
"""


class Pretended(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = os.path.join(self.folder.name, "pretend")
        with open(self.program, "w", encoding="utf-8") as out:
            out.write(PRETEND)
        os.chmod(self.program, 0o755)

    def run_matrix(self, *options, peers=("peer",)):
        named = [f"--peer={p}=env PUMICE_CHIP={p}" for p in ("lavapipe", "SwiftShader", *peers) if p in peers]
        out = os.path.join(self.folder.name, "out")
        done = subprocess.run([sys.executable, MATRIX, "--program", self.program, "--manifest", MANIFEST, "--out", out, "--rounds", "1", "--limit", "2", *named, *options],
                              env=dict(os.environ, PUMICE_CHIP="peer"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, out

    def without_found(self):
        """Options that leave out the drivers of this machine."""
        done = subprocess.run([sys.executable, MATRIX, "--program", self.program, "--manifest", MANIFEST, "--peer", "no such driver"], env=dict(os.environ, PUMICE_CHIP="peer"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertIn("there is no driver 'no such driver'", done.stderr)
        names = done.stderr.split("found: ")[1].strip()
        return [f"--peer={name}" for name in names.split(", ") if name]

    def test_ratios_and_failures(self):
        text, out = self.run_matrix(*self.without_found())
        self.assertIn("**r500**: 5 lines, geometric mean 3.00, smallest 3.00", text)
        self.assertIn("**r5x**: 2 lines, geometric mean 2.00, smallest 2.00", text)
        self.assertIn("r5x lacks 3 lines", text)
        with open(os.path.join(out, "matrix.json"), encoding="utf-8") as file:
            r5x = json.load(file)["drivers"]["r5x"]
        self.assertEqual(r5x["missing"], {"a/crash": "ended with -6", "a/hang": "took longer than 2 s", "a/lacks": "no such feature"})
        self.assertEqual(r5x["best"], {"a/plain": 20.0, "b/last": 20.0})

    def test_one_line(self):
        text, out = self.run_matrix("--line", "b/*", "--goal", "2.5", *self.without_found())
        self.assertIn("| b/last | Mpix/s | 30 | 20 | 10 | 3 | 3 | 2 | 2 |", text)
        self.assertIn("* 2.00 b/last", text)
        self.assertFalse(os.path.exists(out))

    def test_wrong_pictures_do_not_count(self):
        text, _ = self.run_matrix("--line", "a/plain", *self.without_found(), peers=("peer", "wrong"))
        self.assertIn("| (99) | 3 | 3 |", text)

    def test_compare(self):
        before = os.path.join(self.folder.name, "before.json")
        with open(before, "w", encoding="utf-8") as file:
            json.dump({"drivers": {"r500": {"best": {"a/plain": 40.0, "b/last": 29.0}}}}, file)
        text, _ = self.run_matrix("--quick", "--compare", before, *self.without_found())
        self.assertIn("* 0.75 a/plain", text)
        self.assertNotIn("* 1.03 b/last", text)


class Real(unittest.TestCase):
    LINES = ["texture/R8G8B8A8_UNORM/trilinear/cube/rotated", "colour/R5G6B5_UNORM/blended", "depth/D24_UNORM_S8_UINT/depth and stencil", "vertex/halves and bytes/in view",
             "program/2 dependent fetches", "pass/shadow map", "draws/100/dynamic offset"]

    def test_lines(self):
        environment = dict(os.environ, VK_DRIVER_FILES=MANIFEST, VK_ICD_FILENAMES=MANIFEST, PUMICE_CHIP="r500")
        done = subprocess.run([PROGRAM, "--seconds", "0", *self.LINES], env=environment, stdout=subprocess.PIPE, text=True, check=True)
        rows = [text.split("\t") for text in done.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], self.LINES)
        for name, best, median, samples, picture in rows:
            self.assertGreaterEqual(float(best), float(median), name)
            self.assertGreaterEqual(int(samples), 2, name)
            self.assertEqual(len(picture.split(",")), 256, name)

    def test_unknown_line(self):
        done = subprocess.run([PROGRAM, "no/such line"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "bench-matrix: there is no line 'no/such line'; --list names them\n"))


unittest.main()
