#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Floats of 16 bits from every sort of memory.
layout(local_size_x = 16) in;
layout(constant_id = 0) const float16_t special = 5.0hf;
layout(constant_id = 1) const int16_t whole = 2s;
layout(push_constant) uniform Push { float16_t pushed; f16vec3 steps; };
layout(std140, binding = 0) uniform U { f16vec4 factors; f16mat2x3 m; } u;
layout(std430, binding = 1) buffer B { float16_t data[]; };
layout(std430, binding = 2) buffer C { uint words[]; };
shared float16_t partial[16];
void main() {
  const uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  const float16_t x = data[i];
  partial[l] = x * u.factors[l & 3u];
  barrier();
  for (uint n = 8u; n > 0u; n >>= 1) {
    if (l < n) partial[l] += partial[l + n];
    barrier();
  }
  // Two columns of three: a product of the matrix alone is rounded once.
  const f16vec3 v = u.m * f16vec2(x, 0.0hf);
  const float16_t y = v.z + special, z = v.x / pushed + float16_t(whole);
  words[i] = packFloat2x16(f16vec2(y, z));
  data[i] = partial[0] - steps[i % 3u];
}
