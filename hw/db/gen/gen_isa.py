#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hw/db/isa/NAME.xml -> one decoded instruction of an instruction set: structs, opcode tables, pack, unpack, legality.

instruction_set.py reads the file; this is the C++ of it.

usage: gen_isa.py NAME OUTPUT XML...
"""
import re
import sys

import database
from instruction_set import CLASSES, LEVELS, SCALARS, Isa, level


def comment(text, indent=""):
    words, lines, line = text.split(), [], ""
    for w in words:
        if len(line) + len(w) > 130:
            lines.append(line)
            line = ""
        line += (" " if line else "") + w
    return [f"{indent}/// {l}" for l in lines + [line] if l]


def emit_operations(ops, width, out):
    out += comment(ops.doc)
    values = []
    for i, op in enumerate(ops.ops):
        code = next(iter(op.codes.values())) if ops.single else i
        values.append(f"  {op.name} = {code},  ///< {op.doc}" if op.doc else f"  {op.name} = {code},")
    out += [f"enum class {ops.name} : uint8_t {{", *values, "};"]
    name = re.sub(r"(?<!^)([A-Z])", lambda m: "_" + m[1], ops.name).lower()  # alu_op
    traits = sorted({t for op in ops.ops for t in op.traits})
    out.append(f"struct {ops.name}Info {{")
    out.append(f"  {ops.name} op;")
    longest = [max(len(text) for text in texts) for texts in zip(*((op.name, op.mnemonic) for op in ops.ops), ("reserved", "?"))]
    out.append(f"  ShortText<{longest[0]}> name;      ///< as in the database")
    out.append(f"  ShortText<{longest[1]}> mnemonic;  ///< of the disassembly")
    out.append("  uint8_t sources;       ///< operands that it reads")
    out.append("  std::array<uint8_t, 3> reads;  ///< channels read of each whatever is written; 0: the written ones")
    out.append("  bool r300;  ///< the R3xx has it too")
    out.append("  bool extended;  ///< of r5x only")
    if any(op.classes for op in ops.ops):
        out.append("  std::array<OperandClass, 3> classes;  ///< of the operands")
    out += [f"  bool {t};" for t in traits]
    out += [f"  int8_t {u};  ///< code in this unit, -1: none" for u in ops.units]
    out.append("};")
    out.append(f"inline constexpr std::array<{ops.name}Info, {len(ops.ops)}> k{ops.name}s{{{{")
    classed = any(op.classes for op in ops.ops)
    for op in ops.ops:
        reads = ", ".join(map(str, op.reads))
        flags = "".join(f", {str(t in op.traits).lower()}" for t in traits)
        codes = "".join(f", {op.codes.get(u, -1)}" for u in ops.units)
        own = f'{str("r300" in op.chips).lower()}, {str(level(op.chips) == 2).lower()}'
        if classed:
            own += ", {" + ", ".join(f"OperandClass::{CLASSES[c]}" for c in op.classes.ljust(3, "i")) + "}"
        out.append(f'  {{{ops.name}::{op.name}, "{op.name}", "{op.mnemonic}", {op.sources}, {{{reads}}}, {own}{flags}{codes}}},')
    out.append("}};")
    reserved = f'{{{ops.name}(0), "reserved", "?", 3, {{0, 0, 0}}, false, false' + (", {}" if classed else "") + ", false" * len(traits) + ", -1" * len(ops.units) + "}"
    out.append(f"inline constexpr {ops.name}Info k{ops.name}Reserved{reserved};")
    if ops.single:
        unit = next(iter(ops.units))
        by_code = [-1] * (1 << width)
        for i, op in enumerate(ops.ops):
            by_code[op.codes[unit]] = i
        out.append(f"inline constexpr std::array<int8_t, {len(by_code)}> k{ops.name}ByCode{{{', '.join(map(str, by_code))}}};")
        out.append(f"constexpr bool reserved({ops.name} op) {{ return uint8_t(op) >= {len(by_code)} || k{ops.name}ByCode[uint8_t(op)] < 0; }}")
        out.append(f"constexpr const {ops.name}Info& info({ops.name} op) {{ return reserved(op) ? k{ops.name}Reserved : k{ops.name}s[size_t(k{ops.name}ByCode[uint8_t(op)])]; }}")
        out.append(f"constexpr uint8_t code({ops.name} op) {{ return uint8_t(op); }}")
        return
    out.append("/// Codes without an operation are kept as 0x80 | code.")
    out.append(f"constexpr bool reserved({ops.name} op) {{ return uint8_t(op) & 0x80u; }}")
    out.append(f"constexpr const {ops.name}Info& info({ops.name} op) {{ return reserved(op) ? k{ops.name}Reserved : k{ops.name}s[size_t(op)]; }}")
    for unit in ops.units:
        by_code = [0x80 | c for c in range(1 << width)]
        for i, op in enumerate(ops.ops):
            if unit in op.codes:
                by_code[op.codes[unit]] = i
        out.append(f"inline constexpr std::array<uint8_t, {len(by_code)}> k{ops.name}Of{unit.capitalize()}{{{', '.join(map(str, by_code))}}};")
        out.append(f"constexpr {ops.name} {unit}_op(uint32_t code) {{ return {ops.name}(k{ops.name}Of{unit.capitalize()}[code]); }}")
        out.append(f"/// -1: the unit does not have it.")
        out.append(f"constexpr int {unit}_code({ops.name} op) {{ return reserved(op) ? int(op) & 0x7F : k{ops.name}s[size_t(op)].{unit}; }}")


def cpp_type(isa, m):
    if m.type == "range":
        return m.name.capitalize()
    return SCALARS[m.type][0] if m.type in SCALARS else m.type


def emit_struct(isa, s, out):
    out += comment(s.doc)
    out.append(f"struct {s.name} {{")
    for m in s.members.values():
        out += comment(m.doc, "  ")
        t = cpp_type(isa, m)
        if m.type == "range":
            out.append(f"  enum class {t} : uint8_t {{ {', '.join(r[2] for r in m.ranges)} }};")
            out.append(f"  {t} {m.name} = {t}::{m.default};")
        elif m.count > 1:
            out.append(f"  std::array<{t}, {m.count}> {m.name}{{{m.default}}};")
        else:
            default = m.default or ("{}" if m.type in isa.structs or m.type not in SCALARS else "false" if m.type == "bool" else "0")
            out.append(f"  {t} {m.name}{default};" if default == "{}" else f"  {t} {m.name} = {default};")
        if m.text:
            texts = ", ".join(f'"{"" if t == "-" else t}"' for t in m.text)
            out.append(f"  static constexpr std::array<const char*, {len(m.text)}> {m.name}_text{{{texts}}};")
    for ops in (o for o in isa.operations if o.struct == s.name):
        unit = next(iter(ops.units))
        terms, sets, at = [], [], 0
        for path, bits in ops.parts:
            terms.append(f"uint32_t({path}) << {at}")
            sets.append(f"{path} = uint8_t(uint32_t(value) >> {at} & {(1 << bits) - 1}u);")
            at += bits
        out.append(f"  /// The {ops.name} that {', '.join(p for p, _ in ops.parts)} make together.")
        out.append(f"  constexpr {ops.name} {unit}() const {{ return {ops.name}({' | '.join(terms)}); }}")
        out.append(f"  constexpr void {unit}({ops.name} value) {{ {' '.join(sets)} }}")
    out.append(f"  bool operator==(const {s.name}&) const = default;")
    for m in (m for m in s.members.values() if m.type == "range"):
        t = cpp_type(isa, m)
        out.append(f"  /// The code that the words have for {m.name} and {m.index}.")
        out.append(f"  constexpr uint32_t {m.name}_code() const {{")
        out.append(f"    switch ({m.name}) {{")
        out += [f"      case {t}::{i}: assert({m.index} <= {b - a}); return {a}u + {m.index};" for a, b, i in m.ranges]
        out.append("    }")
        out.append("    return 0;")
        out.append("  }")
        out.append(f"  constexpr void {m.name}_code(uint32_t code) {{")
        for a, b, i in reversed(m.ranges):
            test = f"if (code >= {a}u) " if a else ""
            out.append(f"    {test}{{ {m.name} = {t}::{i}; {m.index} = uint8_t(code - {a}u); return; }}" if a else f"    {m.name} = {t}::{i}; {m.index} = uint8_t(code);")
        out.append("  }")
    out.append("};")


def emit_float(name, exponent, mantissa, bias, doc, out):
    out += comment(doc)
    out.append(f"constexpr float {name}_value(uint32_t code) {{")
    out.append(f"  const uint32_t e = code >> {mantissa} & {(1 << exponent) - 1}u, m = code & {(1 << mantissa) - 1}u;")
    out.append(f"  return e ? std::bit_cast<float>((e + {127 - bias}u) << 23 | m << {23 - mantissa}) : float(m) * std::bit_cast<float>({127 + 1 - bias - mantissa}u << 23);")
    out.append("}")
    out.append("/// The code of a value's magnitude, -1: it has none.")
    out.append(f"constexpr int {name}_code(float value) {{")
    out.append("  const uint32_t magnitude = std::bit_cast<uint32_t>(value) & 0x7FFFFFFFu;")
    out.append(f"  const int e = int(magnitude >> 23) - {127 - bias};")
    out.append(f"  if (e >= 1 && e <= {(1 << exponent) - 1}) return magnitude & 0x{(1 << 23 - mantissa) - 1:X}u ? -1 : e << {mantissa} | int(magnitude >> {23 - mantissa} & {(1 << mantissa) - 1}u);")
    out.append(f"  for (uint32_t code = 0; code < {1 << mantissa}; ++code)")
    out.append(f"    if (std::bit_cast<uint32_t>({name}_value(code)) == magnitude) return int(code);")
    out.append("  return -1;")
    out.append("}")


def value_of(isa, p):
    """C++ of what a member's bits are, as an unsigned number."""
    struct, member = isa.resolve(p.path)
    if member.type == "range":
        return "x." + p.path.rsplit(".", 1)[0] + f".{member.name}_code()"
    ops = isa.operations_named(member.type)
    if ops and not ops.single:
        return f"uint32_t({isa.unit_of(ops, p)}_code(x.{p.path}))"
    return f"uint32_t(x.{p.path})"


