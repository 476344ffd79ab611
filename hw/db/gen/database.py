# SPDX-License-Identifier: MIT
"""Reads the register, packet and instruction-word databases (hw/db/regs/*.xml, hw/db/isa/*.xml) and checks them.

Every fact stands once in the XML; the generators beside this file turn it into C++ and documentation.
A database that contradicts itself (overlapping fields or registers, unknown element or attribute, a value
that does not fit its field) stops the build with the file and the element named.
"""
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

CHIPS = ("r300", "r500")
_ATTRIBUTES = {
    "database": {"name"},
    "register": {"name", "document", "offset", "count", "stride", "chips", "access"},
    "word": {"name", "document", "window", "count", "stride", "chips", "access"},
    "store": {"name", "count", "stride", "chips", "access"},
    "field": {"name", "high", "low", "chips", "reset", "extended_by", "member"},
    "value": {"n", "id"},
    "range": {"from", "to"},
    "doc": set(),
    "packet": {"name", "opcode", "chips"},
}
# The decoded instruction of an instruction set: gen_isa.py reads and checks these.
_ISA_ELEMENTS = ("opcodes", "instruction")
_ACCESS = {"rw", "ro", "wo"}


class DatabaseError(Exception):
    pass


@dataclass
class Value:
    n: int
    id: str
    text: str


@dataclass
class Field:
    name: str
    high: int
    low: int
    reset: int
    doc: str
    values: list = field(default_factory=list)
    ranges: list = field(default_factory=list)

    @property
    def width(self):
        return self.high - self.low + 1

    @property
    def mask(self):
        return ((1 << self.width) - 1) << self.low


@dataclass
class Entry:
    kind: str  # register, word, store
    name: str
    offset: int  # -1: not memory mapped
    count: int
    stride: int
    access: str
    doc: str
    block: str
    fields: list = field(default_factory=list)
    window: int = -1  # address of a word that can also be written through a window of the register space

    @property
    def reset(self):
        v = 0
        for f in self.fields:
            v |= f.reset << f.low
        return v

    def offsets(self):
        return [self.offset + i * self.stride for i in range(self.count)]


@dataclass
class Packet:
    name: str
    opcode: int
    doc: str


def _check_element(path, e):
    allowed = _ATTRIBUTES.get(e.tag)
    if allowed is None:
        raise DatabaseError(f"{path}: unknown element <{e.tag}>")
    for a in e.attrib:
        if a not in allowed:
            raise DatabaseError(f"{path}: <{e.tag} name={e.get('name')!r}> has unknown attribute {a!r}")
    for c in e:
        if c.tag not in _ISA_ELEMENTS:
            _check_element(path, c)


def _doc(e):
    d = e.find("doc")
    return d.text.strip() if d is not None and d.text else ""


def _chips(path, e, default="both"):
    c = e.get("chips", default)
    if c not in ("both",) + CHIPS:
        raise DatabaseError(f"{path}: {e.get('name')}: unknown chip {c!r}")
    return CHIPS if c == "both" else (c,)


def _field(path, owner, e):
    name, high, low = e.get("name"), int(e.get("high")), int(e.get("low"))
    where = f"{path}: {owner}.{name}"
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise DatabaseError(f"{where}: name is not an identifier")
    if not 0 <= low <= high <= 31:
        raise DatabaseError(f"{where}: bits {high}:{low} are outside 31:0")
    f = Field(name, high, low, int(e.get("reset", "0"), 0), _doc(e))
    limit = 1 << f.width
    # extended_by names the field elsewhere that holds the next higher bit of the value.
    value_limit = limit * 2 if e.get("extended_by") else limit
    if not 0 <= f.reset < limit:
        raise DatabaseError(f"{where}: reset value {f.reset:#x} does not fit {f.width} bits")
    seen = set()
    for v in e.findall("value"):
        n = int(v.get("n"), 0)
        if not 0 <= n < value_limit:
            raise DatabaseError(f"{where}: value {n} does not fit {f.width} bits")
        if n in seen:
            raise DatabaseError(f"{where}: value {n} stands twice")
        seen.add(n)
        f.values.append(Value(n, v.get("id", ""), (v.text or "").strip()))
    for r in e.findall("range"):
        a, b = int(r.get("from"), 0), int(r.get("to"), 0)
        if not 0 <= a <= b < limit:
            raise DatabaseError(f"{where}: range {a}..{b} does not fit {f.width} bits")
        f.ranges.append((a, b, (r.text or "").strip()))
    return f


