# SPDX-License-Identifier: MIT
"""Reads the chips (hw/db/chips.xml), registers, packets and instruction words (hw/db/regs/*.xml, hw/db/isa/*.xml) and checks them.

Every fact stands once in the XML; the generators beside this file turn it into C++ and documentation. hw/db/README.md describes the
elements. A database that contradicts itself (overlapping fields or registers, unknown element or attribute, a value that does not fit
its field, a register in no group, a chip that leaves a capability open) stops the build with the file and the element named.
"""
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

_ATTRIBUTES = {
    "database": {"name"},
    "register": {"name", "document", "offset", "count", "stride", "chips", "access", "group", "key", "readback", "through"},
    "word": {"name", "document", "window", "count", "stride", "chips", "access"},
    "store": {"name", "count", "stride", "chips", "access"},
    "field": {"name", "high", "low", "chips", "reset", "extended_by", "member", "unit"},
    "value": {"n", "id"},
    "range": {"from", "to"},
    "doc": set(),
    "packet": {"name", "opcode"},
}
# The decoded instruction of an instruction set: gen_isa.py reads and checks these.
_ISA_ELEMENTS = ("opcodes", "instruction")
_CHIP_ATTRIBUTES = {
    "chips": set(),
    "group": {"name"},
    "key": {"name", "group", "members", "block"},
    "capability": {"name", "kind"},
    "chip": {"name", "inherits", "trace", "blocks", "without"},
    "set": {"name", "to"},
    "doc": set(),
}
_FLAGS = {"yes": 1, "no": 0}
_MOST_GROUPS = 8  # a byte holds them
REGISTER_SPACE = 0x10000  # bytes
UNIT = "UNIT"  # FIELD__UNIT in generated code, beside the names of values
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
    unit: int = 0  # what one stands for; 0: the field is a number of its own

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
    groups: tuple = ()  # of a register: what changes with it
    keys: tuple = ()  # of a register: which keys name it
    readback: str = ""  # of a register: why nothing that the model computes depends on it
    through: str = ""  # of a register: the one whose name the code that implements both has

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


@dataclass
class Named:
    """A group of registers or a block."""

    name: str
    doc: str


@dataclass
class Key:
    name: str
    groups: tuple
    all: bool  # every register of the groups, else those that say so
    block: str  # of these the registers of this block only; empty: of all blocks
    doc: str


@dataclass
class Capability:
    name: str
    flag: bool  # else a count
    doc: str


@dataclass
class Chip:
    name: str
    trace: int  # its number in recordings
    doc: str
    lineage: tuple  # itself, the chip it inherits from, and so on
    blocks: tuple
    values: dict  # capability name -> number


@dataclass
class ChipTable:
    chips: dict  # name -> Chip, in the order of the file
    groups: list
    keys: list
    capabilities: list

    @property
    def blocks(self):
        return sorted({b for c in self.chips.values() for b in c.blocks})


def _check_element(path, e, attributes=_ATTRIBUTES):
    allowed = attributes.get(e.tag)
    if allowed is None:
        raise DatabaseError(f"{path}: unknown element <{e.tag}>")
    for a in e.attrib:
        if a not in allowed:
            raise DatabaseError(f"{path}: <{e.tag} name={e.get('name')!r}> has unknown attribute {a!r}")
    for c in e:
        if c.tag not in _ISA_ELEMENTS:
            _check_element(path, c, attributes)


def _identifier(where, name):
    if not name or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise DatabaseError(f"{where}: name {name!r} is not an identifier")
    return name


def _doc(e):
    d = e.find("doc")
    return d.text.strip() if d is not None and d.text else ""


def _distance(path, e, chip, table):
    """How far up the lineage of `chip` an element is meant for: 0 is the chip itself, None not at all. The nearest of a name counts."""
    names = e.get("chips")
    if names is None:
        return len(chip.lineage)
    for c in names.split():
        if c not in table.chips:
            raise DatabaseError(f"{path}: {e.get('name')}: unknown chip {c!r}")
    return next((i for i, c in enumerate(chip.lineage) if c in names.split()), None)


def _nearest(path, elements, chip, table, what):
    """Those of `elements` that the chip has, the nearest of each name, in the order of the file."""
    best = {}
    for e in elements:
        distance = _distance(path, e, chip, table)
        if distance is None:
            continue
        name = e.get("name")
        if name in best and best[name][0] == distance:
            raise DatabaseError(f"{path}: {what(e)} stands twice for {chip.name}")
        if name not in best or distance < best[name][0]:
            best[name] = (distance, e)
    chosen = {id(e) for _, e in best.values()}
    return [e for e in elements if id(e) in chosen]


