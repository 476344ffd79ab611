#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page that pumice-inspect makes of a recording: well-formed, without references to anything else, with all draws; its layers put one upon
the other are the picture that pumice-replay has, and its counts per pixel add up to those of the draws.

usage: page_test.py MANIFEST PUMICE_REPLAY PUMICE_INSPECT OUT_DIR PROGRAM [ARGS...]
"""
import base64
import html.parser
import json
import os
import re
import struct
import subprocess
import sys
import zlib

MASK = (1 << 64) - 1
VOID = {"meta", "input", "option", "p"}


class Page(html.parser.HTMLParser):
    """Tags that are open, attributes with addresses, texts of script elements by id."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.blocks, self.references, self.now = [], {}, [], None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.references += [v for n, v in attributes if n in ("src", "href", "action")]
        if tag == "script":
            self.now = values.get("id", "code")
            self.blocks.setdefault(self.now, "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"
        self.now = None

    def handle_data(self, data):
        if self.now is not None:
            self.blocks[self.now] += data


def digest_of(data):
    """hw/radeon/trace/format.h, Digest."""
    lanes = [1, 2, 3, 4]

    def step(lane, word):
        lane = (lane ^ word) * 0x9E3779B97F4A7C15 & MASK
        return lane ^ lane >> 32

    whole = len(data) // 32 * 32
    for piece in [data[i:i + 32] for i in range(0, whole, 32)] + [data[whole:].ljust(32, b"\0")]:
        lanes = [step(l, w) for l, w in zip(lanes, struct.unpack("<4Q", piece))]
    lanes[0] = step(lanes[0], len(data))
    value = 0
    for lane in lanes:
        value = step(value, lane)
    return value


def pieces_of(data, side):
    """(surface, kind, tile x, tile y, planes) of an event's layers; planes of colour and work without differences."""
    at, pixels = 0, side * side
    while at < len(data):
        surface, kind, planes, tiles, zero, size = struct.unpack_from("<HBBHHI", data, at)
        places = [struct.unpack_from("<HH", data, at + 12 + 4 * i) for i in range(tiles)]
        at += 12 + 4 * tiles
        raw = bytearray(zlib.decompress(data[at:at + size]))
        at += size
        assert zero == 0 and len(raw) == tiles * planes * pixels
        for n, (x, y) in enumerate(places):
            tile = raw[n * planes * pixels:(n + 1) * planes * pixels]
            for i in range(len(tile)):
                if i % side and (kind != 1 or i < pixels):
                    tile[i] = (tile[i] + tile[i - 1]) & 255
            yield surface, kind, x, y, [tile[p * pixels:(p + 1) * pixels] for p in range(planes)]


def run(*command, code=0):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == code, f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}"
    return done.stdout


def check(replay, trace, path, quick):
    text = open(path, encoding="utf-8").read()
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, f"left open: {page.open}"
    assert not page.references and "http" not in page.blocks["code"], page.references
    index = json.loads(page.blocks["index"])
    side, events, surfaces = index["tile"], index["events"], index["surfaces"]
    draws = [e for e in events if "draw" in e]
    played = run(replay, trace, "--digests")
    assert [d["draw"] for d in draws] == list(range(1, int(re.search(r"(\d+) draws", played)[1]) + 1)), draws

    # Details: as pumice-replay --draw prints them.
    blocks = [json.loads(zlib.decompress(base64.b64decode(page.blocks[f"t{i}"]))) for i in range((len(draws) + index["block"] - 1) // index["block"])]
    details = [d for block in blocks for d in block]
    assert len(details) == len(draws)
    for draw, detail in zip(draws, details):
        said = run(replay, trace, "--draw", str(draw["draw"]))
        for line in detail["changes"] + detail["registers"] + detail["programs"]:
            assert line in said, f"draw {draw['draw']}: {line}"
        assert draw["changes"] == len([l for l in detail["changes"] if not l.startswith(" ")]) and detail["packets"], draw
        for texture in detail["textures"]:
            assert base64.b64decode(page.blocks[f"p{texture['picture']}"]).startswith(b"\x89PNG")

    # Layers: contents of each buffer at the end, and sums of the work.
    pixels = [bytearray(4 * s["width"] * s["height"]) for s in surfaces]
    for number_of_event, event in enumerate(events):
        fragments = failed = 0
        for number, kind, tx, ty, planes in pieces_of(base64.b64decode(page.blocks[f"l{number_of_event}"]), side):
            if kind == 2:
                fragments += sum(planes[0])
                failed += sum(planes[1])
                continue
            s = surfaces[number]
            for y in range(ty * side, min(s["height"], ty * side + side)):
                for x in range(tx * side, min(s["width"], tx * side + side)):
                    i, to = (y - ty * side) * side + x - tx * side, 4 * (y * s["width"] + x)
                    if kind == 0:
                        pixels[number][to:to + 4] = bytes(planes[c][i] for c in (1, 2, 3, 4))
        if "draw" in event and not quick:
            assert (fragments, failed) == (event["work"][3], event["work"][6]), event
    compared = 0
    last = {}
    for address, size, digest in re.findall(r"target at (0x\w+)  (\w+)  digest (\w+)", played):
        last[int(address, 16), size] = int(digest, 16)
    for s, data in zip(surfaces, pixels):
        wanted = last.get((s["base"], f"{s['width']}x{s['height']}"))
        if s["depth"] or wanted is None:
            continue
        assert digest_of(bytes(data)) == wanted, s["name"]
        compared += 1
    assert compared, (last, [s["name"] for s in surfaces])
    print(f"{os.path.basename(path)}: {len(draws)} draws, {len(surfaces)} buffers, {compared} compared, {len(text)} bytes")
    return details


def main():
    manifest, replay, inspect, out, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
    os.makedirs(out, exist_ok=True)
    trace, path = os.path.join(out, "a.pmt"), os.path.join(out, "page.html")
    env = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, PUMICE_TRACE=trace)
    subprocess.run(command + ["--size", "100x75", "--png", os.path.join(out, "picture.png")], env=env, check=True, stdout=subprocess.DEVNULL)
    run(inspect, trace, "-o", path, "--pixel", "50,37", "--pixel", "99,74")
    lives = [l for d in check(replay, trace, path, False) for l in d["lives"]]
    assert lives and all(l["lines"][0].startswith("primitive ") for l in lives), lives
    run(inspect, trace, "-o", path, "--quick")
    check(replay, trace, path, True)
    # What cannot be done.
    assert "no draw to show" in run(inspect, trace, "-o", path, "--draws", "900-901", code=2)
    assert "cannot be written" in run(inspect, trace, "-o", os.path.join(out, "none", "page.html"), code=2)
    assert "--pixel needs" in run(inspect, trace, "-o", path, "--quick", "--pixel", "1,1", code=2)
    for bad in (["--pixel", "1"], ["--draws", "3-2"], ["--frame"], ["--textures", "0"]):
        assert "what does" in run(inspect, trace, "-o", path, *bad, code=2)
    assert "No such file" in run(inspect, os.path.join(out, "none.pmt"), "-o", path, code=2)
    return 0


sys.exit(main())
