#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hw/db/chips.xml, hw/db/regs/*.xml, hw/db/isa/*.xml -> the register manual, one self-contained HTML page.

usage: gen_manual.py OUTPUT XML...
"""
import html
import sys

import database

STYLE = (
    "body{font:14px/1.45 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;width:100%}"
    "td,th{border:1px solid #bbb;padding:.2em .5em;text-align:left;vertical-align:top}th{background:#eee}"
    "h3{margin:1.6em 0 .2em}.chips{color:#666;font-weight:normal}nav a{margin-right:.8em}code{white-space:nowrap}"
)


def address(e):
    base = e.offset if e.offset >= 0 else e.window
    if base < 0:
        return "not memory mapped"
    text = f"0x{base:04X}"
    return text if e.count == 1 else f"{text} + {e.stride} n, n = 0..{e.count - 1}"


def meaning(f):
    parts = [html.escape(f.doc)] if f.doc else []
    parts += [f"{v.n} <code>{html.escape(v.id)}</code> {html.escape(v.text)}" for v in f.values]
    parts += [f"{a}..{b} {html.escape(t)}" for a, b, t in f.ranges]
    return "<br>".join(parts)


def emit_entry(e, chips, out):
    out.append(f'<h3 id="{e.name}">{e.name} <span class="chips">{address(e)}, {e.access}, {chips}, reset 0x{e.reset:08X}</span></h3>')
    if e.doc:
        out.append(f"<p>{html.escape(e.doc)}</p>")
    if e.kind == "register":
        keys = f"; key {', '.join(e.keys)}" if e.keys else ""
        out.append(f"<p>group {', '.join(e.groups) or 'none'}{keys}</p>")
    if e.fields:
        out.append("<table><tr><th>bits</th><th>field</th><th>reset</th><th>meaning</th></tr>")
        for f in sorted(e.fields, key=lambda f: -f.high):
            bits = f"{f.high}:{f.low}" if f.width > 1 else f"{f.low}"
            out.append(f"<tr><td>{bits}</td><td><code>{f.name}</code></td><td>{f.reset:#x}</td><td>{meaning(f)}</td></tr>")
        out.append("</table>")


def main():
    output, files = sys.argv[1], sys.argv[2:]
    chips, packets = database.load(files)
    # An entry that reads the same on several chips stands once.
    merged = {}
    for chip, entries in chips.items():
        for e in entries:
            same = merged.setdefault((e.block, e.name), [])
            if same and same[-1][0] == e:
                same[-1][1].append(chip)
            else:
                same.append((e, [chip]))
    blocks = {}
    for (block, _), variants in merged.items():
        blocks.setdefault(block, []).extend(variants)
    out = ["<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Pumice register manual</title>", f"<style>{STYLE}</style>"]
    out.append("<h1>Register, packet and instruction words</h1><p>Generated from the databases in hw/db/regs and hw/db/isa.</p><nav>")
    out += [f'<a href="#block-{b}">{b}</a>' for b in sorted(blocks)] + ['<a href="#chips">chips</a><a href="#packets">packets</a></nav>']
    for block in sorted(blocks):
        out.append(f'<h2 id="block-{block}">{block}</h2>')
        for e, on in sorted(blocks[block], key=lambda v: (v[0].offset, v[0].window, v[0].name)):
            emit_entry(e, ", ".join(on), out)
    table = database.load_chips(files)
    out.append('<h2 id="chips">Chips</h2><table><tr><th>capability</th>' + "".join(f"<th>{c}</th>" for c in table.chips) + "<th>meaning</th></tr>")
    for c in table.capabilities:
        values = [("no", "yes")[chip.values[c.name]] if c.flag else chip.values[c.name] for chip in table.chips.values()]
        out.append(f"<tr><td><code>{c.name}</code></td>" + "".join(f"<td>{v}</td>" for v in values) + f"<td>{html.escape(c.doc)}</td></tr>")
    out.append("</table>")
    out.append('<h2 id="packets">Type-3 packets</h2><table><tr><th>opcode</th><th>name</th><th>payload</th></tr>')
    out += [f"<tr><td>0x{p.opcode:02X}</td><td><code>{p.name}</code></td><td>{html.escape(p.doc)}</td></tr>" for p in packets]
    out.append("</table></html>")
    with open(output, "w", encoding="utf-8") as h:
        h.write("\n".join(out) + "\n")


database.run(main)
