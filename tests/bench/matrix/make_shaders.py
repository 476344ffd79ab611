#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the table of shaders below into one C++ file: a name, and the words of its SPIR-V.

usage: make_shaders.py GLSLANG SHADER_FOLDER OUTPUT.cpp
"""
import os
import struct
import subprocess
import sys
import tempfile

# Fetches: what of the coordinate each kind of image takes, and the letters of its sampler type.
DIMENSIONS = {"1D": "coord.x", "2D": "coord.xy", "3D": "coord", "Cube": "coord",
              "1DArray": "vec2(coord.x, 1.0)", "2DArray": "vec3(coord.xy, floor(coord.z))", "CubeArray": "vec4(coord, 1.0)"}
SAMPLERS = {"": "1.0", "u": "(1.0 / 200.0)", "i": "(1.0 / 200.0)"}
PROGRAMS = {"CHAIN": (8, 32, 128, 400), "WIDE": (32, 128), "TRANSCENDENTAL": (1, 4, 8), "LIGHTS": (1, 4), "BRANCH_UNIFORM": (16,), "BRANCH_COHERENT": (16,),
            "BRANCH_DIVERGENT": (16,), "LOOP_FIXED": (200,), "LOOP_UNIFORM": (1,), "LOOP_PIXEL": (64,), "DISCARD": (16,), "DERIVATIVES": (4,), "NOISE": (2, 5),
            "SELECTS": (16,), "MATRICES": (4, 16)}
FETCHES = {"FETCHES": (4, 16, 25, 64), "DEPENDENT": (2, 4, 8), "CHOSEN": (1, 4)}
KINDS = {"compute.comp": ("CHAIN", "INTEGER", "TRANSCENDENTAL", "COPY", "TRIAD", "NBODY", "GATHER", "FRACTAL", "LDS", "DOUBLE", "PAIRS"),
         "addresses.comp": ("TRIAD", "GATHER", "ATOMIC"),
         "words.comp": ("REDUCE", "SCAN", "HISTOGRAM", "ATOMIC_ONE", "ATOMIC_MANY", "SORT", "EXCHANGE")}


def table():
    """(name, file, {macro: value}) of every shader."""
    for name in ("screen.vert", "block.vert", "empty.frag", "many.vert", "only_position.vert"):
        yield name, name, {}
    for letter, scale in SAMPLERS.items():
        for dimension, coordinate in DIMENSIONS.items():
            yield f"{letter}texture{dimension}", "texture.frag", {"SAMPLER": f"{letter}sampler{dimension}", "COORD": coordinate, "SCALE": scale}
    for taps in (9, 15, 25):
        yield f"texture2D x{taps}", "texture.frag", {"SAMPLER": "sampler2D", "COORD": "coord.xy", "SCALE": "1.0", "TAPS": taps}
    yield "texture2D cut", "texture.frag", {"SAMPLER": "sampler2D", "COORD": "coord.xy", "SCALE": "1.0", "CUT": 1}
    yield "compare2D", "texture.frag", {"SAMPLER": "sampler2DShadow", "COORD": "vec3(coord.xy, 0.5)", "SCALE": "1.0"}
    for letter in SAMPLERS:
        yield f"{letter}color", "color.frag", {"OUT": f"{letter}vec4", "SCALE": "200.0" if letter else "1.0"}
    for programs, image in ((PROGRAMS, {}), (FETCHES, {"IMAGE": 1})):
        for kind, lengths in programs.items():
            for n in lengths:
                yield f"{kind} {n}", "program.frag", {"KIND": kind, "N": n, **image}
    for kind, name in enumerate(("hash", "divide", "bits"), 1):
        yield f"integer {name}", "integer.frag", {"KIND": kind, "N": 16}
    for kind in (1, 2, 3, 4):
        yield f"storage {kind}", "storage.frag", {"KIND": kind}
    for kind in range(5):
        yield f"mesh {kind}", "mesh.vert", {"KIND": kind}
    for kind in range(1, 6):
        yield f"pass {kind}", "pass.frag", {"KIND": kind}
    for file, kinds in KINDS.items():
        for number, kind in enumerate(kinds, 1):
            yield f"{file.split('.')[0]} {kind}", file, {"KIND": number}
    for tiled in (0, 1):
        yield f"product {tiled}", "product.comp", {"TILED": tiled, "SIDE": 16}
    yield "product of 8", "product.comp", {"TILED": 0, "SIDE": 8}
    for kind in (1, 2, 3, 4):
        yield f"filter {kind}", "filter.comp", {"KIND": kind}


def compiled(glslang, path, macros):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.spv")
        done = subprocess.run([glslang, "-V", "--quiet", *(f"-D{k}={v}" for k, v in macros.items()), "-o", out, path], stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"{path} {macros}:\n{done.stdout}")
        data = open(out, "rb").read()
    return struct.unpack(f"<{len(data) // 4}I", data)


def main():
    glslang, folder, output = sys.argv[1:]
    words, rows = [], []
    for name, file, macros in table():
        code = compiled(glslang, os.path.join(folder, file), macros)
        rows.append(f'    {{"{name}", {len(words)}, {len(code)}}},')
        words += code
    with open(output, "w", encoding="utf-8") as out:
        out.write('// Made by make_shaders.py.\n#include "tests/bench/matrix/gpu.h"\n\nnamespace pumice::bench::matrix {\n\nnamespace {\n\n')
        out.write("constexpr uint32_t kWords[] = {\n" + "".join("    " + "".join(f"{w:#x}," for w in words[i:i + 16]) + "\n" for i in range(0, len(words), 16)) + "};\n")
        out.write("struct Row {\n  std::string_view name;\n  size_t first, count;\n};\nconstexpr Row kRows[] = {\n" + "\n".join(rows) + "\n};\n\n}  // namespace\n\n")
        out.write("std::span<const uint32_t> shader_words(std::string_view name) {\n  for (const Row& r : kRows)\n    if (r.name == name) return std::span(kWords).subspan(r.first, r.count);\n"
                  '  throw std::logic_error("no shader is called " + std::string(name));\n}\n\n}  // namespace pumice::bench::matrix\n')


main()
