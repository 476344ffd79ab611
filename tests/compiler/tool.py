#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pumice-compile on good and bad shaders in all forms: exit codes, lines, names, JSON.

usage: tool.py PUMICE_COMPILE GLSLANG_VALIDATOR SPIRV_DIS|-
"""
import json
import os
import re
import subprocess
import sys
import tempfile

VERT = """#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 uv;
void main() { gl_Position = position; uv = position.xy; }
"""
FRAG = """#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 1, binding = 2) uniform sampler2D image;
layout(push_constant) uniform P { vec4 tint; } push;
void main() { color = texture(image, uv) * push.tint; }
"""
# One refusal a line, from 8 to 12.
BAD = """#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) buffer Data { vec4 values[]; } data;
layout(set = 0, binding = 1) uniform U { ivec4 numbers; } u;
layout(set = 0, binding = 2, rgba8) uniform image2D target;
void main() {
  int mixed = u.numbers.x ^ u.numbers.y;
  vec4 v = data.values[3];
  color = v + float(mixed) + float(gl_SampleID);
  imageStore(target, ivec2(uv), color);
  color.x += float(bitCount(u.numbers.z));
}
"""
REFUSALS = ["8: .*OpBitwiseXor", "9: .*'data'.*storage buffers", "10: .*gl_SampleID", "11: .*'target'.*storage images", "12: .*OpBitCount"]

# What passes, the back ends and the linker refuse on r500: the declaration's or the instruction's line and the name.
MANY = lambda n, what, use: "#version 450\nlayout(location = 0) out vec4 color;\n" + "".join(what.format(i) + "\n" for i in range(n)) + \
    "void main() {\n color = vec4(0);\n" + "".join(f"color += {use.format(i)};\n" for i in range(n)) + "}\n"
LATE = {
    # v10 is read in line 2 + 14 + 2 + 11.
    "varyings.frag": (MANY(14, "layout(location = {0}) in vec4 v{0};", "v{}"), "varyings.frag:29: .*needs 14 interpolated vectors.*\\('v10'\\)"),
    "textures.frag": (MANY(18, "layout(binding = {0}) uniform sampler2D t{0};", "texture(t{}, vec2(0.5))"), "textures.frag:39: .*needs 18 texture units.*\\('t16'\\)"),
    "blocks.frag": ("""#version 450
layout(location = 0) out vec4 color;
layout(location = 0) in float o;
layout(binding = 0) uniform U { vec4 a[300]; } u;
void main() {
  color = vec4(1);
  color += u.a[int(o)];
}
""", "blocks.frag:7: .*constants indexed at run time over 300 vectors"),
    # A loop of the shader takes two of the chip: the third is one too many.
    "deep.frag": ("""#version 450
layout(location = 0) out vec4 color;
layout(location = 0) in flat ivec4 n;
void main() {
  float s = 0;
  for (int a = 0; a < n.x; ++a) { s += 1;
    for (int b = 0; b < n.y; ++b) { s *= 1.5;
      for (int c = 0; c < n.z; ++c) { s += 0.25;
        for (int d = 0; d < n.w; ++d) { s -= 0.125;
          for (int e = 0; e < n.w + 1; ++e) { s *= 0.5;
            if (s > 100) break;
  } } } } }
  color = vec4(s);
}
""", "deep.frag:8: .*loops nested 5 deep"),
    "loop.vert": ("""#version 450
layout(location = 0) in vec4 p;
layout(binding = 0) uniform U { int n; vec4 a; } u;
void main() {
  vec4 s = p;
  for (int i = 0; i < u.n; ++i)
    s = s * s + u.a;
  gl_Position = s;
}
""", "loop.vert:6: .*a loop whose number of rounds has no bound"),
    "integer.frag": ("""#version 450
