# SPDX-License-Identifier: MIT
"""Each function of GLSL.std.450 and each operator, by the width of its operands.

A row: name, expression, range of the inputs, units in the last place, absolute (Vulkan, "Precision and Operation of SPIR-V Instructions"; what is
defined by other functions there has the sum of theirs). In expressions a, b, c are the operands, T their type, V(a) a vector with at least two lanes of a.
"""
FLOATS = [
    ("radians", "radians(a)", "-360 360", 8, 1e-6), ("degrees", "degrees(a)", "-4 4", 8, 1e-6),
    ("sin", "sin(a)", "-3.1 3.1", 4, 4.9e-4), ("cos", "cos(a)", "-3.1 3.1", 4, 4.9e-4), ("tan", "tan(a)", "-0.7 0.7", 64, 1.5e-3),
    ("asin", "asin(a)", "-1 1", 4096, 1e-4), ("acos", "acos(a)", "-1 1", 4096, 1e-4), ("atan", "atan(a)", "-4 4", 4096, 1e-4),
    ("atan2", "atan(a, b)", "-2 2", 4096, 1e-4), ("sinh", "sinh(a)", "-2 2", 256, 1e-5), ("cosh", "cosh(a)", "-2 2", 256, 1e-5),
    ("tanh", "tanh(a)", "-2 2", 256, 1e-5), ("asinh", "asinh(a)", "-2 2", 256, 1e-5), ("acosh", "acosh(a)", "1.1 4", 256, 1e-5),
    ("atanh", "atanh(a)", "-0.9 0.9", 256, 1e-5), ("pow", "pow(a, b)", "0.1 3", 64, 1e-5), ("exp", "exp(a)", "-4 4", 16, 0),
    ("log", "log(a)", "0.01 9", 8, 1e-6), ("exp2", "exp2(a)", "-6 6", 16, 0), ("log2", "log2(a)", "0.01 9", 8, 1e-6),
    ("sqrt", "sqrt(a)", "0 9", 8, 0), ("inversesqrt", "inversesqrt(a)", "0.01 9", 4, 0), ("abs", "abs(a)", "-2 2", 0, 0),
    ("sign", "sign(a)", "-2 2", 0, 0), ("floor", "floor(a)", "-9 9", 0, 0), ("trunc", "trunc(a)", "-9 9", 0, 0),
    ("round", "round(a)", "-9 9", 0, 0), ("roundeven", "roundEven(a)", "-9 9", 0, 0), ("ceil", "ceil(a)", "-9 9", 0, 0),
    ("fract", "fract(a)", "-9 9", 2, 1e-6), ("mod", "mod(a, b)", "0.3 9", 16, 1e-5), ("min", "min(a, b)", "-2 2", 0, 0),
    ("max", "max(a, b)", "-2 2", 0, 0), ("clamp", "clamp(a, min(b, c), max(b, c))", "-2 2", 0, 0), ("mix", "mix(a, b, c)", "-2 2", 8, 1e-6),
    ("step", "step(a, b)", "-2 2", 0, 0), ("smoothstep", "smoothstep(a - 3.0, b + 3.0, c)", "-2 2", 32, 1e-6),
    ("fma", "fma(a, b, c)", "-2 2", 4, 1e-6), ("normalize", "normalize(a)", "0.1 2", 16, 1e-6), ("reflect", "reflect(a, b)", "-2 2", 32, 1e-5),
    ("faceforward", "faceforward(a, b, c)", "-2 2", 4, 1e-6), ("refract", "refract(normalize(a), normalize(b), 0.7)", "0.1 2", 256, 1e-5),
    ("length", "T(length(a))", "-2 2", 16, 1e-6), ("distance", "T(distance(a, b))", "-2 2", 16, 1e-6), ("dot", "T(dot(a, b))", "-2 2", 16, 1e-5),
    ("add", "a + b", "-2 2", 0, 0), ("sub", "a - b", "-2 2", 0, 0), ("mul", "a * b", "-2 2", 0, 0), ("div", "a / b", "0.1 4", 3, 0),
    ("neg", "-a", "-2 2", 0, 0), ("isnan", "T(any(isnan(V(a))) ? 1.0 : 0.0)", "-2 2", 0, 0), ("select", "T(a.x < b.x ? 1.0 : 0.25) * c", "-2 2", 2, 0),
]
# Of one form: body of main with o, the result.
SINGLE = [
    ("cross", "o.xyz = cross(a.xyz, b.xyz);", "-2 2", 8, 4e-6),
    ("modf", "vec4 w; o = modf(a, w); o.w = w.w;", "-9 9", 2, 1e-6),
    ("frexp", "ivec2 e; o.xy = frexp(a.xy, e); o.zw = vec2(e);", "0.1 9", 4, 0),
    ("ldexp", "o = ldexp(a, ivec4(1, 2, -1, 3));", "-2 2", 4, 0),
    ("determinant2", "o.x = determinant(mat2(a.xy, b.xy));", "-2 2", 16, 1e-5),
    ("determinant3", "o.x = determinant(mat3(a.xyz, b.xyz, c.xyz));", "-2 2", 16, 2e-5),
    ("determinant4", "o.x = determinant(mat4(a, b, c, vec4(1.0, 0.5, 0.25, 2.0)));", "-2 2", 16, 1e-4),
    ("inverse2", "o = vec4(inverse(mat2(a.x + 4.0, b.x, c.x, a.y + 4.0)));", "-2 2", 64, 1e-5),
    ("inverse3", "o.xyz = inverse(mat3(5.0 + a.x, b.xy, c.x, 5.0 + a.y, b.zw, c.y, 5.0 + a.z)) * c.xyz;", "-1 1", 64, 1e-5),
    ("inverse4", "o = inverse(mat4(6.0) + mat4(a, b, c, a)) * b;", "-1 1", 64, 1e-5),
    ("transpose", "o = transpose(mat4(a, b, c, a)) * vec4(1.0, 0.5, 0.25, 2.0);", "-2 2", 16, 1e-5),
    ("outer", "o = outerProduct(a, b) * c;", "-2 2", 64, 1e-5),
    ("matrix_vector", "o = mat4(a, b, c, a) * b;", "-2 2", 64, 1e-5), ("vector_matrix", "o = b * mat4(a, b, c, a);", "-2 2", 64, 1e-5),
    ("matrix_matrix", "mat4 m = mat4(a, b, c, a); m = m * mat4(c, a, b, c); o = m[1];", "-2 2", 64, 2e-5), ("matrix_scalar", "mat4 m = mat4(a, b, c, a); m = m * b.x; o = m[2];", "-2 2", 4, 1e-6),
    ("matrix_sum", "o = (mat4(a, b, c, a) + mat4(c, a, b, c))[1];", "-2 2", 0, 0), ("matrix_component", "o = matrixCompMult(mat4(a, b, c, a), mat4(c, a, b, c))[1];", "-2 2", 0, 0),
    ("mix_bool", "o = mix(a, b, lessThan(a, c));", "-2 2", 0, 0), ("less", "o = vec4(lessThan(a, b));", "-2 2", 0, 0),
    ("less_equal", "o = vec4(lessThanEqual(a, b));", "-2 2", 0, 0), ("greater", "o = vec4(greaterThan(a, b));", "-2 2", 0, 0),
    ("greater_equal", "o = vec4(greaterThanEqual(a, b));", "-2 2", 0, 0), ("equal", "o = vec4(equal(floor(a), floor(b)));", "-2 2", 0, 0),
    ("not_equal", "o = vec4(notEqual(floor(a), floor(b)));", "-2 2", 0, 0), ("any_all", "o.xy = vec2(any(lessThan(a, b)), all(lessThan(a, b)));", "-2 2", 0, 0),
    ("not", "o = vec4(not(lessThan(a, b)));", "-2 2", 0, 0), ("isinf", "o = vec4(isinf(a));", "-2 2", 0, 0),
    ("int_abs", "o = vec4(abs(ivec4(a * 4.0)));", "-9 9", 0, 0), ("int_sign", "o = vec4(sign(ivec4(a * 4.0)));", "-9 9", 0, 0),
    ("int_min", "o = vec4(min(ivec4(a * 4.0), ivec4(b * 4.0)));", "-9 9", 0, 0), ("int_max", "o = vec4(max(ivec4(a * 4.0), ivec4(b * 4.0)));", "-9 9", 0, 0),
    ("int_clamp", "o = vec4(clamp(ivec4(a * 4.0), ivec4(-7), ivec4(5)));", "-9 9", 0, 0), ("uint_min", "o = vec4(min(uvec4(a * 4.0), uvec4(b * 4.0)));", "0.1 9", 0, 0),
    ("uint_max", "o = vec4(max(uvec4(a * 4.0), uvec4(b * 4.0)));", "0.1 9", 0, 0), ("uint_clamp", "o = vec4(clamp(uvec4(a * 4.0), 3u, 5u));", "0.1 9", 0, 0),
    ("int_arithmetic", "ivec4 i = ivec4(a), j = ivec4(b); o = vec4(i + j); o.z = float(i.x - j.y); o.w = float(i.x * j.w);", "-9 9", 0, 0),
    ("int_large", "int i = int(a.x) + 200001; o = vec4(i - 200000, i, 0, 1);", "0.1 9", 0, 0), ("int_large_negative", "int i = int(a.x) - 100001; o = vec4(i + 100000, i, 0, 1);", "0.1 9", 0, 0),
    ("int_divide_large", "ivec4 i = ivec4(a * 4.0) / ivec4(7, 10, 3, 100); o = vec4(i);", "0.1 16000", 0, 0),
    ("int_remainder_large", "ivec4 i = ivec4(a * 4.0) % ivec4(7, 10, 3, 100); o = vec4(i);", "0.1 16000", 0, 0),
    ("int_divide_values", "ivec4 i = ivec4(a * 4.0) / (ivec4(b) + 1); o = vec4(i);", "0.1 2000", 0, 0),
    ("int_divide", "ivec4 i = ivec4(a * 8.0) / 3; o = vec4(i);", "-9 9", 0, 0), ("int_remainder", "ivec4 i = ivec4(a * 8.0) % 5; o = vec4(i);", "0.1 9", 0, 0),
    ("int_shift", "ivec4 i = ivec4(a * 8.0); o = vec4(i << 2) + vec4(i >> 1);", "0.1 9", 0, 0),
    ("bit_and", "uvec4 i = uvec4(a * 8.0); o = vec4(i & 7u);", "0.1 9", 0, 0), ("bit_or", "uvec4 i = uvec4(a * 8.0); o = vec4(i | 5u);", "0.1 9", 0, 0),
    ("bit_xor", "uvec4 i = uvec4(a * 8.0); o = vec4(i ^ 5u);", "0.1 9", 0, 0), ("find_lsb", "o = vec4(findLSB(ivec4(a * 8.0)));", "1 9", 0, 0),
    ("find_msb", "o = vec4(findMSB(ivec4(a * 8.0)));", "1 9", 0, 0), ("find_umsb", "o = vec4(findMSB(uvec4(a * 8.0)));", "1 9", 0, 0),
    ("pack_unorm", "o.x = float(packUnorm4x8(a));", "0.1 1", 0, 0), ("pack_snorm", "o.x = float(packSnorm2x16(a.xy));", "0.1 1", 0, 0),
    ("pack_half", "o.x = float(packHalf2x16(a.xy));", "0.1 1", 0, 0), ("unpack_unorm", "o = unpackUnorm4x8(uint(a.x * 1000.0));", "0.1 1", 4, 0),
    ("unpack_half", "o.xy = unpackHalf2x16(uint(a.x * 1000.0));", "0.1 1", 0, 0),
    ("pack_snorm4x8", "o.x = float(packSnorm4x8(a));", "0.1 1", 0, 0), ("pack_unorm2x16", "o.x = float(packUnorm2x16(a.xy));", "0.1 1", 0, 0),
    ("unpack_snorm4x8", "o = unpackSnorm4x8(uint(a.x * 1000.0));", "0.1 1", 4, 0), ("unpack_snorm2x16", "o.xy = unpackSnorm2x16(uint(a.x * 1000.0));", "0.1 1", 4, 0),
    ("unpack_unorm2x16", "o.xy = unpackUnorm2x16(uint(a.x * 1000.0));", "0.1 1", 4, 0), ("float_bits", "o.x = intBitsToFloat(floatBitsToInt(a.x));", "0.1 1", 0, 0),
]
# Fragment shaders only.
FRAGMENT = [
    ("dfdx", "o = dFdx(a);", "-2 2", 4, 1e-6), ("dfdy", "o = dFdy(a);", "-2 2", 4, 1e-6), ("fwidth", "o = fwidth(a * b.x);", "-2 2", 8, 4e-6),
    ("dfdx_squared", "vec4 x = a * a; o = dFdx(x) + dFdy(x);", "-2 2", 8, 8e-6), ("frag_coord", "o = gl_FragCoord;", "-2 2", 0, 0),
    ("frag_coord_pattern", "o = vec4(mod(gl_FragCoord.xy, 2.0), gl_FragCoord.xy * a.xy);", "-2 2", 4, 1e-6),
    ("point_coord", "o = vec4(gl_PointCoord, 0.0, 1.0);", "-2 2", 0, 0), ("front_facing", "o = gl_FrontFacing ? a : b;", "-2 2", 0, 0),
    ("interpolate_centroid", "o = interpolateAtCentroid(in_a);", "-2 2", 0, 0), ("interpolate_sample", "o = interpolateAtSample(in_a, 0);", "-2 2", 0, 0),
    ("interpolate_offset", "o = interpolateAtOffset(in_a, vec2(0.25));", "-2 2", 0, 0), ("depth", "gl_FragDepth = a.x * 0.25 + 0.5; o = b;", "-2 2", 4, 1e-6),
]


