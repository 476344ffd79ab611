#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
// Integers of 8 bits from every sort of memory.
layout(local_size_x = 16) in;
layout(constant_id = 0) const int8_t special = int8_t(5);
layout(constant_id = 1) const uint8_t factor = uint8_t(2);
layout(constant_id = 2) const int8_t count = int8_t(3);
// Of -100: 16, and 53 (-300 is -44 in 8 bits).
const int size = int(count / int8_t(-5)) - 4;
const int wrapped = (count < int8_t(0) ? 9 : 0) - int(count * int8_t(3));
const int8_t derived = special + int8_t(3);
layout(push_constant) uniform Push { int8_t pushed; u8vec3 shifts; };
layout(std140, binding = 0) uniform U { u8vec4 masks; i8vec3 terms[2]; } u;
layout(std430, binding = 1) buffer B { uint8_t data[]; };
layout(std430, binding = 2) buffer C { int words[]; };
shared uint8_t partial[size];
shared uint unused[wrapped];
void main() {
  const uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  const uint8_t x = data[i];
  partial[l] = x * factor;
  barrier();
  for (uint n = 8u; n > 0u; n >>= 1) {
    if (l < n) partial[l] += partial[l + n];
    barrier();
  }
  const int8_t y = int8_t(x) * pushed + u.terms[i & 1u][i % 3u];
  int w = int(y) + int(special) * 256;
  if (special == int8_t(-100)) w += 0x10000;
  if (partial.length() != 16) w = 1;
  if (unused.length() != 53) w = 2;
  words[i] = w + int(derived) * 0x100000 + (special < int8_t(0) ? 0x20000 : 0);
  data[i] = (partial[0] ^ x & u.masks[i & 3u]) >> shifts[i % 3u];
}