def _chip(path, e, table):
    name = _identifier(f"{path}: <chip>", e.get("name"))
    where = f"{path}: chip {name}"
    if name in table.chips:
        raise DatabaseError(f"{where} stands twice")
    base = None
    if e.get("inherits"):
        base = table.chips.get(e.get("inherits"))
        if base is None:
            raise DatabaseError(f"{where} inherits from {e.get('inherits')!r}, which does not stand before it")
    elif not e.get("blocks"):
        raise DatabaseError(f"{where} has no blocks")
    if not e.get("trace"):
        raise DatabaseError(f"{where} has no number in recordings (trace=)")
    trace = int(e.get("trace"))
    for other in table.chips.values():
        if other.trace == trace:
            raise DatabaseError(f"{where} and chip {other.name} have number {trace} in recordings")
    blocks = set(base.blocks if base else ()) | set(e.get("blocks", "").split())
    for b in e.get("without", "").split():
        if b not in blocks:
            raise DatabaseError(f"{where} has no block {b!r} to be without")
        blocks.discard(b)
    values = dict(base.values) if base else {}
    own = set()
    for s in e.findall("set"):
        capability = next((c for c in table.capabilities if c.name == s.get("name")), None)
        if capability is None:
            raise DatabaseError(f"{where}: unknown capability {s.get('name')!r}")
        if capability.name in own:
            raise DatabaseError(f"{where}: capability {capability.name} stands twice")
        own.add(capability.name)
        text = s.get("to", "")
        number = _FLAGS.get(text) if capability.flag else int(text) if text.isdecimal() and int(text) < 1 << 32 else None
        if number is None:
            raise DatabaseError(f"{where}: {capability.name}: {text!r} is no {'flag' if capability.flag else 'count'}")
        values[capability.name] = number
    for c in table.capabilities:
        if c.name not in values:
            raise DatabaseError(f"{where} leaves capability {c.name} open")
    return Chip(name, trace, _doc(e), (name,) + (base.lineage if base else ()), tuple(sorted(blocks)), values)


def _parse(path):
    try:
        return ET.parse(path).getroot()
    except ET.ParseError as err:
        raise DatabaseError(f"{path}: {err}") from err


def load_chips(files):
    """Returns the ChipTable of the one file among `files` that has it."""
    found = [(path, root) for path, root in ((path, _parse(path)) for path in files) if root.tag == "chips"]
    if len(found) != 1:
        raise DatabaseError(f"{len(found)} of the files describe the chips: {' '.join(path for path, _ in found) or ' '.join(files)}")
    path, root = found[0]
    _check_element(path, root, _CHIP_ATTRIBUTES)
    table = ChipTable({}, [], [], [])
    for e in root.findall("group"):
        table.groups.append(Named(_identifier(f"{path}: <group>", e.get("name")), _doc(e)))
    if len(table.groups) > _MOST_GROUPS:
        raise DatabaseError(f"{path}: {len(table.groups)} groups are more than {_MOST_GROUPS}")
    for e in root.findall("key"):
        name = _identifier(f"{path}: <key>", e.get("name"))
        groups = tuple(e.get("group", "").split())
        unknown = [g for g in groups if g not in [known.name for known in table.groups]]
        if unknown or not groups:
            raise DatabaseError(f"{path}: key {name}: unknown group {' '.join(unknown)!r}")
        if e.get("members", "named") not in ("all", "named"):
            raise DatabaseError(f"{path}: key {name}: members are 'all' or 'named', not {e.get('members')!r}")
        table.keys.append(Key(name, groups, e.get("members") == "all", e.get("block", ""), _doc(e)))
    for e in root.findall("capability"):
        name = _identifier(f"{path}: <capability>", e.get("name"))
        if name in [c.name for c in table.capabilities]:
            raise DatabaseError(f"{path}: capability {name} stands twice")
        if e.get("kind") not in ("flag", "count"):
            raise DatabaseError(f"{path}: capability {name}: unknown kind {e.get('kind')!r}")
        table.capabilities.append(Capability(name, e.get("kind") == "flag", _doc(e)))
    for e in root.findall("chip"):
        chip = _chip(path, e, table)
        table.chips[chip.name] = chip
    if not table.chips:
        raise DatabaseError(f"{path}: no chips")
    for key in table.keys:
        if key.block and key.block not in table.blocks:
            raise DatabaseError(f"{path}: key {key.name}: no chip has block {key.block!r}")
    return table