def _entry(path, block, e, chip):
    name = e.get("name")
    off = e.get("offset")
    access = e.get("access", "rw")
    if access not in _ACCESS:
        raise DatabaseError(f"{path}: {name}: unknown access {access!r}")
    entry = Entry(e.tag, name, int(off, 16) if off else -1, int(e.get("count", "1")), int(e.get("stride", "0")), access, _doc(e), block)
    if e.get("window"):
        entry.window = int(e.get("window"), 16)
    if e.tag == "register" and entry.offset < 0:
        raise DatabaseError(f"{path}: register {name} has no offset")
    if entry.offset >= 0 and entry.offset % 4:
        raise DatabaseError(f"{path}: {name}: offset {entry.offset:#x} is not a multiple of 4")
    if entry.count > 1 and entry.stride < 4:
        raise DatabaseError(f"{path}: {name}: {entry.count} elements need a stride of at least 4")
    used, names = 0, set()
    for fe in e.findall("field"):
        if chip not in _chips(path, fe):
            continue
        f = _field(path, name, fe)
        if f.name in names:
            raise DatabaseError(f"{path}: {name}.{f.name} stands twice for {chip}")
        if used & f.mask:
            raise DatabaseError(f"{path}: {name}.{f.name} ({f.high}:{f.low}) overlaps another field on {chip}")
        used |= f.mask
        names.add(f.name)
        entry.fields.append(f)
    return entry


def _name_opcodes(path, root):
    """An <opcode> gives the fields that hold its codes a named value."""
    for ops in root.findall("opcodes"):
        for unit in ops.findall("unit"):
            word, _, name = unit.get("field").partition(".")
            fields = [f for w in root if w.get("name") == word for f in w.findall("field") if f.get("name") == name]
            if not fields:
                raise DatabaseError(f"{path}: opcodes {ops.get('name')}: no field {unit.get('field')}")
            for f in fields:
                for op in ops.findall("opcode"):
                    if op.get(unit.get("name")) is not None:
                        v = ET.SubElement(f, "value", n=op.get(unit.get("name")), id=op.get("name"))
                        v.text = op.text
                values = sorted(f.findall("value"), key=lambda v: int(v.get("n"), 0))
                for v in values:
                    f.remove(v)
                f.extend(values)


def load(files):
    """Returns ({chip: [Entry]}, [Packet]); raises DatabaseError when the files contradict themselves."""
    chips = {c: [] for c in CHIPS}
    packets = []
    for path in sorted(files):
        try:
            root = ET.parse(path).getroot()
        except ET.ParseError as err:
            raise DatabaseError(f"{path}: {err}") from err
        _check_element(path, root)
        _name_opcodes(path, root)
        block = root.get("name")
        for e in root:
            if e.tag in _ISA_ELEMENTS:
                continue
            if e.tag == "packet":
                packets.append(Packet(e.get("name"), int(e.get("opcode"), 16), _doc(e)))
                continue
            for chip in _chips(path, e):
                chips[chip].append(_entry(path, block, e, chip))
    for chip, entries in chips.items():
        by_name, by_offset = {}, {}
        for e in entries:
            if e.name in by_name:
                raise DatabaseError(f"{chip}: {e.name} is defined in {by_name[e.name].block} and in {e.block}")
            by_name[e.name] = e
            if e.kind != "register":
                continue
            for o in e.offsets():
                if o in by_offset:
                    raise DatabaseError(f"{chip}: offset {o:#06x} belongs to {by_offset[o]} and to {e.name}")
                by_offset[o] = e.name
    codes = {}
    for p in packets:
        if p.opcode in codes:
            raise DatabaseError(f"packet opcode {p.opcode:#04x} is {codes[p.opcode]} and {p.name}")
        codes[p.opcode] = p.name
    return chips, packets


def run(main):
    try:
        main()
    except DatabaseError as err:
        sys.exit(f"register database: {err}")
