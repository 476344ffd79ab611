#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hw/db/chips.xml, hw/db/regs/*.xml, hw/db/isa/*.xml -> the register manual, one self-contained HTML page with an index and a search by name, field and address.
A link to a register is registers.html#NAME; registers.html?q=TEXT opens the page with a search.

usage: gen_manual.py OUTPUT XML...
"""
import html
import sys

import database

STYLE = (
    "body{font:14px/1.45 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;width:100%}"
    "td,th{border:1px solid #bbb;padding:.2em .5em;text-align:left;vertical-align:top}th{background:#eee}"
    "h3{margin:1.6em 0 .2em}.chips{color:#666;font-weight:normal}nav a{margin-right:.8em}code{white-space:nowrap}"
    "#bar{position:sticky;top:0;background:#fff;padding:.6em 0;border-bottom:1px solid #bbb}#bar input{font:inherit;width:24em;padding:.2em .4em}"
    "#index{columns:3;list-style:none;padding:0}#index li{break-inside:avoid}.hidden{display:none}h3{scroll-margin-top:4em}"
)

# A search that reads as a hexadecimal number finds the register at that address, elements of arrays included; anything finds names and fields.
SCRIPT = """
const box = document.getElementById('q'), count = document.getElementById('count');
const entries = [...document.querySelectorAll('section')], heads = [...document.querySelectorAll('h2')], list = [...document.querySelectorAll('#index li')];
function at(e, number) {
  const base = +e.dataset.base, stride = +e.dataset.stride, n = +e.dataset.count;
  if (!(base >= 0)) return false;
  const step = (number - base) / (stride || 4);
  return Number.isInteger(step) && step >= 0 && step < n;
}
function search() {
  const words = box.value.trim().toLowerCase().split(/\\s+/).filter(w => w);
  const fits = e => words.every(w => e.dataset.words.includes(w) || (/^(0x)?[0-9a-f]{3,5}$/.test(w) && at(e, parseInt(w, 16))));
  let shown = 0;
  for (const e of entries) { const ok = fits(e); e.classList.toggle('hidden', !ok); shown += ok; }
  for (const i of list) i.classList.toggle('hidden', !fits(i));
  for (const h of heads) {
    let any = false;
    for (let e = h.nextElementSibling; e && e.tagName !== 'H2'; e = e.nextElementSibling) any ||= e.tagName !== 'SECTION' || !e.classList.contains('hidden');
    h.classList.toggle('hidden', !any);
  }
  count.textContent = words.length ? shown + ' of ' + entries.length : '';
}
box.addEventListener('input', search);
box.value = new URLSearchParams(location.search).get('q') || '';
search();
"""


def address(e):
    base = e.offset if e.offset >= 0 else e.window
    if base < 0:
        return "not memory mapped"
    text = f"0x{base:04X}"
    return text if e.count == 1 else f"{text} + {e.stride} n, n = 0..{e.count - 1}"


def meaning(f):
    parts = [html.escape(f.doc)] if f.doc else []
    if f.unit:
        parts.append(f"in units of {f.unit}")
    parts += [f"{v.n} <code>{html.escape(v.id)}</code> {html.escape(v.text)}" for v in f.values]
    parts += [f"{a}..{b} {html.escape(t)}" for a, b, t in f.ranges]
    return "<br>".join(parts)


def keys(e):
    """What a search finds an entry by."""
    base = e.offset if e.offset >= 0 else e.window
    words = " ".join([e.name, e.block] + [f.name for f in e.fields]).lower()
    return f'data-words="{html.escape(words)}" data-base="{base}" data-stride="{e.stride}" data-count="{e.count}"'


def emit_entry(e, chips, named, out):
    identity = "" if e.name in named else f' id="{e.name}"'
    named.add(e.name)
    out.append(f"<section {keys(e)}>")
    out.append(f'<h3{identity}>{e.name} <span class="chips">{address(e)}, {e.access}, {chips}, reset 0x{e.reset:08X}</span></h3>')
    if e.doc:
        out.append(f"<p>{html.escape(e.doc)}</p>")
    if e.kind == "register":
        of_keys = f"; key {', '.join(e.keys)}" if e.keys else ""
        out.append(f"<p>group {', '.join(e.groups) or 'none'}{of_keys}</p>")
    if e.fields:
        out.append("<table><tr><th>bits</th><th>field</th><th>reset</th><th>meaning</th></tr>")
        for f in sorted(e.fields, key=lambda f: -f.high):
            bits = f"{f.high}:{f.low}" if f.width > 1 else f"{f.low}"
            out.append(f"<tr><td>{bits}</td><td><code>{f.name}</code></td><td>{f.reset:#x}</td><td>{meaning(f)}</td></tr>")
        out.append("</table>")
    out.append("</section>")


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
    out.append("<h1>Register, packet and instruction words</h1><p>Generated from the databases in hw/db/regs and hw/db/isa.</p>")
    out.append('<div id=bar><input id=q type=search placeholder="name, field or address: RB3D_BLEND, zfunc, 4E04" autofocus> <span id=count></span><nav>')
    out += [f'<a href="#block-{b}">{b}</a>' for b in sorted(blocks)] + ['<a href="#chips">chips</a><a href="#packets">packets</a></nav></div>']
    ordered = {block: sorted(blocks[block], key=lambda v: (v[0].offset, v[0].window, v[0].name)) for block in sorted(blocks)}
    out.append("<details open><summary>Index</summary><ul id=index>")
    listed = {e.name: e for entries in ordered.values() for e, _ in reversed(entries)}
    out += [f'<li {keys(e)}><a href="#{n}">{n}</a> <span class="chips">{address(e)}</span></li>' for n, e in sorted(listed.items())]
    out.append("</ul></details>")
    named = set()
    for block, entries in ordered.items():
        out.append(f'<h2 id="block-{block}">{block}</h2>')
        for e, on in entries:
            emit_entry(e, ", ".join(on), named, out)
    table = database.load_chips(files)
    out.append('<h2 id="chips">Chips</h2><table><tr><th>capability</th>' + "".join(f"<th>{c}</th>" for c in table.chips) + "<th>meaning</th></tr>")
    for c in table.capabilities:
        values = [("no", "yes")[chip.values[c.name]] if c.flag else chip.values[c.name] for chip in table.chips.values()]
        out.append(f"<tr><td><code>{c.name}</code></td>" + "".join(f"<td>{v}</td>" for v in values) + f"<td>{html.escape(c.doc)}</td></tr>")
    out.append("</table>")
    out.append('<h2 id="packets">Type-3 packets</h2><table><tr><th>opcode</th><th>name</th><th>payload</th></tr>')
    out += [f"<tr><td>0x{p.opcode:02X}</td><td><code>{p.name}</code></td><td>{html.escape(p.doc)}</td></tr>" for p in packets]
    out.append(f"</table><script>{SCRIPT}</script></html>")
    with open(output, "w", encoding="utf-8") as h:
        h.write("\n".join(out) + "\n")


database.run(main)
