#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hw/db/regs/rdp.xml -> typed C++ of the RDP's registers and commands (rdp_commands.h) and the tables that listings
are printed from (rdp_tables.cpp).

usage: gen_rdp.py header|tables|registers OUTPUT XML

The database: <register> (offset from the DPC bank, 32 bits), <command> (opcode, number of 64-bit words) and <group>
(coefficient words that follow a triangle's edge words). A command's <field> names word, high and low bit;
signed="1" is two's complement, fraction="n" the number of fraction bits, and frac_word/frac_high/frac_low say where the
lower half of a value stands whose integer half is the field itself. <value> names the meanings of a small field.
A database that contradicts itself stops the build.
"""
import sys
import xml.etree.ElementTree as ET

ALLOWED = {
    "rdp": set(),
    "register": {"name", "offset", "access"},
    "command": {"name", "opcode", "opcodes", "words"},
    "group": {"name", "words"},
    "field": {"name", "word", "high", "low", "signed", "fraction", "frac_word", "frac_high", "frac_low"},
    "value": {"n"},
    "doc": set(),
}


class Field:
    def __init__(self, owner, e, words, bits):
        self.name = e.get("name")
        self.word, self.high, self.low = int(e.get("word", "0")), int(e.get("high")), int(e.get("low"))
        self.signed = e.get("signed") == "1"
        self.fraction = int(e.get("fraction", "0"))
        self.split = e.get("frac_word") is not None
        self.fword, self.fhigh, self.flow = (int(e.get(k, "0")) for k in ("frac_word", "frac_high", "frac_low"))
        self.width = self.high - self.low + 1 + ((self.fhigh - self.flow + 1) if self.split else 0)
        self.values = {int(v.get("n")): v.text for v in e.findall("value")}
        where = f"{owner}.{self.name}"
        if not (0 <= self.low <= self.high < bits and 0 <= self.word < words and self.width <= 32):
            raise ValueError(f"{where}: bits outside the word")
        if any(n >= 1 << self.width for n in self.values):
            raise ValueError(f"{where}: a value does not fit")

    def parts(self):
        yield self.word, self.high, self.low
        if self.split:
            yield self.fword, self.fhigh, self.flow


class Entry:
    def __init__(self, e):
        self.kind, self.name = e.tag, e.get("name")
        self.offset = int(e.get("offset", "0"), 16)
        self.access = e.get("access")
        self.opcode = int(e.get("opcode"), 16) if e.get("opcode") else -1
        self.opcodes = int(e.get("opcodes", "1"))
        self.words = int(e.get("words", "1"))
        self.doc = (e.findtext("doc") or "").strip()
        bits = 32 if self.kind == "register" else 64
        self.fields = [Field(self.name, f, self.words, bits) for f in e.findall("field")]
        # Bits 61-56 of a command's first word are the opcode; a command with several opcodes may name its low bits.
        used = {0: (0x3F & ~(self.opcodes - 1)) << 56} if self.kind == "command" else {}
        for f in self.fields:
            for word, high, low in f.parts():
                mask = ((1 << (high - low + 1)) - 1) << low
                if used.get(word, 0) & mask:
                    raise ValueError(f"{self.name}.{f.name}: overlaps another field")
                used[word] = used.get(word, 0) | mask


def check(e):
    if e.tag not in ALLOWED or set(e.attrib) - ALLOWED[e.tag]:
        raise ValueError(f"<{e.tag} {e.attrib}>: unknown element or attribute")
    for c in e:
        check(c)


def load(path):
    root = ET.parse(path).getroot()
    check(root)
    entries = [Entry(e) for e in root]
    seen = set()
    for e in entries:
        if e.kind == "register":
            keys = {(e.offset, a) for a in ("r", "w") if a in e.access}
        else:
            keys = set(range(e.opcode, e.opcode + e.opcodes)) if e.kind == "command" else set()
        if keys & seen:
            raise ValueError(f"{e.name}: offset or opcode stands twice")
        seen |= keys
    return entries


def camel(name):
    return "".join(p.capitalize() for p in name.split("_"))


def emit_register(e, out):
    out += [f"/// {e.doc}", f"struct {e.name} {{", f"  static constexpr uint32_t offset = 0x{e.offset:02X};", "  uint32_t raw = 0;"]
    for f in e.fields:
        mask = (1 << f.width) - 1
        out.append(f"  constexpr uint32_t {f.name}() const {{ return (raw >> {f.low}) & 0x{mask:X}u; }}")
        out.append(f"  constexpr {e.name}& {f.name}(uint32_t v) {{ raw = (raw & 0x{~(mask << f.low) & 0xFFFFFFFF:08X}u) | ((v & 0x{mask:X}u) << {f.low}); return *this; }}")
    out.append("};")


def emit_command(e, out):
    name = camel(e.name)
    out += [f"/// {e.doc}", f"struct {name} {{", f"  static constexpr unsigned words = {e.words};"]
    start = ""
    if e.kind == "command":
        out.append(f"  static constexpr Op op = Op::{e.name};")
        start = f"0x{e.opcode << 56:016X}u"
    out.append(f"  std::array<uint64_t, {e.words}> raw{{{start}}};")
    out.append(f"  constexpr {name}() = default;")
    out.append(f"  explicit constexpr {name}(const uint64_t* p) {{ for (unsigned i = 0; i < words; ++i) raw[i] = p[i]; }}")
    for f in e.fields:
        mask = (1 << f.width) - 1
        parts = list(f.parts())
        get, put, left = [], [], f.width
        for word, high, low in parts:
            n = high - low + 1
            left -= n
            m = (1 << n) - 1
            get.append(f"(static_cast<uint32_t>((raw[{word}] >> {low}) & 0x{m:X}u) << {left})" if left else f"static_cast<uint32_t>((raw[{word}] >> {low}) & 0x{m:X}u)")
            put.append(f"raw[{word}] = (raw[{word}] & 0x{~(m << low) & (2 ** 64 - 1):016X}u) | (uint64_t((uint32_t(v) >> {left}) & 0x{m:X}u) << {low});")
        expr = " | ".join(get)
        if f.signed:
            shift = 32 - f.width
            expr = f"static_cast<int32_t>({expr})" if shift == 0 else f"static_cast<int32_t>(({expr}) << {shift}) >> {shift}"
            out.append(f"  constexpr int32_t {f.name}() const {{ return {expr}; }}")
            out.append(f"  constexpr {name}& {f.name}(int32_t v) {{ {' '.join(put)} return *this; }}")
        else:
            guard = f"assert(v <= 0x{mask:X}u); " if f.width < 32 else ""
            out.append(f"  constexpr uint32_t {f.name}() const {{ return {expr}; }}")
            out.append(f"  constexpr {name}& {f.name}(uint32_t v) {{ {guard}{' '.join(put)} return *this; }}")
    out.append("};")


def header(entries, out):
    out += ["#pragma once", "#include <array>", "#include <cassert>", "#include <cstdint>", "namespace pumice::hw::rdp {"]
    out.append("/// Opcodes, bits 61-56 of a command's first word.")
    out.append("enum class Op : uint8_t {")
    out += [f"  {e.name} = 0x{e.opcode:02X}," for e in entries if e.kind == "command"]
    out.append("};")
    for e in entries:
        (emit_register if e.kind == "register" else emit_command)(e, out)
    out.append("}")


def registers(entries, out):
    """Registers alone, for a database without commands (rdp_card.xml)."""
    out += ["#pragma once", "#include <cstdint>", "namespace pumice::hw::rdp {"]
    for e in entries:
        emit_register(e, out)
    out.append("}")


def tables(entries, out):
    out += ['#include "hw/rdp/tables.h"', "namespace pumice::hw::rdp {", "namespace {"]
    for e in entries:
        if e.kind == "register" or not e.fields:
            continue
        for f in e.fields:
            if f.values:
                names = ", ".join(f'"{f.values.get(i, "?")}"' for i in range(1 << f.width))
                out.append(f"constexpr const char* values_{e.name}_{f.name}[] = {{{names}}};")
        out.append(f"constexpr FieldInfo fields_{e.name}[] = {{")
        for f in e.fields:
            values = f"values_{e.name}_{f.name}" if f.values else "nullptr"
            split = f"{f.fword}, {f.fhigh}, {f.flow}" if f.split else "0, -1, 0"
            out.append(f'  {{"{f.name}", {f.word}, {f.high}, {f.low}, {split}, {str(f.signed).lower()}, {f.fraction}, {values}}},')
        out.append("};")
    out.append("}")
    info = lambda e: f'{{"{e.name}", {e.words}, ' + (f"fields_{e.name}" if e.fields else "{}") + "}"
    by_op = {o: e for e in entries if e.kind == "command" for o in range(e.opcode, e.opcode + e.opcodes)}
    out.append("const CommandInfo kCommands[64] = {")
    out += ["  " + (info(by_op[o]) if o in by_op else '{kUndefinedCommand, 1, {}}') + "," for o in range(64)]
    out.append("};")
    for e in entries:
        if e.kind == "group":
            out.append(f"const CommandInfo k{camel(e.name)} = {info(e)};")
    out.append("}")


def main():
    what, output, path = sys.argv[1:4]
    out = [f"// Generated by hw/db/gen/gen_rdp.py from hw/db/regs/{path.split('/')[-1]}. Do not edit."]
    try:
        {"header": header, "tables": tables, "registers": registers}[what](load(path), out)
    except ValueError as err:
        sys.exit(f"{path}: {err}")
    with open(output, "w", encoding="utf-8") as h:
        h.write("\n".join(out) + "\n")


main()
