# SPDX-License-Identifier: MIT
"""Each shape of control flow and data: bodies of main over the inputs a, b, c, the uniforms u and the result o."""
HEAD = """layout(binding = 0) uniform U { vec4 k[4]; mat4 m; float f; int n; } u;
struct S { vec4 p; float q; };
vec4 f1(vec4 x, vec4 y) { return x * 0.5 + y; }
void f2(vec4 x, out float y) { y = x.x + x.y; }
vec4 f3(vec4 x) { if (x.x > 0.0) return x; return -x; }
void f4(inout vec4 x) { x += vec4(1.0); }
float f5(float x) { for (int i = 0; i < 4; i++) if (x < float(i)) return x; return 4.0; }
vec4 global = vec4(0.5);
"""
BODIES = {
    "if": "if (a.x > 0.0) o = b;", "if_else": "if (a.x > 0.0) o = b; else o = c;",
    "if_nested": "if (a.x > 0.0) { if (a.y > 0.0) o = b; else o = c; } else o = a;",
    "if_chain": "if (a.x < -1.0) o = a; else if (a.x < 0.0) o = b; else if (a.x < 1.0) o = c; else o = a + b;",
    "if_deep": "if (a.x > 0.0) if (a.y > 0.0) if (a.z > 0.0) if (a.w > 0.0) o = b;", "if_and": "if (a.x > 0.0 && b.x > 0.0) o = c;",
    "if_or": "if (a.x > 0.0 || b.x > 0.0) o = c;", "if_xor": "if (a.x > 0.0 ^^ b.x > 0.0) o = c;", "if_not": "if (!(a.x > b.x)) o = c;",
    "if_equal": "if (floor(a.x) == floor(b.x)) o = c;", "if_uniform": "if (u.f > 0.0) o = a * b; else o = a + b;", "if_int_uniform": "if (u.n == 2) o = a; else o = b;",
    "if_long": "if (a.x > 0.0) { o = a * b; o += c * c; o *= b; o -= a; o = o * o + b; } else { o = b * c; o -= a * a; o *= 0.5; o += b; }",
    "if_both_update": "o = a; if (b.x > 0.0) o.x += c.x; if (b.y > 0.0) o.y += c.y; if (b.z > 0.0) o.z += c.z;",
    "ternary": "o = a.x > b.x ? a : c;", "ternary_nested": "o = a.x > b.x ? (a.y > b.y ? a : b) : c;", "ternary_lanes": "o = vec4(a.x > 0.0 ? b.x : c.x, a.y > 0.0 ? b.y : c.y, a.z > 0.0 ? b.z : c.z, 1.0);",
    "for_4": "for (int i = 0; i < 4; i++) o = o * 0.5 + a;", "for_8": "for (int i = 0; i < 8; i++) o = o * 0.5 + a * float(i);",
    "for_down": "for (int i = 5; i > 0; i--) o += a / float(i);", "for_step": "for (int i = 0; i < 12; i += 3) o += a * float(i);",
    "for_float": "for (float i = 0.0; i < 2.0; i += 0.25) o += a * i;", "for_once": "for (int i = 0; i < 1; i++) o += a;", "for_none": "o = b; for (int i = 4; i < 4; i++) o += a;",
    "for_nested": "for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) o += a * float(i) - b * float(j);",
    "for_inner_bound": "for (int i = 0; i < 4; i++) for (int j = 0; j <= i; j++) o += a;",
    "for_break": "for (int i = 0; i < 8; i++) { o += a; if (o.x > 3.0) break; }",
    "for_continue": "for (int i = 0; i < 6; i++) { if (i == 3) continue; o += a * float(i); }",
    "for_continue_varying": "for (int i = 0; i < 6; i++) { if (o.x > a.x) continue; o += abs(b) * float(i); }",
    "for_if": "for (int i = 0; i < 4; i++) { if (o.x > 0.0) o -= b; else o += c; }",
    "for_return": "for (int i = 0; i < 6; i++) { o += a; if (o.y > 2.0) { o.w = float(i); return; } }",
    "for_two": "for (int i = 0; i < 4; i++) o += a; for (int i = 0; i < 3; i++) o *= b;",
    "for_uniform_array": "for (int i = 0; i < 4; i++) o += u.k[i] * a;", "for_uniform_bound": "for (int i = 0; i < u.n; i++) o += a;",
    "for_array": "float t[4] = float[](a.x, b.y, c.z, a.w); for (int i = 0; i < 4; i++) o.x += t[i] * float(i);",
    "for_array_write": "float t[4]; for (int i = 0; i < 4; i++) t[i] = a.x * float(i); for (int i = 0; i < 4; i++) o.x += t[3 - i] * float(i + 1);",
    "for_swap": "vec4 x = a, y = b; for (int i = 0; i < 5; i++) { vec4 t = x; x = y; y = t * 0.5; } o = x + y;",
    "while": "float t = 0.0; while (t < 4.0) { o += a; t += 1.0; }", "while_break": "float t = 0.0; while (true) { o += a; t += 1.0; if (t > 3.5) break; }",
    "while_varying": "float t = abs(a.x); o = b; while (t < 4.0) { o = o * 0.5 + c; t += 1.0; }",
    "do": "float t = 0.0; do { o += a; t += 1.0; } while (t < 3.0);", "long_loop": "for (int i = 0; i < 40; i++) o = fract(o + a) * 0.5;",
    "loop_in_if": "if (a.x > 0.0) { for (int i = 0; i < 5; i++) o += b * float(i); } else o = c;",
    "early_return": "o = a; if (a.x > 0.0) return; o = b;", "two_returns": "if (a.x > 0.0) { o = b; return; } if (a.y > 0.0) { o = c; return; } o = a;",
    "call": "o = f1(a, b);", "call_twice": "o = f1(f1(a, b), c);", "call_in_loop": "for (int i = 0; i < 3; i++) o = f1(o, a);",
    "call_out": "float t; f2(a, t); o = vec4(t);", "call_inout": "o = a; f4(o); f4(o);", "call_return": "o = f3(a);", "call_return_in_loop": "o = vec4(f5(a.x), f5(a.y * 3.0), 0.0, 1.0);",
    "call_in_if": "if (a.x > 0.0) o = f3(b); else o = f3(c);", "global": "global += a; o = global * b;",
    "switch": "switch (int(floor(a.x))) { case 0: o = b; break; case 1: o = c; break; default: o = a; }",
    "switch_fall": "switch (int(floor(a.x))) { case 0: o += b; case 1: o += c; break; default: o = a; }",
    "switch_uniform": "switch (u.n) { case 0: o = a; break; case 1: o = b; break; case 2: o = c; break; default: o = a + b; }",
    "switch_in_loop": "for (int i = 0; i < 4; i++) switch (i) { case 0: o += a; break; case 2: o += b; break; default: o *= c; }",
    "struct": "S s; s.p = a; s.q = b.x; S t = s; t.q += c.y; o = t.p * t.q;", "struct_array": "S s[2]; s[0].p = a; s[0].q = b.x; s[1].p = c; s[1].q = b.y; o = s[0].p * s[1].q + s[1].p * s[0].q;",
    "swizzle_write": "o.xz = a.yw; o.wy = b.xz;", "swizzle_read": "o = a.wzyx + b.xxyy * c.zwzw;", "matrix_uniform": "o = u.m * a;", "matrix_row": "o = a * u.m;",
    "matrix_column": "o = u.m[1] + u.m[2][3] * a;", "matrix_local": "mat3 m = mat3(a.xyz, b.xyz, c.xyz); m[1] = m[0] + m[2]; o.xyz = m * a.xyz;",
    "array_index": "vec4 t[3] = vec4[](a, b, c); o = t[int(mod(floor(abs(a.x)), 3.0))];", "uniform_index": "o = u.k[int(mod(floor(abs(a.x)), 4.0))];",
    "uniform_index_uniform": "o = u.k[u.n] * a;", "constant_array": "const float w[5] = float[](0.1, 0.2, 0.4, 0.2, 0.1); for (int i = 0; i < 5; i++) o += a * w[i] + b * float(i) * w[4 - i];",
    "vector_index": "o = vec4(a[int(mod(floor(abs(b.x)), 4.0))]);", "bool_values": "bool p = a.x > 0.0, q = b.x > 0.0; o = vec4(p && q, p || q, p != q, !p);",
    "int_values": "int i = int(floor(a.x)); int j = i * 3 + 1; o = vec4(float(i), float(j), float(i + j), float(max(i, j)));",
}
FRAGMENT = {
    "discard": "if (a.x < 0.0) discard; o = b;", "discard_late": "o = a + b; if (o.x < 0.0) discard;", "discard_always": "o = a; if (u.f * 0.0 == 0.0) discard;",
    "discard_nested": "if (a.x < 0.0) { if (a.y < 0.0) discard; o = c; }", "discard_in_loop": "for (int i = 0; i < 4; i++) { o += a; if (o.x > 3.0) discard; }",
    "discard_in_branch": "if (a.x > 0.0) { if (b.x > 0.0) discard; o = b; } else { if (c.x > 0.0) discard; o = c; }",
}
# Sums and products only, a dozen one after another at most: 16 units, or 4e-6 where they cancel.
DEMANDS = ("-2 2", 16, 4e-6)


def shaders():
    for stages, bodies in ((("frag", "vert"), BODIES), (("frag",), FRAGMENT)):
        for name, body in bodies.items():
            # A function of its own: "return" does not end main.
            yield f"flow_{name}", stages, DEMANDS, f"{HEAD}vec4 o = vec4(0.0);\nvoid body(vec4 a, vec4 b, vec4 c) {{ {body} }}\n", "  body(in_a, in_b, in_c);\n"
