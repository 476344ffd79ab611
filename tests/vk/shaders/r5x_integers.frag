// SPDX-License-Identifier: MIT
// Integer, unsigned and float targets at once, and a store.
#version 450
layout(early_fragment_tests) in;
layout(location = 0) flat in ivec2 number;
layout(location = 1) in vec2 place;
layout(location = 0) out ivec4 signed_out;
layout(location = 1) out uvec4 unsigned_out;
layout(location = 2) out vec4 float_out;
layout(set = 0, binding = 0) buffer Count { uint count; uint instances; } counted;
void main() {
  signed_out = ivec4(number, -number);
  unsigned_out = uvec4(gl_FragCoord.xy, 0x80000000u, 7);
  float_out = vec4(place, 0.25, 4.0);
  atomicAdd(counted.count, 1u);
  atomicOr(counted.instances, 1u << number.x);
}