def grouped(isa, fmt):
    """The fields of a format by member path."""
    groups = {}
    for p in isa.placed(fmt):
        if p.path:
            groups.setdefault(p.path, []).append(p)
    return groups


def pack_lines(isa, fmt, skip=()):
    by_word = {}
    for path, parts in grouped(isa, fmt).items():
        for p in parts:
            v = value_of(isa, p)
            if len(parts) == 1 and p.at == 0:
                e = f"bits<{p.field.width}, {p.field.low}>({v})"
            else:
                e = f"part<{p.field.width}, {p.field.low}>({v} >> {p.at})"
            by_word.setdefault(p.index, []).append(e)
    return by_word


def unpack_lines(isa, fmt, only=None, skip=None):
    lines = []
    for path, parts in grouped(isa, fmt).items():
        if (only is not None and parts[0].index not in only) or (skip is not None and parts[0].index in skip):
            continue
        _, member = isa.resolve(path)
        terms = []
        for p in parts:
            shift = f"w[{p.index}] >> {p.field.low}" if p.field.low else f"w[{p.index}]"
            term = f"({shift} & 0x{(1 << p.field.width) - 1:X}u)"
            terms.append(f"{term} << {p.at}" if p.at else term)
        code = " | ".join(terms)
        ops = isa.operations_named(member.type)
        if member.type == "range":
            lines.append(f"x.{path.rsplit('.', 1)[0]}.{member.name}_code({code});")
        elif ops and not ops.single:
            lines.append(f"x.{path} = {isa.unit_of(ops, parts[0])}_op({code});")
        elif member.type == "bool":
            lines.append(f"x.{path} = ({code}) != 0;")
        else:
            lines.append(f"x.{path} = {cpp_type(isa, member)}({code});")
    return lines