layout(location = 0) out vec4 other;
layout(location = 1) out ivec4 number;
void main() {
  other = vec4(1);
  number = ivec4(2);
}
""", "integer.frag:6: .*'number' .*an integer colour output"),
    "attributes.vert": ("#version 450\n" + "".join(f"layout(location = {i}) in vec4 v{i};\n" for i in range(18)) + "void main() {\n gl_Position = vec4(0);\n" +
                        "".join(f"gl_Position += v{i};\n" for i in range(18)) + "}\n", "attributes.vert:38: .*more than 16 vertex inputs.*\\('v16'\\)"),
}

NAMED_VERT = """#version 450
layout(location = 0) in vec4 where;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 normal;
layout(set = 0, binding = 3) uniform Camera { mat4 matrix; } camera;
void main() { gl_Position = camera.matrix * where; uv = where.xy; normal = where.zyx; }
"""
NAMED_FRAG = """#version 450
layout(location = 1) in vec3 normal;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 tone;
struct Sun { vec3 direction; float strength; };
layout(set = 0, binding = 0) uniform Scene { vec4 unused; Sun sun; vec4 rows[2]; } scene;
layout(set = 1, binding = 2) uniform sampler2D albedo;
layout(push_constant) uniform P { vec2 pad; vec2 fog; } push;
void main() { tone = texture(albedo, uv) * dot(normal, scene.sun.direction) * scene.sun.strength + push.fog.xyxy + scene.rows[1]; }
"""
NAMED_COMP = """#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 1) buffer Sums { uint count; float sum[]; } sums;
void main() { sums.sum[gl_LocalInvocationIndex] = float(sums.count); }
"""

failures = 0


def names_and_glsl(tool, write):
    """Names by reflection, and GLSL beside the microcode, on every chip."""
    files = [write("named.vert", NAMED_VERT), write("named.frag", NAMED_FRAG)]
    if "built without SPIRV-Cross" in subprocess.run([tool, "--glsl", files[0]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr:
        print("built without SPIRV-Cross: names are not tested")
        return
    varyings = [r"  r\d = texcoord set 0, 2 components  ; uv\n", r"  r\d = texcoord set 1, 3 components  ; normal\n", r"i0 = attribute 0, 4 components  ; where\n"]
    bindings = [r"tex0 = set 1 binding 2 element 0  ; albedo\n", r"; camera: c0..c3 = matrix\n", r"; push: c\d\.zw = fog\n|; push: c\d\.xy = pad, c\d\.zw = fog\n", r"out0  ; tone\n",
                r"; scene: .*c1\.xyz = sun.direction, c1\.w = sun.strength, c2..c3 = rows\[\]\n|; scene: c0\.xyz = sun.direction, c0\.w = sun.strength"]
    memory = [r"attribute 0  ; where\n", r"input 1  ; normal\n", r"output 0  ; tone\n", r"; scene: unused at 0, sun.direction at 16, sun.strength at 28, rows\[\] at 32\n",
              r"combined image sampler set 1 binding 2, read  ; albedo\n", r"; push: pad at 0, fog at 8\n"]
    for chip, wanted in (("r300", varyings + bindings), ("r500", varyings + bindings), ("r5x", memory)):
        plain = expect([tool, "--chip", chip] + files, 0, *wanted)
        beside = expect([tool, "--chip", chip, "--glsl"] + files, 0, r"(?m)^#version 450 +\| .*\d: \w", r"gl_Position = camera.matrix \* where", *wanted)
        # The same microcode, only beside something.
        slots = r"\d+: (?:VE|TEX|ALU|OUT|X |FC) .*"
        assert re.findall(slots, plain) == re.findall(slots, beside), (plain, beside)
        program = json.loads(expect([tool, "--chip", chip, "--glsl", "--json"] + files, 0))
        assert {"set": 1, "binding": 2, "name": "albedo", "members": []} in program["fragment"]["bindings"], program["fragment"]
        assert "#version 450" in program["vertex"]["glsl"] and program["fragment"]["push_constants"]["members"][1] == {"name": "fog", "offset": 8, "bytes": 8}, program
        if chip != "r5x":
            assert sorted(v["name"] for v in program["fragment"]["varyings"]) == ["normal", "uv"], program["fragment"]["varyings"]
    expect([tool, "--chip", "r5x", "--glsl", write("named.comp", NAMED_COMP)], 0, r"; sums: count at 0, sum\[\] at 4", "layout\\(local_size_x = 4")


def source_lines(tool, write):
    """--log: SPIR-V, IR and microcode of fragment and extended programs, each with the lines of the source."""
    frag = write("lines.frag", """#version 450
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
layout(binding = 0) uniform sampler2D image;
void main() {
  vec4 a = texture(image, v.xy);
  float b = inversesqrt(v.z);
  c = a * b + v.w;
}
""")
    for chip in ("r300", "r500", "r5x"):
        log = expect([tool, "--chip", chip, "--log", frag], 0, r"--- SPIR-V of lines.frag\n", r"OpLine %\d+ 6 0\n.*\n.*\n(?:.*\n)?.*OpImageSampleImplicitLod", r"; from SPIR-V\n")
        ir = log[log.index("; from SPIR-V"):].split("--- US operations")[0]
        if not re.search(r"= (?:tex|sample) .*  ; lines.frag:6\n", ir) or not re.search(r"= rsq .*  ; lines.frag:7\n", ir):
            expect([tool, frag], 0, "IR without lines on " + chip)
        code = log[log.index("--- US microcode of lines.frag"):].split("---")[1]
        slots = re.findall(r"^ *\d+: (.*)$", code, re.M)
        for operation, line in ((r"TEX  LD|X    SAMPLE", 6), (r"RSQ", 7), (r"OUT  MAD|X    EXP", 8)):
            if not any(re.search(operation, s) and re.search(rf"  ; .*lines\.frag:{line}\b", s) for s in slots):
                expect([tool, frag], 0, f"a slot {operation} with line {line} on {chip}: {slots}")
        if not slots or any("  ; lines.frag:" not in s for s in slots):
            expect([tool, frag], 0, f"a line for each slot on {chip}: {slots}")
    # Vertex programs too, and copies of an unrolled loop's body have its line, not that of what comes before them.
    vert = write("lines.vert", """#version 450
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
  float b = inversesqrt(v.z);
  for (int i = 0; i < 3; ++i)
    b += sin(b);
  gl_Position = v * b;
  c = v.wzyx + b;
}
""")
    for chip, code_of in (("r300", "PVS"), ("r500", "PVS"), ("r5x", "US")):
        log = expect([tool, "--chip", chip, "--log", vert], 0)
        code = log[log.rindex(f"--- {code_of} microcode of lines.vert"):].split("\n\n")[0]
        slots = re.findall(r"^ *\d+: (.*)$", code, re.M)
        lines = [{int(n) for n in re.findall(r"lines\.vert:(\d+)", s)} for s in slots]
        if any(not one for one in lines) or not {5, 7, 8} <= set().union(*lines) or sum(7 in one for one in lines) < 9 or any("SIN" in s and "vert:7" not in s for s in slots):
            expect([tool, vert], 0, f"lines 5, 7, 8 on {chip}: {slots}")


def side_by_side(tool, write):
    """--html: each shader's source, SPIR-V, IR and microcode as columns of one page; lines have the places that they come from."""
    frag = write("beside.frag", "#version 450\nlayout(location = 0) in vec4 v;\nlayout(location = 0) out vec4 c;\nvoid main() {\n  float b = inversesqrt(v.z);\n  c = v * b + v.w;\n}\n")
    for chip in ("r300", "r500", "r5x"):
        page = write(chip + ".html", "")
        expect([tool, "--chip", chip, "--html", page, frag], 0, r"OUT  MAD|X    EXP")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        titles = re.findall(r"<h3>(.*?)</h3>", text)
        if titles[:3] != ["source", "SPIR-V", "IR from SPIR-V"] or titles[-2:] != ["US operations", "US microcode"] or sum(t.startswith("IR after") for t in titles) < 3:
            expect([tool, frag], 0, f"columns on {chip}: {titles}")
        columns = re.split(r"<h3>", text)[1:]
        for title, column in zip(titles, columns):
            # Operations of the back end have no lines of their own.
            if not title.endswith("operations") and not re.search(r'data-p="[^"]*beside\.frag:6', column):
                expect([tool, frag], 0, f"line 6 in the column {title} on {chip}: {column}")
        if not re.search(r'data-p="beside\.frag:5">[^<]*RSQ', columns[-1]) or not re.search(r'data-p="beside\.frag:5">[^<]*InverseSqrt', columns[1]) or "http" in text:
            expect([tool, frag], 0, f"lines on {chip}: {columns[1]} {columns[-1]}")
    bad = write("bad.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(gl_SampleID); }\n")
    page = os.path.join(os.path.dirname(page) or ".", "none.html")
    expect([tool, "--html", page, bad], 1, "gl_SampleID")
    expect([tool, "--html", frag + "/page.html", frag], 2, "/page.html: cannot be written")
    if os.path.exists(page):
        expect([tool, frag], 0, "no page of what is refused")


