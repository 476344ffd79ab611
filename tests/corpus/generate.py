#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the corpus: families of shaders (functions.py, flow.py) and those written by hand (shaders/).

usage: generate.py OUT_FOLDER
"""
import glob
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import flow  # noqa: E402
import functions  # noqa: E402

INPUTS = "".join(f"layout(location = {i}) in vec4 in_{v};\n" for i, v in enumerate("abc"))


def text(stage, demands, head, body, whole):
    """`whole`: the results are whole numbers, exact on every chip."""
    span, ulp, absolute = demands
    r300 = "// r300: 0 0\n" if whole else ""
    own = "" if "vec4 o = " in head else "vec4 o = vec4(0.0);\n"
    end = {"frag": "  color = o;\n", "vert": "  color = o;\n  gl_Position = in_a;\n"}[stage]
    return (f"// SPDX-License-Identifier: MIT\n// range: {span}\n// precision: {ulp} {absolute}\n{r300}#version 450\n{INPUTS}layout(location = 0) out vec4 color;\n"
            f"{own}{head}void main() {{\n{body}{end}}}\n")


def write(folder):
    """The files' names, sorted."""
    os.makedirs(folder, exist_ok=True)
    for name, stages, demands, head, body in list(functions.shaders()) + list(flow.shaders()):
        for stage in stages:
            with open(os.path.join(folder, f"{name}.{stage}"), "w", encoding="utf-8") as file:
                file.write(text(stage, demands, head, body, name.startswith(("fn_int", "fn_uint"))))
    for path in glob.glob(os.path.join(HERE, "shaders", "*.*")):
        shutil.copy(path, folder)
    return sorted(os.listdir(folder))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(len(write(sys.argv[1])), "shaders")
