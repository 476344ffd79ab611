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

REGISTER = '<register name="A" offset="0x10" group="none">{}</register>'
DAMAGED = {
    "fields overlap": (REGISTER.format('<field name="X" high="3" low="0"/><field name="Y" high="5" low="3"/>'), "A.Y (5:3) overlaps"),
    "field twice": (REGISTER.format('<field name="X" high="3" low="0"/><field name="X" high="5" low="4"/>'), "A.X stands twice"),
    "bits out of range": (REGISTER.format('<field name="X" high="32" low="0"/>'), "outside 31:0"),
    "bits reversed": (REGISTER.format('<field name="X" high="1" low="2"/>'), "outside 31:0"),
    "reset too wide": (REGISTER.format('<field name="X" high="1" low="0" reset="4"/>'), "reset value 0x4 does not fit"),
    "unit of one": (REGISTER.format('<field name="X" high="1" low="0" unit="1"/>'), "a unit of 1"),
    "value named as the unit": (
        REGISTER.format('<field name="X" high="1" low="0" unit="16"><value n="1" id="UNIT">v</value></field>'),
        "a value has the name of the unit",
    ),
    "value too wide": (REGISTER.format('<field name="X" high="1" low="0"><value n="4" id="V">v</value></field>'), "value 4 does not fit"),
    "value twice": (
        REGISTER.format('<field name="X" high="1" low="0"><value n="1" id="V">v</value><value n="1" id="W">w</value></field>'),
        "value 1 stands twice",
    ),
    "range too wide": (REGISTER.format('<field name="X" high="1" low="0"><range from="0" to="4">r</range></field>'), "range 0..4 does not fit"),
    "not an identifier": (REGISTER.format('<field name="2X" high="1" low="0"/>'), "not an identifier"),
    "duplicate offset": ('<register name="A" offset="0x10" group="none"/><register name="B" offset="0x10" group="none"/>', "belongs to A and to B"),
    "arrays overlap": ('<register name="A" offset="0x10" group="none" count="4" stride="4"/><register name="B" offset="0x18" group="none"/>', "belongs to A and to B"),
    "duplicate name": ('<register name="A" offset="0x10" group="none"/><register name="A" offset="0x14" group="none"/>', "A stands twice for r300"),
    "beyond the register space": ('<register name="A" offset="0x10000" group="none"/>', "outside the register space"),
    "no group": ('<register name="A" offset="0x10"/>', "register A is in no group"),
    "unknown group": ('<register name="A" offset="0x10" group="raster colour"/>', "unknown group 'colour'"),
    "none and a group": ('<register name="A" offset="0x10" group="none raster"/>', "unknown group 'none'"),
    "unknown key": ('<register name="A" offset="0x10" group="raster" key="draw"/>', "no key 'draw'"),
    "key of another group": ('<register name="A" offset="0x10" group="output" key="program"/>', "in key program, but not in its group raster"),
    "no offset": ('<register name="A" group="none"/>', "no offset"),
    "odd offset": ('<register name="A" offset="0x12" group="none"/>', "not a multiple of 4"),
    "no stride": ('<register name="A" offset="0x10" group="none" count="2"/>', "stride"),
    "unknown access": ('<register name="A" offset="0x10" group="none" access="rx"/>', "unknown access"),
    "unknown chip": ('<register name="A" offset="0x10" group="none" chips="r600"/>', "unknown chip"),
    "unknown element": ("<registre/>", "unknown element"),
    "unknown inner element": (REGISTER.format("<bits/>"), "unknown element"),
    "unknown attribute": ('<register name="A" offset="0x10" group="none" adress="1"/>', "unknown attribute"),
    "opcode twice": ('<packet name="P" opcode="0x10"/><packet name="Q" opcode="0x10"/>', "is P and Q"),
    "not XML": ("<register", ""),
}