def expect(command, code, *patterns):
    global failures
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode(errors="replace")
    missing = [p for p in patterns if not re.search(p, output)]
    if done.returncode != code or missing:
        failures += 1
        print(f"FAILED: {' '.join(command)}\n  exit code {done.returncode}, expected {code}; missing: {missing}\n{output}")
    return output


def main():
    tool, glslang, disassembler = os.path.abspath(sys.argv[1]), *sys.argv[2:4]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)

        def write(name, text):
            with open(name, "w" if isinstance(text, str) else "wb") as f:
                f.write(text)
            return name

        vert, frag, bad = write("a.vert", VERT), write("a.frag.glsl", FRAG), write("bad.frag", BAD)
        bad_lines = ["bad.frag:" + r for r in REFUSALS]
        both = expect([tool, vert, frag], 0, "vertex program", "fragment program", "tex0 = set 1 binding 2", "push constants, bytes 0")
        assert both == expect([tool, frag, vert], 0), "the order of the files means nothing"
        assert "fragment" not in expect([tool, vert], 0, "vertex program")
        assert "vertex" not in expect([tool, frag], 0, "fragment program")
        expect([tool, "--words", vert], 0, r"   0: [0-9A-F]{8} [0-9A-F]{8}")
        expect([tool, "--stage", "frag", write("plain", FRAG)], 0, "fragment program")
        # All refusals at once, of both stages.
        expect([tool, bad], 1, *bad_lines)
        clip = write("clip.vert", VERT.replace("uv = ", "gl_ClipDistance[0] = 1.0; uv = "))
        expect([tool, clip, bad], 1, "gl_ClipDistance", *bad_lines)
        for stage in ("comp", "geom"):
            layout = {"comp": "layout(local_size_x = 1) in;", "geom": "layout(points) in; layout(points, max_vertices = 1) out;"}[stage]
            expect([tool, write("a." + stage, f"#version 450\n{layout}\nvoid main() {{}}\n")], 1, "this chip has vertex and fragment programs only")
        # JSON.
        program = json.loads(expect([tool, "--json", vert, frag], 0))
        assert program["compiled"] and program["fragment"]["textures"][0]["image"] == {"set": 1, "binding": 2, "element": 0}, program
        assert len(program["vertex"]["words"]) == program["vertex"]["statistics"]["slots"], program
        refused = json.loads(expect([tool, "--json", bad], 1))
        assert not refused["compiled"] and [d["line"] for d in refused["diagnostics"]] == [8, 9, 10, 11, 12], refused
        for name, (text, wanted) in LATE.items():
            expect([tool, "--chip", "r500", write(name, text)], 1, wanted)
            for option in ("-g", "-gVS"):
                subprocess.run([glslang, "-V", "--quiet", option, name, "-o", "late.spv"], check=True)
                expect([tool, "--chip", "r500", "late.spv"], 1, wanted.split(":", 1)[1].split(": ", 1)[1])
        # SPIR-V; lines by OpLine and by NonSemantic.Shader.DebugInfo.100 (which made SPIRV-Tools crash).
        for option in ("-g", "-gVS"):
            subprocess.run([glslang, "-V", "--quiet", option, bad, "-o", "bad.spv"], check=True)
            expect([tool, "bad.spv"], 1, *bad_lines)
            if disassembler != "-":
                subprocess.run([disassembler, "bad.spv", "-o", "bad.spvasm"], check=True)
                expect([tool, "bad.spvasm"], 1, *bad_lines)
        subprocess.run([glslang, "-V", "--quiet", frag, "-S", "frag", "-o", "good.spv"], check=True)
        with open("good.spv", "rb") as f:
            words = f.read()
        plain = expect([tool, "good.spv"], 0, "fragment program")
        swapped = b"".join(words[i : i + 4][::-1] for i in range(0, len(words), 4))
        assert expect([tool, write("swapped.spv", swapped)], 0) == plain
        # What is wrong with a file.
        expect([tool, "none.frag"], 2, "none.frag: no such file")
        expect([tool, "none.frag", write("syntax.vert", "#version 450\nvoid main() { x = 1; }\n")], 2, "none.frag: no such file", "syntax.vert:2: 'x'")
        expect([tool, folder], 2, "[Ii]s a directory")
        expect([tool, write("empty.frag", "")], 2, "the file is empty")
        expect([tool, "plain"], 2, "GLSL of which stage")
        expect([tool, write("cut.spv", words[:501])], 2, "the file is cut off")
        expect([tool, write("short.spv", words[:200])], 1, "the SPIR-V is not valid: instruction [0-9]+: End of input")
        expect([tool, write("bad.spvasm", "; SPIR-V\nOpFoo\n")], 2, "bad.spvasm:2:1: Invalid Opcode")
        expect([tool, frag, "--entry", "other"], 2, "no entry point 'other', but 'main' \\(fragment\\)")
        expect([tool, frag, "good.spv"], 2, "a second fragment shader")
        names_and_glsl(tool, write)
        source_lines(tool, write)
        side_by_side(tool, write)
        expect([tool, "--frobnicate"], 2, "unknown option --frobnicate")
        expect([tool, "--stage", "pixel", "plain"], 2, "--stage pixel: expected vert")
    return 1 if failures else 0


sys.exit(main())
