#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records a Vulkan program on the RDP (PUMICE_CHIP=rdp) and plays the recording with pumice-rdp: its last picture, pixel by pixel.

usage: rdp_recording.py MANIFEST PUMICE_RDP PUMICE_REPLAY COMPARE_IMAGES OUT_DIR EXAMPLE_RDP_VULKAN
"""
import os
import subprocess
import sys


def main():
    manifest, rdp, replay, compare, out, example = sys.argv[1:7]
    os.makedirs(out, exist_ok=True)
    trace, picture, played = (os.path.join(out, n) for n in ("a.rdpdump", "application.png", "played.png"))
    env = dict(os.environ, PUMICE_CHIP="rdp", PUMICE_TRACE=trace, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest)
    subprocess.run([example, "--headless", "--size", "320x240", "--frames", "3", "--png", picture], env=env, check=True)
    listing = subprocess.run([rdp, "play", trace, "--list", "--png", played], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "3 frames" in listing and "set_color_image" in listing and listing.count("sync_full") >= 3, listing[-2000:]
    subprocess.run([compare, picture, played, "0", "100"], check=True)
    done = subprocess.run([replay, trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 2 and "pumice-rdp play" in done.stdout, done
    return 0


sys.exit(main())
