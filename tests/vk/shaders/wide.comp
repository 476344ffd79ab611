#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Integers of 64 bits from every sort of memory.
layout(local_size_x = 16) in;
layout(constant_id = 0) const int64_t special = 5l;
layout(constant_id = 1) const bool doubled = false;
const uint64_t derived = uint64_t(special) + 3ul;
layout(push_constant) uniform Push { uint pad; uint64_t pushed; };
layout(std140, binding = 0) uniform U { uint64_t factor; i64vec3 terms; } u;
layout(std430, binding = 1) buffer B { uint64_t data[]; };
layout(std430, binding = 2) buffer C { uint64_t sums[]; };
shared uint64_t partial[16];
void main() {
  const uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  const uint64_t x = data[i];
  partial[l] = x * u.factor + uint64_t(u.terms.z);
  barrier();
  for (uint n = 8u; n > 0u; n >>= 1) {
    if (l < n) partial[l] += partial[l + n];
    barrier();
  }
  if (l == 0u) sums[gl_WorkGroupID.x] = partial[0];
  uint64_t y = pushed == 0ul ? x : x / pushed ^ x % pushed << 7;
  y = doubled ? y * 2ul : y;
  data[i] = y + uint64_t(special) + derived;
}
