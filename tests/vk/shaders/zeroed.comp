// SPDX-License-Identifier: MIT
// Local memory that begins with zeroes (VK_KHR_zero_initialize_workgroup_memory); each workgroup leaves other values there.
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
struct Mixed { vec3 a; uint b[5]; };
shared uint words[256] = {};
shared Mixed mixed[4] = {};
void main() {
  uint i = gl_LocalInvocationIndex, n = gl_GlobalInvocationID.x, sum = 0;
  for (uint k = 0; k < 256; ++k) sum |= words[(i + k) % 256];
  for (uint k = 0; k < 20; ++k) sum |= mixed[k / 5].b[k % 5] | floatBitsToUint(mixed[k / 5].a[k % 3]);
  barrier();
  for (uint k = 0; k < 4; ++k) words[4 * i + k] = ~n;
  if (i < 20) mixed[i / 5].b[i % 5] = 7, mixed[i / 5].a = vec3(1);
  o[n] = n + 1 + sum;
}