KINDS = (
    '<group name="raster"/><group name="output"/><key name="program" group="raster"/><key name="targets" group="output" members="all"/>'
    '<capability name="slots" kind="count"/><capability name="has_loops" kind="flag"/>'
)
ROW = '<set name="slots" to="{}"/><set name="has_loops" to="{}"/></chip>'
R300 = '<chip name="r300" trace="3" blocks="t">' + ROW.format(64, "no")
R500 = '<chip name="r500" trace="5" blocks="t">' + ROW.format(512, "yes")
CHIPS = KINDS + R300 + R500
DAMAGED_CHIPS = {
    "none": (KINDS, "no chips"),
    "twice": (CHIPS + R300, "chip r300 stands twice"),
    "same number": (CHIPS + R300.replace('"r300"', '"r9"'), "chip r9 and chip r300 have number 3"),
    "no number": (KINDS + R300.replace(' trace="3"', ""), "has no number in recordings"),
    "no blocks": (KINDS + R300.replace(' blocks="t"', ""), "has no blocks"),
    "block without a file": (KINDS + R300.replace('"t"', '"t u"'), "no file describes block u"),
    "heir of nothing": (KINDS + R300.replace(' blocks="t"', ' inherits="r200"'), "inherits from 'r200'"),
    "heir of a later one": (KINDS + R300.replace(' blocks="t"', ' inherits="r500"') + R500, "inherits from 'r500', which does not stand before it"),
    "without what it lacks": (CHIPS + '<chip name="r9" trace="9" inherits="r500" without="u"/>', "has no block 'u'"),
    "open": (KINDS + R300.replace('<set name="slots" to="64"/>', ""), "chip r300 leaves capability slots open"),
    "unknown capability": (KINDS + R300.replace("slots", "slotz"), "unknown capability 'slotz'"),
    "capability twice": (KINDS + R300.replace("</chip>", '<set name="slots" to="1"/></chip>'), "capability slots stands twice"),
    "flag for a count": (KINDS + R300.replace('"64"', '"yes"'), "'yes' is no count"),
    "count for a flag": (KINDS + R300.replace('"no"', '"0"'), "'0' is no flag"),
    "unknown kind": ('<capability name="slots" kind="number"/>' + R300, "unknown kind 'number'"),
    "key of no group": ('<key name="k" group="g"/>' + R300, "key k: unknown group 'g'"),
    "key of an unknown block": (KINDS + '<key name="k" group="raster" block="u" members="all"/>' + R300, "key k: no chip has block 'u'"),
    "too many groups": ("".join(f'<group name="g{i}"/>' for i in range(9)) + R300, "9 groups are more than"),
    "unknown element": (CHIPS + "<chop/>", "unknown element"),
    "unknown attribute": (CHIPS + '<chip name="r9" trace="9" inherits="r500" with="u"/>', "unknown attribute"),
}


def write(folder, body, chips=CHIPS):
    """The files of a database with one block, t."""
    paths = [os.path.join(folder, name) for name in ("chips.xml", "t.xml")]
    for path, text in zip(paths, (f"<chips>{chips}</chips>", f'<database name="t">{body}</database>')):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    return paths