def condition(isa, f):
    """C++ that is true when the selector chooses this format; without a selector there is one format."""
    if isa.selector is None:
        return "true"
    subject = "x." + isa.selector
    member = isa.structs["Instruction"].members[isa.selector]
    if member.type == "bool":
        return f"{subject}" if f.when == ["true"] else f"!{subject}"
    return " || ".join(f"{subject} == {member.type}::{w}" for w in f.when)


def emit_strict(isa, out):
    """What a chip without the extension blocks makes of words: fields that it lacks do not exist, operations that it lacks are reserved codes."""
    lines = []
    for f in isa.formats:
        body = []
        for path, parts in grouped(isa, f).items():
            _, member = isa.resolve(path)
            old = [p for p in parts if level(p.chips) < 2]
            if not old:
                continue  # a strict instruction does not look at it
            t = cpp_type(isa, member)
            if len(old) < len(parts):
                mask = sum(p.field.mask >> p.field.low << p.at for p in old)
                body.append(f"x.{path} = {t}(uint32_t(x.{path}) & 0x{mask:X}u);")
            ops = isa.operations_named(member.type)
            for op in ops.ops if ops else ():
                codes = [c for u, c in op.codes.items() if ops.single or u == isa.unit_of(ops, parts[0])]
                if level(op.chips) == 2 and codes and codes[0] < 1 << max(p.at + p.field.width for p in old):
                    body.append(f"if (x.{path} == {t}::{op.name}) x.{path} = {t}(0x80u | {codes[0]}u);")
        if body:
            lines += [f"  if ({condition(isa, f)}) {{", *("    " + b for b in body), "  }"]
    if lines:
        out += ["/// Extended fields are dropped, extended operations become reserved codes: the instruction as chips without the extension read it.",
                "constexpr void make_strict(Instruction& x) {", *lines, "}"]


