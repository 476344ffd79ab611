#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A chip that has nothing but a row in the table works wherever tables and capabilities decide, and is refused, never guessed, elsewhere.

usage: made_up_test.py SOURCE_ROOT COMPILER... -- XML...
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv[1]
SEPARATOR = sys.argv.index("--")
COMPILER, FILES = sys.argv[2:SEPARATOR], sys.argv[SEPARATOR + 1 :]
HERE = os.path.dirname(os.path.abspath(__file__))
GEN = os.path.join(ROOT, "hw", "db", "gen")
SOURCES = ("regfile/decode.cpp", "regfile/register_file.cpp", "regfile/on_chip_ram.cpp", "regfile/upload_ports.cpp", "decode/vap/pvs_program.cpp", "decode/us/r300.cpp", "decode/us/strict.cpp", "jit/us/reach.cpp")
SWITCH = '#include "hw/db/chips.h"\nusing pumice::hw::Profile;\nint f(Profile p) {\n  switch (p) {\n%s  }\n  return 0;\n}\n'
ROOMS = ("hw", "icd", "compiler")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def generate(folder, chips):
    """Headers and tables of the project's chips, and with `chips` of these, under folder/hw/db; returns the tables."""
    out = os.path.join(folder, "hw", "db")
    os.makedirs(out)
    table = next(f for f in FILES if os.path.basename(f) == "chips.xml")
    row = read(os.path.join(HERE, "made_up.xml"))
    with open(os.path.join(out, "chips.xml"), "w", encoding="utf-8") as f:
        f.write(read(table).replace("</chips>", row + "</chips>"))
    files = [os.path.join(out, "chips.xml")] + [f for f in FILES if f != table]

    def run(script, *arguments):
        subprocess.run([sys.executable, os.path.join(GEN, script), *arguments, *files], check=True)

    for header in ("chips", "groups"):
        run("gen_chips.py", header, os.path.join(out, header + ".h"))
    tables = [os.path.join(out, f"decode_{name}.cpp") for name in ("select", *chips)]
    for name, path in zip(("select", *chips), tables):
        run("gen_decode.py", name, path)
    for chip in chips:
        run("gen_regs.py", chip, os.path.join(out, f"regs_{chip}.h"))
    for isa in ("us_r500", "us_r300", "us_r300_tex", "pvs"):
        run("gen_isa.py", isa, os.path.join(out, f"isa_{isa}.h"))
    return tables


def compiled(folder, *arguments):
    command = COMPILER + ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-ffp-contract=off", f"-I{folder}", f"-I{ROOT}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class MadeUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tables = generate(cls.folder.name, ("r300", "r500", "r5x", "made_up"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_row_makes_a_chip(self):
        program = os.path.join(self.folder.name, "program")
        sources = [os.path.join(HERE, "made_up.cpp")] + [os.path.join(ROOT, "hw", "radeon", s) for s in SOURCES] + self.tables
        made = compiled(self.folder.name, "-o", program, *sources)
        self.assertEqual(made.returncode, 0, made.stderr)
        ran = subprocess.run([program], capture_output=True, text=True, check=False)
        self.assertEqual((ran.returncode, ran.stdout), (0, ""))

    def test_a_switch_that_forgets_it_does_not_compile(self):
        path = os.path.join(self.folder.name, "switch.cpp")
        for cases, passes in ((("r300", "r500", "r5x", "made_up"), True), (("r300", "r500", "r5x"), False)):
            with open(path, "w", encoding="utf-8") as f:
                f.write(SWITCH % "".join(f"    case Profile::{c}: return {i + 1};\n" for i, c in enumerate(cases)))
            done = compiled(self.folder.name, "-fsyntax-only", path)
            self.assertEqual(done.returncode == 0, passes, done.stderr)
            self.assertEqual("made_up" in done.stderr, not passes, done.stderr)


class Sources(unittest.TestCase):
    def test_no_chip_is_guessed(self):
        """A comparison with one chip, or a switch with a default, would take a new chip for one of the old."""
        guess = re.compile(r"[!=]=\s*(hw::)?Profile::|Profile::\w+\s*[!=]=[^=]")
        found = []
        for room in ROOMS:
            for folder, _, names in os.walk(os.path.join(ROOT, room)):
                for name in names:
                    if name.endswith((".h", ".cpp")):
                        path = os.path.join(folder, name)
                        text = read(path)
                        found += [f"{os.path.relpath(path, ROOT)}: {m.group(0)}" for m in guess.finditer(text)]
                        for m in re.finditer(r"switch \([^\n]*\) \{\n(.*?)\n\s*\}\n", text, re.S):
                            if "case Profile::" in m.group(1) and "default:" in m.group(1):
                                found.append(f"{os.path.relpath(path, ROOT)}: a switch over Profile has a default")
        self.assertEqual(found, [])


unittest.main(argv=sys.argv[:1])