class Damaged(unittest.TestCase):
    def test_is_refused_with_its_place(self):
        for name, (body, text) in DAMAGED.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                with self.assertRaises(database.DatabaseError) as caught:
                    database.load(write(folder, body))
                self.assertIn(text, str(caught.exception))

    def test_chips_are_refused_with_their_place(self):
        for name, (chips, text) in DAMAGED_CHIPS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                with self.assertRaises(database.DatabaseError) as caught:
                    database.load(write(folder, REGISTER.format(""), chips))
                self.assertIn(text, str(caught.exception))

    def test_there_is_one_table_of_chips(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = write(folder, "")
            for files in (paths[1:], paths + paths[:1]):
                with self.assertRaises(database.DatabaseError) as caught:
                    database.load(files)
                self.assertIn("of the files describe the chips", str(caught.exception))

    def test_stops_every_generator(self):
        with tempfile.TemporaryDirectory() as folder:
            paths, out = write(folder, DAMAGED["duplicate offset"][0]), os.path.join(folder, "out")
            for command in (["gen_regs.py", "r500", out], ["gen_decode.py", "r500", out], ["gen_chips.py", "groups", out], ["gen_manual.py", out]):
                done = subprocess.run([sys.executable, os.path.join(GEN, command[0])] + command[1:] + paths, capture_output=True, text=True, check=False)
                self.assertNotEqual(done.returncode, 0, command[0])
                self.assertIn("belongs to A and to B", done.stderr)
                self.assertFalse(os.path.exists(out), command[0])


class Sound(unittest.TestCase):
    def test_chips_select_entries_and_fields(self):
        with tempfile.TemporaryDirectory() as folder:
            body = (
                '<register name="A" offset="0x10" group="none" chips="r300"/><register name="B" offset="0x10" group="none" chips="r500">'
                '<field name="X" high="1" low="0" chips="r300"/><field name="Y" high="1" low="0" chips="r500" reset="2"/></register>'
            )
            chips, _ = database.load(write(folder, body))
        self.assertEqual([e.name for e in chips["r300"]], ["A"])
        self.assertEqual([(e.name, e.reset, [f.name for f in e.fields]) for e in chips["r500"]], [("B", 2, ["Y"])])

    def test_an_heir_has_what_it_does_not_replace(self):
        heir = '<chip name="r9" trace="9" inherits="r500"><set name="slots" to="100"/></chip>'
        body = (
            '<register name="A" offset="0x10" group="raster" key="program"><field name="X" high="1" low="0"/>'
            '<field name="X" high="7" low="0" chips="r9"/></register>'
            '<register name="B" offset="0x14" group="output" chips="r500"/><register name="B" offset="0x18" group="none" chips="r9"/>'
            '<register name="C" offset="0x1C" group="none" chips="r300"/>'
        )
        with tempfile.TemporaryDirectory() as folder:
            files = write(folder, body, CHIPS + heir)
            chips, table = database.load(files)[0], database.load_chips(files)
        self.assertEqual([(e.name, e.offset) for e in chips["r500"]], [("A", 0x10), ("B", 0x14)])
        self.assertEqual([(e.name, e.offset, e.keys) for e in chips["r9"]], [("A", 0x10, ("program",)), ("B", 0x18, ())])
        self.assertEqual([chips[c][0].fields[0].width for c in ("r300", "r500", "r9")], [2, 2, 8])
        self.assertEqual(table.chips["r9"].values, {"slots": 100, "has_loops": 1})
        self.assertEqual(table.chips["r9"].lineage, ("r9", "r500"))
        self.assertEqual(chips["r500"][1].keys, ("targets",))

    def test_a_key_may_be_of_several_groups_and_of_one_block(self):
        keys = '<key name="both" group="raster output" members="all"/><key name="here" group="raster output" members="all" block="t"/>'
        body = '<register name="A" offset="0x10" group="raster"/><register name="B" offset="0x14" group="none"/>'
        other = '<register name="C" offset="0x18" group="output"/>'
        with tempfile.TemporaryDirectory() as folder:
            files = write(folder, body, CHIPS.replace('blocks="t"', 'blocks="t u"') + keys)
            files.append(os.path.join(folder, "u.xml"))
            with open(files[-1], "w", encoding="utf-8") as f:
                f.write(f'<database name="u">{other}</database>')
            entries = database.load(files)[0]["r300"]
        self.assertEqual([(e.name, e.keys) for e in entries], [("A", ("both", "here")), ("B", ()), ("C", ("targets", "both"))])

    def test_the_project_s_own(self):
        chips, packets = database.load(FILES)
        self.assertGreater(min(len(entries) for entries in chips.values()), 300)
        self.assertIn("N3D_DRAW_INDX_2", [p.name for p in packets])


unittest.main(argv=sys.argv[:1])
