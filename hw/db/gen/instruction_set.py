# SPDX-License-Identifier: MIT
"""The reader of hw/db/isa/NAME.xml for gen_isa.py: operations, the decoded instruction, and where each field is kept.

The words and their fields are those of database.py. On top of them the file has (README of hw/db/isa)
  <opcodes name="AluOp">    operations; <unit> names the fields that hold their codes, <opcode> is one operation,
  <instruction words="6">   the decoded form: <struct>, <enum>, <format> (which words an instruction consists of), <float> (short floats);
                            selector= is the member that decides over the format, without it there is one.
A field says where it is kept: member="rgb.operand[0].swizzle[1]", or member="write:2" for a part that begins at bit 2 of the member.
"""
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

import database
from database import DatabaseError

CHIP = "r5x"  # the largest view of a word; fields and operations that others lack say so
LEVELS = ("r300", "r500", "r5x")  # each has what those before it have
SCALARS = {"u8": ("uint8_t", 8), "u16": ("uint16_t", 16), "u32": ("uint32_t", 32), "bool": ("bool", 1)}
CLASSES = {"i": "integer", "f": "real", "r": "raw"}


def level(chips):
    """The lowest of LEVELS that has what is marked with chips=."""
    return min((LEVELS.index(c) for c in chips if c in LEVELS), default=0)


@dataclass
class Operation:
    name: str
    mnemonic: str
    codes: dict  # unit -> code
    sources: int
    reads: list  # channel mask of each source; 0: the channels that are written
    traits: list
    classes: str  # of each source: i, f or r
    chips: tuple
    doc: str


@dataclass
class Operations:
    name: str
    doc: str
    units: dict  # unit -> "WORD.FIELD"
    ops: list
    width: int = 0  # bits of a code; 0: those of the field
    struct: str = ""  # the code consists of members of this struct: parts
    parts: list = field(default_factory=list)  # (member path, bits), lowest first

    @property
    def single(self):
        return len(self.units) == 1


@dataclass
class Member:
    name: str
    type: str
    count: int
    default: str
    text: list
    doc: str
    index: str = ""  # type "range": the member beside it that holds the offset in the range
    ranges: list = field(default_factory=list)  # (from, to, id)
    tables: tuple = ()  # the code belongs to one of several tables: (member that decides, a table for each of its values)


@dataclass
class Struct:
    name: str
    doc: str
    members: dict


@dataclass
class Enum:
    name: str
    doc: str
    values: list  # (n, id)
    reserved: list  # ids


@dataclass
class Format:
    when: list
    words: list  # (word name or None, prefix)


@dataclass
class Placed:
    """A field in a word of a format, and where its value is kept."""

    word: str
    index: int
    field: object
    path: str  # "" when the decoded instruction has no place for it
    at: int
    chips: tuple


def channels(text):
    """"A.rg B.rg" -> masks of sources A, B, C."""
    masks = [0, 0, 0]
    for part in text.split():
        source, names = part.split(".")
        for c in names:
            masks["ABC".index(source)] |= 1 << ("rgba".index(c) if c in "rgba" else "xyzw".index(c))
    return masks