def emit_views(isa, out):
    """A word that can stand in another's place: its struct from and to the bits."""
    for struct, word, prefix in isa.views:
        fields = [(f, isa.raw_fields[(word, f.name)].get("member", "")) for f in isa.entries[word].fields]
        fields = [(f, m[len(prefix) + 1:]) for f, m in fields if m.startswith(prefix + ".")]
        members = isa.structs[struct].members
        name = struct.lower()
        out += [f"/// {word} as a number.", f"constexpr {struct} {name}_of(uint32_t word) {{", f"  {struct} s;"]
        for f, m in fields:
            value = f"(word >> {f.low} & 0x{(1 << f.width) - 1:X}u)"
            out.append(f"  s.{m} = {value} != 0;" if members[m].type == "bool" else f"  s.{m} = {cpp_type(isa, members[m])}({value});")
        terms = " | ".join(f"detail::bits<{f.width}, {f.low}>(uint32_t(s.{m}))" for f, m in fields)
        out += ["  return s;", "}", f"constexpr uint32_t word_of(const {struct}& s) {{ return {terms}; }}"]


def emit_operands(isa, out):
    """Operands of operations whose code consists of members: what each class takes."""
    for ops in (o for o in isa.operations if o.struct and any(op.classes for op in o.ops)):
        unit = next(iter(ops.units))
        out += [f"/// Whether the operands of the unit's {ops.name} are legal: integers and raw bits have no presubtract, no half and no modifier in the place of the",
                "/// code; raw bits have no modifier at all.",
                f"constexpr bool takes_operands(const {ops.struct}& u) {{",
                f"  const {ops.name}Info& i = info(u.{unit}());",
                "  for (size_t n = 0; n < i.sources; ++n) {",
                "    if (i.classes[n] == OperandClass::real) continue;",
                "    if (u.operand[n].select == 3 || (i.classes[n] == OperandClass::raw && n < 2 && u.operand[n].modifier)) return false;",
                "    for (const uint8_t s : u.operand[n].swizzle)",
                "      if (s == 5 || s == 7) return false;",
                "  }", "  return true;", "}"]


def emit_tables(isa, out):
    """Facts of a code that belongs to one of several tables."""
    for m in isa.structs["Instruction"].members.values():
        if not m.tables:
            continue
        by, tables = m.tables
        enum = next(e for e in isa.enums if e.name == isa.structs["Instruction"].members[by].type)
        out += [f"/// Of {m.name}, whose table {by} chooses.", "struct OpInfo {", "  const char *name, *mnemonic;", "  uint8_t sources;", "  bool reserved, r300;", "};",
                f"constexpr OpInfo {m.name}_info(const Instruction& x) {{",
                "  const auto of = [](auto op) -> OpInfo { return {info(op).name.c_str(), info(op).mnemonic.c_str(), info(op).sources, reserved(op), info(op).r300}; };",
                f"  switch (x.{by}) {{"]
        out += [f"    case {enum.name}::{i}: return of({t}(x.{m.name}));" for (_, i), t in zip(enum.values, tables)]
        out += ["  }", '  return {"reserved", "?", 3, true, false};', "}"]