def _groups(path, block, e, table):
    """Groups and keys of a register of the block."""
    where = f"{path}: register {e.get('name')}"
    groups = tuple((e.get("group") or "").split())
    if not groups:
        raise DatabaseError(f"{where} is in no group; group=\"none\" says that nothing is derived from it")
    known = [g.name for g in table.groups]
    for g in groups:
        if g not in known and groups != ("none",):
            raise DatabaseError(f"{where}: unknown group {g!r}")
    groups = () if groups == ("none",) else groups
    keys = tuple(e.get("key", "").split())
    for k in keys:
        key = next((x for x in table.keys if x.name == k), None)
        if key is None or key.all:
            raise DatabaseError(f"{where}: no key {k!r} that registers name")
        if not set(key.groups) & set(groups):
            raise DatabaseError(f"{where} is in key {k}, but not in its group {' '.join(key.groups)}")
    return groups, keys + tuple(k.name for k in table.keys if k.all and set(k.groups) & set(groups) and k.block in ("", block))


def _field(path, owner, e):
    name, high, low = e.get("name"), int(e.get("high")), int(e.get("low"))
    where = f"{path}: {owner}.{name}"
    _identifier(where, name)
    if not 0 <= low <= high <= 31:
        raise DatabaseError(f"{where}: bits {high}:{low} are outside 31:0")
    f = Field(name, high, low, int(e.get("reset", "0"), 0), _doc(e))
    limit = 1 << f.width
    # extended_by names the field elsewhere that holds the next higher bit of the value.
    value_limit = limit * 2 if e.get("extended_by") else limit
    if not 0 <= f.reset < limit:
        raise DatabaseError(f"{where}: reset value {f.reset:#x} does not fit {f.width} bits")
    if e.get("unit"):
        f.unit = int(e.get("unit"), 0)
        if f.unit < 2:
            raise DatabaseError(f"{where}: a unit of {f.unit}")
    seen = set()
    for v in e.findall("value"):
        if f.unit and v.get("id") == UNIT:
            raise DatabaseError(f"{where}: a value has the name of the unit, {UNIT}")
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


def _entry(path, block, e, chip, table):
    name = e.get("name")
    off = e.get("offset")
    access = e.get("access", "rw")
    if access not in _ACCESS:
        raise DatabaseError(f"{path}: {name}: unknown access {access!r}")
    entry = Entry(e.tag, name, int(off, 16) if off else -1, int(e.get("count", "1")), int(e.get("stride", "0")), access, _doc(e), block)
    if e.get("window"):
        entry.window = int(e.get("window"), 16)
    if e.tag == "register":
        if entry.offset < 0:
            raise DatabaseError(f"{path}: register {name} has no offset")
        entry.groups, entry.keys = _groups(path, block, e, table)
        entry.readback, entry.through = e.get("readback", ""), e.get("through", "")
    if entry.offset >= 0 and entry.offset % 4:
        raise DatabaseError(f"{path}: {name}: offset {entry.offset:#x} is not a multiple of 4")
    if entry.count > 1 and entry.stride < 4:
        raise DatabaseError(f"{path}: {name}: {entry.count} elements need a stride of at least 4")
    if entry.offset >= 0 and max(entry.offsets()) >= REGISTER_SPACE:
        raise DatabaseError(f"{path}: {name} lies outside the register space")
    used = 0
    for fe in _nearest(path, e.findall("field"), chip, table, lambda x: f"{name}.{x.get('name')}"):
        f = _field(path, name, fe)
        if used & f.mask:
            raise DatabaseError(f"{path}: {name}.{f.name} ({f.high}:{f.low}) overlaps another field on {chip.name}")
        used |= f.mask
        entry.fields.append(f)
    return entry


def _name_opcodes(path, root):
    """An <opcode> gives the fields that hold its codes a named value."""
    for ops in root.findall("opcodes"):
        for unit in ops.findall("unit"):
            if not unit.get("field"):  # the code consists of members
                continue
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
    table = load_chips(files)
    chips = {c: [] for c in table.chips}
    packets, blocks = [], {}
    for path in sorted(files):
        root = _parse(path)
        if root.tag == "chips":
            continue
        _check_element(path, root)
        _name_opcodes(path, root)
        block = root.get("name")
        if block in blocks:
            raise DatabaseError(f"{path}: {blocks[block]} describes block {block} as well")
        blocks[block] = path
        packets += [Packet(p.get("name"), int(p.get("opcode"), 16), _doc(p)) for p in root.findall("packet")]
        elements = [e for e in root if e.tag != "packet" and e.tag not in _ISA_ELEMENTS]
        for e in elements:
            for c in e.get("chips", "").split():
                if c not in table.chips:
                    raise DatabaseError(f"{path}: {e.get('name')}: unknown chip {c!r}")
        for chip in table.chips.values():
            if block in chip.blocks:
                chosen = _nearest(path, elements, chip, table, lambda e: e.get("name"))
                chips[chip.name] += [_entry(path, block, e, chip, table) for e in chosen]
    for chip in table.chips.values():
        missing = [b for b in chip.blocks if b not in blocks]
        if missing:
            raise DatabaseError(f"chip {chip.name}: no file describes block {missing[0]}")
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
