#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The generators refuse a database that contradicts itself, and say where.

usage: database_test.py SOURCE_ROOT XML...
"""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT, FILES = sys.argv[1], sys.argv[2:]
GEN = os.path.join(ROOT, "hw", "db", "gen")
sys.path.insert(0, GEN)
import database  # noqa: E402

REGISTER = '<register name="A" offset="0x10">{}</register>'
DAMAGED = {
    "fields overlap": (REGISTER.format('<field name="X" high="3" low="0"/><field name="Y" high="5" low="3"/>'), "A.Y (5:3) overlaps"),
    "field twice": (REGISTER.format('<field name="X" high="3" low="0"/><field name="X" high="5" low="4"/>'), "A.X stands twice"),
    "bits out of range": (REGISTER.format('<field name="X" high="32" low="0"/>'), "outside 31:0"),
    "bits reversed": (REGISTER.format('<field name="X" high="1" low="2"/>'), "outside 31:0"),
    "reset too wide": (REGISTER.format('<field name="X" high="1" low="0" reset="4"/>'), "reset value 0x4 does not fit"),
    "value too wide": (REGISTER.format('<field name="X" high="1" low="0"><value n="4" id="V">v</value></field>'), "value 4 does not fit"),
    "value twice": (
        REGISTER.format('<field name="X" high="1" low="0"><value n="1" id="V">v</value><value n="1" id="W">w</value></field>'),
        "value 1 stands twice",
    ),
    "range too wide": (REGISTER.format('<field name="X" high="1" low="0"><range from="0" to="4">r</range></field>'), "range 0..4 does not fit"),
    "not an identifier": (REGISTER.format('<field name="2X" high="1" low="0"/>'), "not an identifier"),
    "duplicate offset": ('<register name="A" offset="0x10"/><register name="B" offset="0x10"/>', "belongs to A and to B"),
    "arrays overlap": ('<register name="A" offset="0x10" count="4" stride="4"/><register name="B" offset="0x18"/>', "belongs to A and to B"),
    "duplicate name": ('<register name="A" offset="0x10"/><register name="A" offset="0x14"/>', "A is defined in"),
    "no offset": ('<register name="A"/>', "no offset"),
    "odd offset": ('<register name="A" offset="0x12"/>', "not a multiple of 4"),
    "no stride": ('<register name="A" offset="0x10" count="2"/>', "stride"),
    "unknown access": ('<register name="A" offset="0x10" access="rx"/>', "unknown access"),
    "unknown chip": ('<register name="A" offset="0x10" chips="r600"/>', "unknown chip"),
    "unknown element": ("<registre/>", "unknown element"),
    "unknown inner element": (REGISTER.format("<bits/>"), "unknown element"),
    "unknown attribute": ('<register name="A" offset="0x10" adress="1"/>', "unknown attribute"),
    "opcode twice": ('<packet name="P" opcode="0x10"/><packet name="Q" opcode="0x10"/>', "is P and Q"),
    "not XML": ("<register", ""),
}


def write(folder, body):
    path = os.path.join(folder, "t.xml")
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'<database name="t">{body}</database>')
    return path


class Damaged(unittest.TestCase):
    def test_is_refused_with_its_place(self):
        for name, (body, text) in DAMAGED.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                with self.assertRaises(database.DatabaseError) as caught:
                    database.load([write(folder, body)])
                self.assertIn(text, str(caught.exception))

    def test_stops_every_generator(self):
        with tempfile.TemporaryDirectory() as folder:
            path, out = write(folder, DAMAGED["duplicate offset"][0]), os.path.join(folder, "out")
            for command in (["gen_regs.py", "r500", out, path], ["gen_decode.py", "r500", out, path], ["gen_manual.py", out, path]):
                done = subprocess.run([sys.executable, os.path.join(GEN, command[0])] + command[1:], capture_output=True, text=True, check=False)
                self.assertNotEqual(done.returncode, 0, command[0])
                self.assertIn("belongs to A and to B", done.stderr)
                self.assertFalse(os.path.exists(out), command[0])


class Sound(unittest.TestCase):
    def test_chips_select_entries_and_fields(self):
        with tempfile.TemporaryDirectory() as folder:
            body = (
                '<register name="A" offset="0x10" chips="r300"/><register name="B" offset="0x10" chips="r500">'
                '<field name="X" high="1" low="0" chips="r300"/><field name="Y" high="1" low="0" chips="r500" reset="2"/></register>'
            )
            chips, _ = database.load([write(folder, body)])
        self.assertEqual([e.name for e in chips["r300"]], ["A"])
        self.assertEqual([(e.name, e.reset, [f.name for f in e.fields]) for e in chips["r500"]], [("B", 2, ["Y"])])

    def test_the_project_s_own(self):
        chips, packets = database.load(FILES)
        self.assertGreater(min(len(entries) for entries in chips.values()), 300)
        self.assertIn("N3D_DRAW_INDX_2", [p.name for p in packets])


unittest.main(argv=sys.argv[:1])