def emit_reserved(isa, out):
    """What no single field shows: codes in several fields or of several tables, operations that the r300 lacks."""
    out.append("inline std::optional<Illegal> find_reserved(const Instruction& x, Level level) {")
    lacks = "(level == Level::r300 && !{0}.r300) || (level < Level::r5x && {0}.extended)"
    for n, f in enumerate(isa.formats):
        test = f"if ({condition(isa, f)})"
        out.append(f"  {test} {{" if n == 0 else f"  }} else {test} {{" if n + 1 < len(isa.formats) else "  } else {")
        for path, parts in grouped(isa, f).items():
            _, member = isa.resolve(path)
            p = min(parts, key=lambda p: p.at)
            result = f'return Illegal{{"{p.word}.{p.field.name}", {p.index}, {value_of(isa, p)}}};'
            enum = next((e for e in isa.enums if e.name == member.type), None)
            if isa.operations_named(member.type):
                out.append(f"    if (reserved(x.{path}) || {lacks.format(f'info(x.{path})')}) {result}")
            elif member.tables:
                out.append(f"    if ({path}_info(x).reserved || (level == Level::r300 && !{path}_info(x).r300)) {result}")
            for i in enum.reserved if enum else ():
                out.append(f"    if (x.{path} == {enum.name}::{i}) {result}")
        for when, where, test in isa.refusals:
            if when not in f.when:
                continue
            p = next((p for p in isa.placed(f) if f"{p.word}.{p.field.name}" == where), None)
            if p is None:
                isa.fail(f"refuse: no field {where} in format {when}")
            out.append(f'    if ({test}) return Illegal{{"{where}", {p.index}, {value_of(isa, p)} >> {p.at} & 0x{(1 << p.field.width) - 1:X}u}};')
    out += ["  }", "  static_cast<void>(level);", "  return {};", "}"]


def emit_checks(isa, out):
    """The fields, one by one, that a chip may lack or that have reserved codes: most have neither, and the compiler checks all that it writes."""
    out.append("inline std::optional<Illegal> find_illegal_field(const Words& w, const Instruction& x, Level level) {")
    out.append("  static_cast<void>(w), static_cast<void>(level);")
    for n, f in enumerate(isa.formats):
        test = f"if ({condition(isa, f)})"
        out.append(f"  {test} {{" if n == 0 else f"  }} else {test} {{" if n + 1 < len(isa.formats) else "  } else {")
        for p in isa.placed(f):
            legal, of = legal_mask(p), level(p.chips)
            complaints = [f"(level < Level::{LEVELS[of]} && v != 0)"] if of else []
            if legal and legal != (1 << (1 << p.field.width)) - 1:
                complaints.append(f"!(0x{legal:X}u >> v & 1u)" if legal < 1 << 32 and p.field.width <= 5 else f"!(uint64_t{{0x{legal:X}u}} >> v & 1u)")
            if complaints:
                code = f"w[{p.index}] >> {p.field.low} & 0x{(1 << p.field.width) - 1:X}u"
                out.append(f'    if (const uint32_t v = {code}; {" || ".join(complaints)}) return Illegal{{"{p.word}.{p.field.name}", {p.index}, v}};')
    out += ["  }", "  static_cast<void>(x);", "  return {};", "}"]


def legal_mask(p):
    f = p.field
    if not p.path and not f.values:
        return 1  # not kept: zero
    if not f.values or f.width > 6:
        return 0
    mask = sum(1 << v.n for v in f.values if v.text != "reserved" and v.n < 1 << f.width)
    return 0 if mask == (1 << (1 << f.width)) - 1 else mask


