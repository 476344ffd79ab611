#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the Vulkan shaders of DDNet: Debian's package has their sources and not the SPIR-V that the program opens.

usage: ddnet_shaders.py     writes $HOME/.local/share/ddnet/shader/vulkan/*.spv
"""
import os
import subprocess

FROM = "/usr/share/games/ddnet/data/shader/vulkan"
# Source and defines of each name that the program opens.
T, P = "-DTW_TEXTURED", "-DTW_PUSH_CONST"
PROGRAMS = {
    "prim": ("prim",), "prim_textured": ("prim", T), "prim3d": ("prim3d",), "prim3d_textured": ("prim3d", T), "text": ("text",),
    "primex": ("primex",), "primex_rotationless": ("primex", "-DTW_ROTATIONLESS"), "primex_tex": ("primex", T),
    "primex_tex_rotationless": ("primex", T, "-DTW_ROTATIONLESS"), "spritemulti": ("spritemulti",), "spritemulti_push": ("spritemulti", P),
    "quad": ("quad",), "quad_push": ("quad", P), "quad_textured": ("quad", "-DTW_QUAD_TEXTURED"),
    "quad_push_textured": ("quad", P, "-DTW_QUAD_TEXTURED"),
    **{f"tile{border.lower()}{textured}": ("tile", *([f"-DTW_TILE{border}"] if border else []), *(["-DTW_TILE_TEXTURED"] if textured else []))
       for border in ("", "_BORDER", "_BORDER_LINE") for textured in ("", "_textured")},
}

to = os.path.join(os.environ["HOME"], ".local/share/ddnet/shader/vulkan")
os.makedirs(to, exist_ok=True)
for name, (source, *defines) in PROGRAMS.items():
    for stage in ("vert", "frag"):
        subprocess.run(["glslangValidator", "-V", *defines, "-o", f"{to}/{name}.{stage}.spv", f"{FROM}/{source}.{stage}"], check=True, stdout=subprocess.DEVNULL)
