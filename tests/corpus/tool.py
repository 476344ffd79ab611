#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pumice-run itself: that it finds differences, what it prints, its exit status, wrong usage.

usage: tool.py PUMICE_RUN
"""
import os
import re
import subprocess
import sys
import tempfile

HEAD = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 color;\n"
SINE = HEAD + "void main() {\n  color = sin(a);\n}\n"
BLOCK = HEAD + "struct L { vec3 d; float f; };\nlayout(binding = 1) uniform U { vec4 k[2]; L l[2]; layout(row_major) mat3 m; int n; } u;\n" \
    "void main() {\n  color = vec4(u.m * a.xyz + u.l[1].d * u.l[1].f, float(u.n)) + u.k[1];\n}\n"
GIVEN = "# everything\na 1 2 3 4   # of all\nu.k[1] 0.5 0.5 0.5 0.5\nu.l[1].d 1 2 4\nl[1].f 2\nu.m 1 0 0 0 2 0 0 0 3\nu.n 7\ninvocation 5\na -1 -2 -3 -4\n"
TEXTURE = HEAD + "layout(binding = 0) uniform sampler2D t;\nlayout(binding = 1) uniform sampler2DShadow s;\n" \
    "void main() {\n  color = texture(t, a.xy) + vec4(texture(s, vec3(a.xy, 0.25)));\n}\n"
VERTEX = "#version 450\nlayout(location = 0) in vec4 p;\nlayout(location = 1) in mat2 m;\nlayout(location = 3) in vec2 q;\nlayout(location = 1) out mat2 o;\n" \
    "layout(location = 3) out vec3 c;\nlayout(push_constant) uniform P { vec4 tint; } push;\nvoid main() {\n  gl_Position = p * 2.0;\n  gl_PointSize = 3.0;\n" \
    "  o = m * 0.5;\n  c = vec3(q, float(gl_VertexIndex + gl_InstanceIndex)) * push.tint.xyz;\n}\n"
SIZE = HEAD + "layout(binding = 0) uniform sampler2D t;\nvoid main() {\n  color = vec4(textureSize(t, 0), texture(t, a.zw).xy);\n}\n"
LOOP = HEAD + "void main() {\n  vec4 v = a;\n  for (int i = 0; i < int(a.x * 4.0); i++) v = v * v.yzwx + 0.5;\n  color = v;\n}\n"
BITS = "#version 450\nlayout(location = 0) flat in uvec4 a;\nlayout(location = 1) flat in ivec2 b;\nlayout(location = 0) out uvec4 o;\n" \
    "void main() {\n  o = (a << 3u ^ a.yzwx) + uvec4(b * 77, bitCount(a.x), a.z % 5u);\n}\n"
BITS_VERTEX = "#version 450\nlayout(location = 0) in uvec4 a;\nlayout(location = 0) flat out uvec4 o;\n" \
    "void main() {\n  gl_Position = vec4(a);\n  o = a * 2654435761u >> 9u;\n}\n"
UNJUDGED = HEAD + "layout(binding = 0) uniform samplerCube t;\nvoid main() {\n  color = texture(t, a.xyz);\n}\n"
FAR = HEAD + "layout(binding = 0) uniform U { vec4 k[4]; } u;\nvoid main() {\n  color = u.k[int(a.x * 100000000.0)];\n}\n"
REFUSED = HEAD + "void main() {\n  color = vec4(uvec4(a) ^ 5u);\n}\n"

failures = 0


def expect(command, code, *patterns, env=None):
    global failures
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **(env or {})})
    missing = [p for p in patterns if not re.search(p, done.stdout, re.M)]
    if done.returncode != code or missing:
        failures += 1
        print(f"FAILED: {' '.join(command)}\n  exit status {done.returncode}, expected {code}; missing: {missing}\n{done.stdout[:4000]}")
    return done.stdout


def main():
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)

        def write(name, text):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            return name

        sine, vertex = write("sine.frag", SINE), write("some.vert", VERTEX)
        for chip in ("r500", "r300", "r5x"):
            expect([tool, "--chip", chip, sine, vertex, write("block.frag", BLOCK), write("texture.frag", TEXTURE), "--absolute", "5e-4"], 0,
                   f"^{chip}: 4 the same, 0 different, 0 refused, 0 not judged; [1-9]", "the fast executor 16 blocks; 1 functions of GLSL.std.450$")
        # A demand that sin() does not meet, and who wrote the value.
        expect([tool, sine, "--ulp", "0", "--absolute", "0"], 1, r"^sine.frag: invocation \d+, color\.[xyzw]: chip \S+, C\+\+ \S+, \d+ ulp, allowed 0 or 0$",
               r"^  written by slot \d+: OUT ", r"^  a = \S+ \S+ \S+ \S+$", "0 the same, 1 different")
        write("own.frag", "// range: 0 1\n// precision: 0 0\n" + SINE)
        expect([tool, "own.frag"], 1, "allowed 0 or 0")
        expect([tool, "own.frag", "--chip", "r300"], 1, r"allowed 128 or 1\.5\d+e-05")
        write("own.frag", "// precision: 0 0\n// r300: 7 0.25\n" + SINE)
        expect([tool, "own.frag", "--chip", "r300"], 0, "1 the same")
        # One wrong bit in what the fast executor gets, on both chips and stages.
        expect([tool, sine, "--flip", "1,5,3"], 1, r"^sine.frag: invocation \d+, .*: reference \S+, fast \S+, \d+ ulp \(.*\)$", r"^  first difference after slot \d+: ")
        expect([tool, vertex, "--flip", "0,1,25"], 1, r"reference \S+, fast \S+, \d+ ulp \(.*\)$", "^  first difference after slot 0: ")
        expect([tool, sine, "--flip", "2,2,10", "--chip", "r300"], 1, "^  first difference after slot 2: ", "0 the same, 1 different")
        expect([tool, sine, "--flip", "1,5,3", "--chip", "r5x"], 1, r"^  first difference after slot 1: ", "0 the same, 1 different")
        expect([tool, write("loop.frag", LOOP), "--flip", "8,4,3", "--chip", "r5x"], 1, r"^  first difference after slot 8: ALU  MAD r4", "0 the same, 1 different")
        expect([tool, vertex, "--ulp", "0", "--absolute", "0", "--chip", "r5x", "--flip-both", "1,4,3"], 1, r"chip \S+, C\+\+ \S+", r"^  written by slot \d+: ")
        # The same wrong bit in both: the judge finds it.
        expect([tool, sine, "--flip-both", "1,3,9"], 1, r"chip \S+, C\+\+ \S+, \d+ ulp, allowed 64 or ", "0 the same, 1 different")
        expect([tool, vertex, "--flip-both", "0,1,25"], 1, r"chip \S+, C\+\+ \S+", "0 the same, 1 different")
        # Textures: sizes, filter and wrapping, by option or by the file; the judge samples what it is told.
        sizes = ("16x8", "16x8 linear", "8x16 linear mirror", "32x4 linear clamp", "8x8 mirror", "12x7 clamp", "6x6 repeat")
        files = [write(f"size{i}.frag", f"// texture: {how}\n" + text) for i, (how, text) in enumerate((h, x) for h in sizes for x in (TEXTURE, SIZE))]
        for chip in ("r500", "r300", "r5x"):
            expect([tool, "--chip", chip, write("size.frag", "// texture: 64x16 linear clamp\n" + SIZE), "--values"] + files, 0, f"^{chip}: {len(files) + 1} the same", r"^  0: color = 64 16 ")
        write("size.frag", SIZE)
        # The weights' last bits: what 2^-7 is for.
        expect([tool, "size.frag", "--texture", "8x8,linear", "--inputs", write("between", "a 0 0 0.3301 0.0817\n")], 0, r"off by at most \d+ ulp, 3\.0\d+e-05;")
        expect([tool, "--chip", "r5x", write("prime.frag", SIZE), "--texture", "13x7,linear"], 0, "1 the same")
        expect([tool, write("wrong.frag", "// texture: big\n" + SINE)], 2, "wrong.frag: '// texture: big': see --help")
        # Integers of 32 bits, of r5x alone.
        expect([tool, "--chip", "r5x", "--range", "0,100", write("bits.frag", BITS), write("bits.vert", BITS_VERTEX)], 0, "r5x: 2 the same")
        # Given inputs.
        values = expect([tool, "--values", "--inputs", write("given", GIVEN), "block.frag"], 0)
        for line in ("  0: color = 3.5 8.5 17.5 7.5  C++ 3.5 8.5 17.5 7.5", "  5: color = 1.5 0.5 -0.5 7.5  C++ 1.5 0.5 -0.5 7.5"):
            if line not in values.splitlines():
                expect(["echo", "no line: " + line], 1)
        for text, reason in (("b 1\n", "no input or uniform 'b'"), ("a 1 2\n", "a has 4 numbers"), ("\na 1 2 3 x\n", ":2: 'x' is no number"),
                             ("invocation 64\n", "N from 0 to 63"), ("invocation 1\nu.n 1\n", "u.n is a uniform")):
            expect([tool, "--inputs", write("wrong", text), "block.frag"], 2, "pumice-run: wrong:", re.escape(reason))
        expect([tool, "--inputs", "none", "block.frag"], 2, "none: No such file")
        # What is not judged or refused is no success.
        expect([tool, write("cube.frag", UNJUDGED)], 1, "reference and fast are the same; not judged: texture 't'", "0 the same, 0 different, 0 refused, 1 not judged")
        expect([tool, write("xor.frag", REFUSED), "--table", "t"], 1, "^xor.frag: refused: line 5: .*OpBitwiseXor", "1 refused")
        assert open("t", encoding="utf-8").read().startswith("xor.frag\tr500\trefused: line 5: ")
        expect([tool, sine, "--table", "t"], 0, "1 the same")
        assert re.fullmatch(r"sine.frag\tr500(\t\d+){8}\n", open("t", encoding="utf-8").read())
        expect([tool, "--cpp", "block.frag"], 0, r"^uniform 0\.1 \+\d+: u\.l\[1\]\.d$", "^input 0: a$", "struct Shader")
        # C++ that crashes takes nothing with it.
        expect([tool, write("far.frag", FAR), sine], 1, "far.frag: reference and fast are the same; not judged: its C\\+\\+ crashes: Segmentation fault", "^sine.frag: the same")
        # Infinities and NaN: the executors agree, the rest is left open.
        expect([tool, vertex, sine, "--inputs", write("odd", "invocation 3\na inf -inf nan 1\n"), "--cpu", "all"], 2, "no input or uniform 'a'")
        expect([tool, sine, "--inputs", "odd", "--cpu", "all"], 0, "1 the same, .* 3 left open")
        # No compiler, no judge: never success.
        expect([tool, sine], 2, "no independent evaluation: /bin/false: failed without a message", env={"CXX": "/bin/false"})
        # Wrong usage and files.
        expect([tool, "--help"], 0, "^usage: pumice-run")
        expect([tool], 2, "^usage: pumice-run")
        expect([tool, "none.frag"], 2, "pumice-run: none.frag: no such file")
        expect([tool, write("bad.frag", "#version 450\nvoid main() { x = 1; }\n")], 2, "bad.frag:2: 'x'")
        expect([tool, write("a.comp", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n")], 2, "a compute shader; vertex and fragment shaders are run")
        for wrong in (["--chip", "r200"], ["--texture", "4"], ["--texture", "0x4"], ["--texture", "4x4096"], ["--texture", "4x4,cubic"], ["--range", "2,1"], ["--seed", "x"], ["--flip", "1"], ["--cpu", "mmx"], ["--absolute", "-1"]):
            expect([tool, sine] + wrong, 2, re.escape(f"pumice-run: {wrong[0]} {wrong[1]}: see --help"))
        expect([tool, sine, "--frobnicate", "1"], 2, "--frobnicate: unknown option")
        expect([tool, sine, "--table", "/nonexistent/t"], 2, "/nonexistent/t: cannot be written")
        for seed in ("2", "3"):
            expect([tool, vertex, "--seed", seed], 0, "1 the same")
        expect([tool, sine, "--cpu", "portable"], 0, "portable SIMD", "the fast executor 4 blocks;")
        expect([tool, sine, "--cpu", "all"], 0, "the fast executor (4|8|12) blocks;")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