class Isa:
    def __init__(self, name, files):
        chips, _ = database.load(files)
        self.name = name
        self.entries = {e.name: e for e in chips[CHIP] if e.block == name}
        if not self.entries:
            self.entries = {e.name: e for e in chips["r300"] if e.block == name}
        path = next((f for f in files if f.endswith(f"/{name}.xml")), None)
        if path is None:
            raise DatabaseError(f"no database for {name}")
        self.path = path
        root = ET.parse(path).getroot()
        self.raw_fields = {(w.get("name"), f.get("name")): f for w in root for f in w.findall("field")}
        self.operations = [self.read_operations(e) for e in root.findall("opcodes")]
        self.read_instruction(root.find("instruction"))
        if self.selector is None and len(self.formats) != 1:
            self.fail("several formats need a selector")
        self.check_members()

    def fail(self, text):
        raise DatabaseError(f"{self.path}: {text}")

    def find_field(self, where):
        word, _, name = where.partition(".")
        for f in self.entries[word].fields if word in self.entries else ():
            if f.name == name:
                return f
        return self.fail(f"no field {where}")

    def read_operations(self, e):
        units = {u.get("name"): u.get("field") for u in e.findall("unit")}
        ops = Operations(e.get("name"), e.findtext("doc", "").strip(), units, [])
        for u in e.findall("unit"):
            ops.width = max(ops.width, int(u.get("width", "0")))
            if u.get("parts"):
                ops.struct = u.get("struct")
                ops.parts = [(p.rsplit(":", 1)[0], int(p.rsplit(":", 1)[1])) for p in u.get("parts").split()]
                ops.width = sum(bits for _, bits in ops.parts)
        known = {"name", "mnemonic", "sources", "reads", "traits", "classes", "chips", "note"} | set(units)
        names = set()
        for o in e.findall("opcode"):
            unknown = set(o.attrib) - known
            if unknown:
                self.fail(f"opcode {o.get('name')} has unknown attribute {sorted(unknown)[0]!r}")
            op = Operation(
                o.get("name"), o.get("mnemonic", o.get("name")), {u: int(o.get(u)) for u in units if o.get(u)}, int(o.get("sources")),
                channels(o.get("reads", "")), o.get("traits", "").split(), o.get("classes", "").replace(" ", ""), tuple(o.get("chips", "r300 r500").split()),
                (o.text or "").strip())
            if op.classes and (len(op.classes) != op.sources or set(op.classes) - set(CLASSES)):
                self.fail(f"opcode {op.name}: {op.sources} sources cannot be of classes {op.classes!r}")
            if op.name in names or not op.codes:
                self.fail(f"opcode {op.name} stands twice or has no code")
            names.add(op.name)
            ops.ops.append(op)
        for unit, where in units.items():
            if where:
                self.find_field(where)
            seen = {}
            for op in ops.ops:
                if unit in op.codes and seen.setdefault(op.codes[unit], op) is not op:
                    self.fail(f"opcode {op.codes[unit]} of {where} is {seen[op.codes[unit]].name} and {op.name}")
        return ops

    def read_instruction(self, e):
        self.words = int(e.get("words"))
        self.selector = e.get("selector")
        self.doc = e.findtext("doc", "").strip()
        self.enums = []
        for n in e.findall("enum"):
            source = self.find_field(n.get("field")).values if n.get("field") else None
            values = [(v.n, v.id) for v in source if v.id] if source else [(int(v.get("n")), v.get("id")) for v in n.findall("value")]
            reserved = [v.get("id") for v in n.findall("value") if v.text == "reserved"]
            self.enums.append(Enum(n.get("name"), n.findtext("doc", "").strip(), values, reserved))
        self.structs = {}
        for s in e.findall("struct"):
            members = {}
            for m in s.findall("member"):
                member = Member(m.get("name"), m.get("type"), int(m.get("count", "1")), m.get("default", ""), m.get("text", "").split(),
                                m.findtext("doc", "").strip(), m.get("index", ""))
                member.ranges = [(int(r.get("from")), int(r.get("to")), r.get("id")) for r in m.findall("range")]
                if m.get("tables"):
                    member.tables = (m.get("by"), m.get("tables").split())
                members[member.name] = member
                if member.index:
                    members[member.index] = Member(member.index, "u8", 1, "", [], "offset in the range")
            self.structs[s.get("name")] = Struct(s.get("name"), s.findtext("doc", "").strip(), members)
        self.floats = [(f.get("name"), int(f.get("exponent")), int(f.get("mantissa")), int(f.get("bias")), (f.text or "").strip()) for f in e.findall("float")]
        self.refusals = [(r.get("format"), r.get("field"), r.get("if")) for r in e.findall("refuse")]
        self.views = [(v.get("struct"), v.get("word"), v.get("prefix")) for v in e.findall("view")]
        self.formats = []
        for f in e.findall("format"):
            words = []
            for w in f.get("words").split():
                word, _, prefix = w.partition(":")
                words.append((None if word == "-" else word, prefix))
            if len(words) != self.words:
                self.fail(f"format {f.get('when')} has {len(words)} words")
            self.formats.append(Format(f.get("when", "").split(), words))

    # ---- Members ----

    def resolve(self, path):
        """The member at a path and its struct."""
        struct = self.structs["Instruction"]
        for i, part in enumerate(path.split(".")):
            match = re.fullmatch(r"(\w+)(?:\[(\d)\])?", part)
            member = struct.members.get(match[1]) if match else None
            if member is None or (member.count > 1) != (match[2] is not None) or (match[2] and int(match[2]) >= member.count):
                self.fail(f"no member {path}")
            if i + 1 < len(path.split(".")):
                struct = self.structs[member.type]
        return struct, member

    def placed(self, fmt):
        for index, (word, prefix) in enumerate(fmt.words):
            if word is None:
                continue
            for f in self.entries[word].fields:
                raw = self.raw_fields[(word, f.name)]
                path, _, at = raw.get("member", "").partition(":")
                full = f"{prefix}.{path}" if path and prefix else path
                only = raw.get("chips", "both")
                chips = LEVELS if only == "both" else tuple(only.split())
                yield Placed(word, index, f, full, int(at or "0"), chips)

    def check_members(self):
        used = set()
        for fmt in self.formats:
            bits = {}
            for p in self.placed(fmt):
                if not p.path:
                    continue
                struct, member = self.resolve(p.path)
                used |= {(struct.name, member.name), (struct.name, member.index)}
                mask = p.field.mask >> p.field.low << p.at
                if bits.get(p.path, 0) & mask:
                    self.fail(f"{p.path} is kept in two places of one format")
                bits[p.path] = bits.get(p.path, 0) | mask
                limit = SCALARS.get(member.type, ("", 9))[1]
                if p.at + p.field.width > limit:
                    self.fail(f"{p.word}.{p.field.name} does not fit {p.path}")
        for s in self.structs.values():
            for m in s.members.values():
                if m.type not in self.structs and (s.name, m.name) not in used:
                    self.fail(f"no field is kept in {s.name}.{m.name}")

    def operations_named(self, name):
        return next((o for o in self.operations if o.name == name), None)

    def unit_of(self, ops, placed):
        for unit, where in ops.units.items():
            if where == f"{placed.word}.{placed.field.name}":
                return unit
        return self.fail(f"{placed.word}.{placed.field.name} is no code field of {ops.name}")
