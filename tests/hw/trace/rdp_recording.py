#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records a Vulkan program on the RDP (PUMICE_CHIP=rdp) and plays the recording with pumice-rdp: its last picture, pixel by pixel.

Its page has a draw for each primitive.

usage: rdp_recording.py MANIFEST PUMICE_RDP PUMICE_REPLAY PUMICE_INSPECT COMPARE_IMAGES OUT_DIR EXAMPLE_RDP_VULKAN
"""
import base64
import json
import os
import re
import subprocess
import sys
import zlib


def main():
    manifest, rdp, replay, inspect, compare, out, example = sys.argv[1:8]
    os.makedirs(out, exist_ok=True)
    trace, picture, played = (os.path.join(out, n) for n in ("a.rdpdump", "application.png", "played.png"))
    env = dict(os.environ, PUMICE_CHIP="rdp", PUMICE_TRACE=trace, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest)
    subprocess.run([example, "--headless", "--size", "320x240", "--frames", "3", "--png", picture], env=env, check=True)
    listing = subprocess.run([rdp, "play", trace, "--list", "--png", played], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "3 frames" in listing and "set_color_image" in listing and listing.count("sync_full") >= 3, listing[-2000:]
    subprocess.run([compare, picture, played, "0", "100"], check=True)
    done = subprocess.run([replay, trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 2 and "pumice-rdp play" in done.stdout, done
    page = os.path.join(out, "page.html")
    subprocess.run([inspect, trace, "-o", page, "--frame", "1"], check=True)
    text = open(page, encoding="utf-8").read()
    index = json.loads(re.search(r'id="index">(.*?)</script>', text)[1])
    draws = [e for e in index["events"] if "draw" in e]
    numbers = [d["draw"] for d in draws]
    assert index["chip"] == "rdp" and numbers == list(range(numbers[0], numbers[-1] + 1)) and 100 < len(numbers) < numbers[-1], numbers
    assert any(s["depth"] for s in index["surfaces"]) and all(e["frame"] == 1 for e in index["events"]), index["surfaces"]
    # Of the pixels that primitives cover: each failed the depth test, was dropped, or was stored.
    totals = [sum(d["work"][i] for d in draws) for i in (0, 3, 4, 6, 7, 8)]
    assert not index["quick"] and totals[0] == len(draws) and totals[1] == sum(totals[3:]) and min(totals[1:4]) > 0 and totals[5] > 320 * 240, totals
    quick = os.path.join(out, "quick.html")
    subprocess.run([inspect, trace, "-o", quick, "--frame", "1", "--quick"], check=True)
    index = json.loads(re.search(r'id="index">(.*?)</script>', open(quick, encoding="utf-8").read())[1])
    assert index["quick"] and not any(sum(e["work"]) for e in index["events"] if "draw" in e), index["quick"]
    primitives = len(re.findall(r"^ *\d+ [0-9A-F]{16}  (?:triangle|fill_rectangle|texture_rectangle)", listing, re.M))
    done = subprocess.run([inspect, trace, "-o", page, "--draws", "900000-900000"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 2 and f"the recording has {primitives} draws" in done.stdout, (done, primitives)
    for i in range((len(draws) + index["block"] - 1) // index["block"]):
        block = json.loads(zlib.decompress(base64.b64decode(re.search(f'id="t{i}">([^<]*)<', text)[1])))
        assert all(d["packets"] and d["registers"] for d in block)
    return 0


sys.exit(main())