def emit_fields(isa, out):
    out.append("/// A field of a word and which of its codes a strict chip takes.")
    out.append("struct Field {")
    longest = max(len(f"{p.word}.{p.field.name}") for fmt in isa.formats for p in isa.placed(fmt))
    out.append(f"  ShortText<{longest}> name;  ///< WORD.FIELD")
    out.append("  uint8_t word, low, width;")
    out.append("  Level level;       ///< the first that has the field")
    out.append("  uint64_t legal;    ///< a bit a code; 0: all of them")
    out.append("};")
    for i, fmt in enumerate(isa.formats):
        placed = list(isa.placed(fmt))
        out.append(f"inline constexpr std::array<Field, {len(placed)}> kFields{i}{{{{")
        for p in placed:
            out.append(f'  {{"{p.word}.{p.field.name}", {p.index}, {p.field.low}, {p.field.width}, Level::{LEVELS[level(p.chips)]}, 0x{legal_mask(p):X}u}},')
        out.append("}};")
        covered = [0] * isa.words
        for p in placed:
            covered[p.index] |= p.field.mask
        words = ", ".join(f'"{w or "word " + str(k)}"' for k, (w, _) in enumerate(fmt.words))
        out.append(f"inline constexpr std::array<const char*, {isa.words}> kWords{i}{{{words}}};")
        out.append(f"inline constexpr Words kDefined{i}{{{', '.join(f'0x{c:08X}u' for c in covered)}}};")
    out.append("/// The format of an instruction: its fields, the names of its words, the bits that mean something.")
    out.append("struct Format {")
    out.append("  std::span<const Field> fields;")
    out.append(f"  const std::array<const char*, {isa.words}>& words;")
    out.append("  const Words& defined;")
    out.append("};")
    out.append(f"inline constexpr std::array<Format, {len(isa.formats)}> kFormats{{{{")
    out += [f"  {{kFields{i}, kWords{i}, kDefined{i}}}," for i in range(len(isa.formats))]
    out.append("}};")


def emit_instruction(isa, out):
    out += ["namespace detail {",
            "template <unsigned kWidth, unsigned kLow>",
            "constexpr uint32_t bits(uint32_t v) { assert(kWidth == 32 || v >> (kWidth & 31) == 0); return v << kLow; }",
            "template <unsigned kWidth, unsigned kLow>",
            "constexpr uint32_t part(uint32_t v) { return (v & ((1u << kWidth) - 1)) << kLow; }",
            "}"]
    # Words that all formats begin with are packed and unpacked once.
    shared = {i for i in range(isa.words) if len({f.words[i] for f in isa.formats}) == 1}
    out.append("constexpr Words pack(const Instruction& x) {")
    out += ["  using detail::bits;", "  using detail::part;", "  Words w{};"]
    first = pack_lines(isa, isa.formats[0])
    for i in sorted(shared):
        if i in first:
            out.append(f"  w[{i}] = " + " |\n         ".join(first[i]) + ";")
    for n, f in enumerate(isa.formats):
        test = f"if ({condition(isa, f)})"
        out.append(f"  {test} {{" if n == 0 else f"  }} else {test} {{" if n + 1 < len(isa.formats) else "  } else {")
        for i, parts in sorted(pack_lines(isa, f).items()):
            if i not in shared:
                out.append(f"    w[{i}] = " + " |\n           ".join(parts) + ";")
    out += ["  }", "  return w;", "}"]
    out.append("constexpr void unpack(const Words& w, Instruction& x) {")
    out += ["  " + l for l in unpack_lines(isa, isa.formats[0], only=shared)]
    for n, f in enumerate(isa.formats):
        test = f"if ({condition(isa, f)})"
        out.append(f"  {test} {{" if n == 0 else f"  }} else {test} {{" if n + 1 < len(isa.formats) else "  } else {")
        out += ["    " + l for l in unpack_lines(isa, f, skip=shared)]
    out += ["  }", "}"]
    if isa.selector is not None:
        selected = grouped(isa, isa.formats[0])[isa.selector]
        member = isa.structs["Instruction"].members[isa.selector]
        terms = " | ".join(f"(w[{p.index}] >> {p.field.low} & 0x{(1 << p.field.width) - 1:X}u) << {p.at}" for p in selected)
        out += ["/// What decides over the format, without the rest.",
                f"constexpr {cpp_type(isa, member)} {isa.selector}_of(const Words& w) {{ return {cpp_type(isa, member)}({terms}); }}"]
    out += ["/// Any words; codes without a meaning are kept (find_illegal() names them).",
            "constexpr Instruction unpack(const Words& w) {", "  Instruction x;", "  unpack(w, x);", "  return x;", "}"]
    emit_strict(isa, out)
    emit_views(isa, out)
    emit_tables(isa, out)
    emit_fields(isa, out)
    out.append(f"constexpr const Format& format(const Instruction&{' x' if len(isa.formats) > 1 else ''}) {{")
    for i, f in enumerate(isa.formats[:-1]):
        out.append(f"  if ({condition(isa, f)}) return kFormats[{i}];")
    out.append(f"  return kFormats[{len(isa.formats) - 1}];")
    out.append("}")
    out.append("""/// What a strict chip rejects: a reserved code of a field, a field that the chip lacks, or a bit that no field has (`name` is the word's).
struct Illegal {
  const char* name;
  uint8_t word;
  uint32_t value;
};""")
    emit_reserved(isa, out)
    emit_checks(isa, out)
    out.append("""/// `x`: what unpack() makes of the words.
inline std::optional<Illegal> find_illegal(const Words& w, const Instruction& x, Level level = Level::r500) {
  if (const std::optional<Illegal> illegal = find_illegal_field(w, x, level)) return illegal;
  const Format& f = format(x);
  for (uint8_t i = 0; i < w.size(); ++i)
    if (w[i] & ~f.defined[i]) return Illegal{f.words[i], i, w[i] & ~f.defined[i]};
  return find_reserved(x, level);
}
inline std::optional<Illegal> find_illegal(const Words& w, Level level = Level::r500) { return find_illegal(w, unpack(w), level); }
/// The member that its field cannot hold (too large, or an operation that the unit does not have), or null when pack() takes the instruction.""")
    out.append("inline const char* find_misfit(const Instruction& x) {")
    for n, f in enumerate(isa.formats):
        test = f"if ({condition(isa, f)})"
        out.append(f"  {test} {{" if n == 0 else f"  }} else {test} {{" if n + 1 < len(isa.formats) else "  } else {")
        for path, parts in grouped(isa, f).items():
            _, member = isa.resolve(path)
            width = max(p.at + p.field.width for p in parts)
            if member.type == "bool" or width == 32:
                continue
            if member.type == "range":
                at = "x." + path.rsplit(".", 1)[0]
                limits = " || ".join(f"({at}.{member.name} == {struct_of(isa, path)}::{cpp_type(isa, member)}::{i} && {at}.{member.index} > {b - a})" for a, b, i in member.ranges if b - a < 255)
                if limits:
                    out.append(f'    if ({limits}) return "{path}";')
                continue
            out.append(f'    if ({value_of(isa, parts[0])} >> {width} != 0) return "{path}";')
    out += ["  }", "  return nullptr;", "}"]


