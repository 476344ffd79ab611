// SPDX-License-Identifier: MIT
/// Fragment shaders of all sorts, as bodies behind one head.
#pragma once

namespace pumice::compiler {

inline const char* const kHead = R"(
layout(location = 0) in vec4 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec2 c;
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) uniform U { mat4 m; vec4 v[8]; float s[4]; mat3 m3; } u;
layout(push_constant) uniform P { vec4 p0; mat2 p1; int pi; ivec3 pv; } p;
layout(set = 0, binding = 6) uniform I { int n; uint k; vec2 f; ivec4 v[4]; } i6;
layout(set = 0, binding = 1) uniform sampler2D t2;
layout(set = 0, binding = 2) uniform samplerCube tc;
layout(set = 0, binding = 3) uniform sampler3D t3;
layout(set = 0, binding = 4) uniform sampler1D t1;
layout(set = 0, binding = 5) uniform sampler2DShadow ts;
struct Light { vec3 dir; float power; };
float helper(float x, inout vec2 y) { y = y.yx * x; if (x > 0.0) return y.x; return -y.y; }
void main() {
)";

inline const char* const kBodies[] = {
    "o = u.m * a;",
    "o = a * u.m + p.p0;",
    "o = vec4(u.m3 * b, dot(b, a.yzw));",
    "o = vec4(p.p1 * c, c * p.p1);",
    "o = vec4(transpose(u.m3) * b, determinant(u.m3));",
    "o = inverse(u.m) * a * 0.001;",
    "o = vec4(normalize(b + vec3(3)), length(a));",
    "o = vec4(reflect(b, normalize(a.xyz + vec3(3))), distance(a, a.wzyx));",
    "o = vec4(refract(normalize(b + vec3(4)), vec3(0, 0, -1), 0.7), faceforward(a.x, a.y, a.z));",
    "o = mix(a, u.v[1], step(0.0, b.x)) + smoothstep(-1.0, 1.0, a);",
    "o = clamp(a, -0.5, 0.5) + sign(a) + fract(a) + floor(a) + ceil(a) + trunc(a);",
    "o = vec4(mod(a.x, 0.7), mod(a.y, -0.3), round(a.z + 0.1), roundEven(a.w));",
    "o = vec4(sin(a.x * 3.0), cos(a.y * 5.0), tan(a.z * 0.5), atan(a.w, a.x));",
    "o = vec4(asin(clamp(a.x, -1.0, 1.0)), acos(clamp(a.y, -1.0, 1.0)), atan(a.z), sinh(a.w));",
    "o = vec4(exp(a.x), log(abs(a.y) + 0.1), exp2(a.z), log2(abs(a.w) + 0.1));",
    "o = vec4(sqrt(abs(a.x)), inversesqrt(abs(a.y) + 0.01), pow(abs(a.z) + 0.1, b.x), 1.0 / (abs(a.w) + 0.2));",
    "o = any(lessThan(a, u.v[0])) ? a : all(greaterThanEqual(b, vec3(-1))) ? u.v[2] : -a;",
    "o = vec4(a.x < a.y && a.z > 0.0 || a.w == 0.0, !(a.x != a.z), ivec2(a.xy * 4.0));",
    "vec2 y = c; float r = helper(a.x, y); r += helper(a.y, y); o = vec4(r, y, 1);",
    "Light l[2]; l[0] = Light(b, a.x); l[1] = Light(a.xyz, a.w); o = vec4(l[0].dir * l[1].power, l[0].power);",
    "float x[5]; for (int i = 0; i < 5; i++) x[i] = a[i & 3] * float(i); o = vec4(x[0] + x[1], x[2], x[3], x[4]);",
    "o = u.v[int(clamp(abs(a.x) * 4.0, 0.0, 7.0))];",
    "int i = int(abs(a.y) * 2.0); o = vec4(u.s[i & 3]) + u.m[i & 3];",
    "vec4 acc = vec4(0); for (int i = 0; i < 8; i++) acc += u.v[i] * a; o = acc;",
    "vec4 acc = vec4(0); int n = int(abs(a.x) * 20.0); for (int i = 0; i < n; i++) { if (i == 7) continue; acc += a * 0.1; if (acc.y > "
    "1.5) break; } o = acc;",
    "float x = 0.0; int i = 0; while (true) { i++; if (float(i) > abs(a.x) * 10.0) break; for (int j = 0; j < i; j++) { if (j > 4) break; "
    "x += 0.25; } } o = vec4(x, i, a.xy);",
    "int i = 0; do { i += 2; } while (float(i) < abs(a.z) * 30.0); o = vec4(i, i / 3, i % 3, -i);",
    "vec4 acc = vec4(0); for (int i = 0; i < i6.n; i++) acc += u.v[i & 3] + float(i6.v[i & 3].y); o = acc + vec4(i6.k, i6.f, p.pi + "
    "p.pv.z);",
    // Constants by the loop counter: bounds from data, both directions, steps, past the end, nested, in arms, used by a texture lookup.
    "vec4 acc = a; for (int i = 0; i < i6.n; i++) acc += u.v[i] * float(i + 1); o = acc;",
    "vec4 acc = a; int n = int(abs(a.x) * 15.0); for (int i = 0; i < n; i++) { if (i == 3) continue; acc = acc * 0.5 + u.v[i]; } o = acc;",
    "vec4 acc = a; int n = int(abs(a.x) * 4.0); for (int i = 7; i >= n; i--) { acc = acc.yzwx + u.v[i]; if (acc.x > 2.0) break; } o = acc;",
    "vec4 acc = a; int n = int(abs(a.x) * 3.0); for (int i = 1; i < n; i += 3) acc += u.v[i + 1] - u.v[i - 1].wzyx; o = acc;",
    "vec4 acc = a; int n = int(abs(a.x) * 3.0); for (int i = 0; i < n; i++) { acc += u.v[i]; for (int j = 0; j < i6.n; j++) acc -= u.m[j] "
    "* "
    "u.v[i].x * 0.1; acc += u.v[i].wwxx; } o = acc;",
    "vec4 acc = a; int n = int(abs(b.x) * 4.0); for (int i = 0; i < n; i++) { if (a[i & 3] > 0.0) acc += u.v[i] * u.s[i & 3]; else acc.xy "
    "+= "
    "texture(t2, u.v[i].xw).xy * 0.1; } o = acc;",
    "const float k[12] = float[](1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31); float s = 0.0; int n = int(abs(a.z) * 5.0); for (int i = 0; i "
    "< "
    "n; i++) s += k[i] * a.x; o = vec4(s, dFdx(s), 0, 1);",
    "vec4 acc = a; int n = int(abs(c.x) * 2.0); for (int i = 0; i < n; i++) acc += float(i6.v[i].z) * i6.v[i]; o = acc;",
    "int i = 0; vec4 x = a; do { x = x * 0.5 + u.v[i]; i += 2; } while (i < 8 && x.y < a.w); o = x;",
    "vec4 x = a; for (int i = 0; i < 4; i++) { if (x.x > 1.0) { x -= u.m[i]; continue; } if (x.y > 1.5) break; x += u.v[i + 4] * p.p0; } o "
    "= x;",
    "switch (int(abs(a.x) * 2.0)) { case 0: o = a; break; case 1: o = a.wzyx; case 2: o = vec4(b, 1); break; default: o = vec4(2); }",
    "o = a; if (a.x > 0.0) { if (a.y > 0.0) o = a * 2.0; else o.xy = b.xy; o.z += 1.0; } else { for (int i = 0; i < 3; i++) o.w += b[i]; }",
    "if (a.x > 1.0) discard; o = a;",
    "o = a; if (a.y > 0.0) { if (b.x < 0.0) discard; o = vec4(b, 1); } else if (c.x > 1.0) discard;",
    "o = vec4(dFdx(a.x), dFdy(b.y), fwidth(c.x), dFdx(a.w * b.z));",
    "o = texture(t2, c) + texture(t2, a.zw + b.xy);",
    "o = texture(tc, b) * texture(t3, a.xyz) + texture(t1, a.w);",
    "o = texture(t2, c, 0.5) + textureLod(t2, c, a.x) + textureLod(tc, b, 1.5);",
    "o = textureGrad(t2, c, a.xy, a.zw) + textureGrad(t3, b, a.xyz, a.yzw) * 0.01;",
    "o = textureProj(t2, vec3(c, abs(a.x) + 0.5));",
    "o = textureProj(t2, a * vec4(1, 1, 1, 0.1) + vec4(0, 0, 0, 2));",
    "o = texelFetch(t2, ivec2(a.xy * 8.0), 1);",
    "o = textureGather(t2, c, 2) + textureGatherOffset(t2, a.xy, ivec2(c * 4.0), 0);",
    "o = textureOffset(t2, c, ivec2(3, -4)) + textureOffset(t3, b, ivec3(1, 2, 3)) + textureGradOffset(t2, c, a.xy, a.zw, ivec2(1));",
    "o = textureGather(ts, c, a.x);",
    "o = vec4(textureSize(t2, 0), a.xy);",
    "o = vec4(texture(ts, vec3(c, a.x)), texture(ts, vec3(a.xy, 0.5)), 0, 1);",
    "vec4 d = texture(t2, c); o = texture(t2, d.xy * 0.01 + c); if (d.x > 1.0) o += textureLod(t2, d.zw, 0.0);",
    "o = vec4(gl_FragCoord.xy * 0.125, gl_FragCoord.zw);",
    "o = gl_FrontFacing ? a : vec4(gl_PointCoord, 0, 1);",
    "ivec4 n = ivec4(a * 10.0); o = vec4(n) + vec4(n.x << 2, n.y * 3, -n.z, abs(n.w));",
    "vec3 n = normalize(b + vec3(2.5)), l = normalize(u.v[0].xyz + vec3(3)), v = normalize(a.xyz + vec3(0, 0, 4)); vec3 h = normalize(l + "
    "v); "
    "o = vec4(vec3(max(dot(n, l), 0.0)) * texture(t2, c).rgb + pow(max(dot(n, h), 0.0), 8.0) * u.v[1].rgb, u.s[2]);",
    "bvec3 e = equal(b, vec3(0)); o = vec4(mix(a.xyz, b, e), float(any(not(e))));",
    "mat3 r = mat3(a.xyz, b, vec3(c, 1)); r[1] += r[2].zxy; o = vec4(r * r[0], r[1][2]); o.yz *= 2.0;",
    "float f = 0.0; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) f += u.m[i][j] * float(i - j); o = vec4(f) * a;",
    "vec2 z = c; int k; for (k = 0; k < 64; k++) { z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + a.xy * 0.5; if (dot(z, z) > 4.0) "
    "break; } o = vec4(k);",
};

}  // namespace pumice::compiler