def shaders():
    """(name, stages, (range, ulp, absolute), declarations in front of main, body of main) of each; the body reads a, b, c and writes o."""
    for name, expression, span, ulp, absolute in FLOATS:
        for width in (1, 2, 3, 4):
            t = "float" if width == 1 else f"vec{width}"
            e = expression.replace("T(", t + "(").replace("V(a)", "vec2(a)" if width == 1 else "a")
            if width == 1:
                e = e.replace("a.x", "a").replace("b.x", "b")
            take = "".join(f"  {t} {v} = in_{v}.{'xyzw'[:width]};\n" for v in "abc")
            stages = ("frag", "vert") if width in (1, 4) else ("frag",)
            yield f"fn_{name}_{width}", stages, (span, ulp, absolute), "", f"{take}  {t} r = {e};\n  o.{'xyzw'[:width]} = r;\n"
    operands = "  vec4 a = in_a, b = in_b, c = in_c;\n"
    for name, body, span, ulp, absolute in SINGLE:
        yield f"fn_{name}", ("frag", "vert"), (span, ulp, absolute), "", f"{operands}  {body}\n"
    for name, body, span, ulp, absolute in FRAGMENT:
        yield f"fn_{name}", ("frag",), (span, ulp, absolute), "", f"{operands}  {body}\n"