def struct_of(isa, path):
    return isa.resolve(path)[0].name


def main():
    name, output, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    isa = Isa(name, files)
    out = [
        f"// Generated by hw/db/gen/gen_isa.py from hw/db/isa/{name}.xml. Do not edit.",
        "#pragma once",
        "#include <array>", "#include <bit>", "#include <cassert>", "#include <cstddef>", "#include <cstdint>", "#include <optional>", "#include <span>",
        "#include \"common/short_text.h\"",
        f"namespace pumice::isa::{name} {{",
        f"using Words = std::array<uint32_t, {isa.words}>;",
        "/// Whose instructions: each has what those before it have. r5x: with extension blocks (docs/r5x.md).",
        f"enum class Level : uint8_t {{ {', '.join(LEVELS)} }};",
    ]
    if any(op.classes for ops in isa.operations for op in ops.ops):
        out += ["/// How an operation reads an operand.", f"enum class OperandClass : uint8_t {{ {', '.join(CLASSES.values())} }};"]
    for ops in isa.operations:
        width = ops.width or max(isa.find_field(w).width for w in ops.units.values())
        emit_operations(ops, width, out)
    for e in isa.enums:
        out += comment(e.doc)
        out.append(f"enum class {e.name} : uint8_t {{ {', '.join(f'{i} = {n}' for n, i in e.values)} }};")
    for s in isa.structs.values():
        emit_struct(isa, s, out)
    for f in isa.floats:
        emit_float(*f, out)
    emit_operands(isa, out)
    emit_instruction(isa, out)
    out.append("}")
    with open(output, "w", encoding="utf-8") as h:
        h.write("\n".join(out) + "\n")


if __name__ == "__main__":
    database.run(main)
