#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `pumice-rdp verify` on the vectors; exit status 77 (skipped) when they are not there.

usage: vectors.py PUMICE_RDP FOLDER SOURCE_ROOT
The folder: $PUMICE_RDP_VECTORS, else FOLDER (meson option rdp-vectors), else ../shared/rdp-vectors beside the source root.
"""
import os
import subprocess
import sys

tool, option, root = sys.argv[1:4]
given = os.environ.get("PUMICE_RDP_VECTORS") or option
folder = given or os.path.join(os.path.dirname(os.path.abspath(root)), "shared", "rdp-vectors")
if not os.path.isdir(folder):
    print(f"no RDP vectors in {folder}: set PUMICE_RDP_VECTORS or the meson option rdp-vectors")
    sys.exit(1 if given else 77)
sys.exit(subprocess.call([tool, "verify", folder]))
