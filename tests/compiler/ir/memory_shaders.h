// SPDX-License-Identifier: MIT
/// Shaders of each stage for chips with memory: lookups and images of all kinds, built-ins, dynamic indices, control flow.
#pragma once
#include <string>

#include "compiler/compiler.h"

namespace pumice::compiler {

inline const std::string kMemoryShaderHead =
    "#version 450\n#extension GL_EXT_samplerless_texture_functions : enable\n#extension GL_ARB_shader_texture_image_samples : enable\n";

struct MemoryShader {
  Stage stage;
  const char* glsl;
};
inline const MemoryShader kMemoryShaders[] = {
    {Stage::fragment,
     R"(layout(set = 0, binding = 0) uniform sampler2DArray a; layout(set = 0, binding = 1) uniform samplerCubeArrayShadow b;
layout(set = 0, binding = 2) uniform usampler2D c; layout(set = 0, binding = 3) uniform isamplerBuffer d; layout(set = 0, binding = 4) uniform sampler2DMS e;
layout(set = 0, binding = 5) uniform texture2D t[4]; layout(set = 0, binding = 6) uniform sampler s[2]; layout(set = 0, binding = 7) uniform sampler2DShadow g;
layout(set = 0, binding = 8) uniform samplerShadow hs; layout(set = 0, binding = 9) uniform sampler3D v;
layout(location = 0) in vec4 x; layout(location = 1) flat in int k; layout(location = 0) out vec4 o; layout(location = 1) out uvec4 u; layout(location = 2) out int w;
void main() {
  o = texture(a, x.xyz) + textureLod(a, x.xyz, x.w) + texture(b, x, 0.5) + textureGrad(a, x.xyz, x.xy, x.zw) + textureOffset(a, x.xyz, ivec2(1, -2));
  o += texelFetch(e, ivec2(x.xy), 2) + texture(sampler2D(t[k], s[k & 1]), x.xy) + texture(sampler2D(t[2], s[1]), x.xy, 0.5);
  o += textureGather(a, x.xyz, 2) + textureGather(g, x.xy, 0.5) + textureGatherOffset(a, x.xyz, ivec2(k, 2)) + textureGradOffset(g, x.xyz, x.xy, x.zw, ivec2(1));
  o += textureProj(sampler2D(t[0], s[0]), x) + textureProj(g, x) + texture(sampler2DShadow(t[1], hs), x.xyz) + texture(v, x.xyz);
  o += textureGatherOffsets(sampler2D(t[0], s[0]), x.xy, ivec2[](ivec2(1), ivec2(2), ivec2(3), ivec2(4)));
  o.xy += textureQueryLod(a, x.xy) + vec2(textureSize(a, 1).xy) + textureSize(e) + textureQueryLevels(v) + textureSize(d) + textureSamples(e);
  u = texelFetch(c, ivec2(x.xy), k) + texture(c, x.xy); w = texelFetch(d, k).x;
})"},
    {Stage::fragment, R"(layout(set = 0, binding = 0, rgba8) uniform image2D a; layout(set = 0, binding = 1, r32ui) uniform uimage2DArray b;
layout(set = 0, binding = 2, r32i) uniform iimageBuffer c; layout(set = 0, binding = 3, rgba16f) writeonly uniform image3D d; layout(set = 0, binding = 4, r32f) uniform imageCube e[3];
layout(early_fragment_tests) in; layout(location = 0) out vec4 o; layout(location = 0) flat in ivec4 k;
void main() {
  o = imageLoad(a, k.xy) + imageLoad(e[k.x], k.xyz); imageStore(a, k.yx, o); imageStore(d, k.xyz, o.wzyx);
  imageStore(c, k.x, ivec4(imageSize(a).x)); o.x += float(imageAtomicAdd(b, k.xyz, 3u) + imageAtomicCompSwap(b, k.xyz, 1u, 2u)) + float(imageAtomicMin(c, k.x, -4));
})"},
    {Stage::fragment,
     R"(layout(location = 0) in vec4 x; layout(location = 1) centroid in vec2 y; layout(location = 2) sample in float z[3]; layout(location = 5) noperspective in vec3 q;
layout(location = 0, index = 0) out vec4 o; layout(location = 0, index = 1) out vec4 second; layout(depth_greater) out float gl_FragDepth;
void main() {
  o = interpolateAtCentroid(x) + interpolateAtSample(x, gl_SampleID) + interpolateAtOffset(x, y) + vec4(interpolateAtOffset(z[gl_PrimitiveID], vec2(0.25)));
  o.xy += gl_SamplePosition + gl_PointCoord; o.z += float(gl_SampleMaskIn[0] + gl_Layer + gl_ViewportIndex) + gl_ClipDistance[1] + q.z;
  second = gl_FragCoord; if (gl_HelperInvocation || !gl_FrontFacing) discard; gl_SampleMask[0] = 5; gl_FragDepth = dFdxFine(x.x) + fwidthFine(x.y) + dFdyCoarse(q.y);
})"},
    {Stage::fragment,
     R"(layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput a; layout(input_attachment_index = 1, set = 0, binding = 1) uniform usubpassInputMS b;
layout(location = 0) out vec4 o; void main() { o = subpassLoad(a) + vec4(subpassLoad(b, 2)); })"},
    {Stage::vertex,
     R"(layout(location = 0) in vec4 p; layout(location = 1) in ivec3 i; layout(location = 2) in uint u; layout(location = 3) in mat3 m;
layout(location = 0) out vec4 c; layout(location = 1) flat out ivec4 d; layout(location = 2) out vec3 arr[4]; out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[6]; float gl_CullDistance[2]; };
layout(set = 0, binding = 0) uniform sampler2D t; layout(set = 1, binding = 0) uniform B { mat4 mvp[8]; } b;
layout(std430, set = 1, binding = 1) buffer R { vec4 rest[]; };
vec4 skin(int k) { if (k < 0) return p; mat4 s = mat4(0); for (int j = 0; j < i.x; ++j) s += b.mvp[(k + j) & 7]; return s * p; }
void main() {
  gl_Position = skin(gl_InstanceIndex) + texture(t, p.xy) + rest[gl_VertexIndex]; gl_PointSize = 2.0; for (int k = 0; k < 6; ++k) gl_ClipDistance[k] = p[k & 3];
  gl_CullDistance[1] = 1.0; gl_CullDistance[0] = 0.5; c = vec4(m * p.xyz, 1); d = ivec4(i, u); for (int k = 0; k < 4; ++k) arr[(k + i.x) & 3] = p.xyz * float(k); rest[0] = p;
})"},
    {Stage::compute,
     R"(layout(local_size_x = 8, local_size_y = 8) in; shared float tile[8][9]; layout(std430, set = 0, binding = 0) readonly buffer A { float a[]; }; layout(std430, set = 0, binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform P { uint n; };
void main() {
  float sum = 0.0; for (uint k = 0u; k < n; k += 8u) { tile[gl_LocalInvocationID.y][gl_LocalInvocationID.x] = a[gl_GlobalInvocationID.y * n + k + gl_LocalInvocationID.x]; barrier();
    for (uint j = 0u; j < 8u; ++j) sum += tile[gl_LocalInvocationID.y][j] * tile[j][gl_LocalInvocationID.x]; memoryBarrierShared(); barrier(); }
  b[gl_LocalInvocationIndex + gl_WorkGroupID.x * 64u + gl_NumWorkGroups.z] = sum; })"},
    {Stage::fragment, R"(layout(location = 0) out vec4 o; layout(location = 0) in vec2 x;
float noise(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
void main() { vec3 c = vec3(0); for (int k = 0; k < 100; ++k) { vec2 q = x * float(k); if (noise(q) > 0.99) { if (q.x < 0.0) discard; break; } switch (k % 5) { case 0: c.x += noise(q); continue; case 3: c.y += 1.0; default: c.z += tan(q.x) + atan(q.y, q.x) + pow(q.x, 3.3) + sinh(q.y) + acos(q.x); } }
  o = vec4(c, 1); })"},
};

}  // namespace pumice::compiler
