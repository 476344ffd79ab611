#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { float f[4]; float old[32]; };
layout(set = 0, binding = 1, r32f) uniform image2D image;
shared float s, t;
void main() {
  float x = float(gl_LocalInvocationIndex) * 0.75 - 9.0;
  old[gl_LocalInvocationIndex] = atomicMin(f[0], x);
  atomicMax(f[1], x);
  if (gl_LocalInvocationIndex == 0u) s = 1.0, t = -1.0;
  barrier();
  atomicMin(s, x);
  atomicMax(t, x);
  imageAtomicMin(image, ivec2(0, 0), x);
  imageAtomicMax(image, ivec2(1, 0), x);
  barrier();
  f[2] = s, f[3] = t;
}
