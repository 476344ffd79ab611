#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(location = 0) flat out u64vec3 three;
layout(location = 2) flat out i64vec2 two[2];
layout(location = 4) out vec2 place;
layout(push_constant) uniform Push { uint64_t base; };
void main() {
  place = vec2(gl_VertexIndex << 1 & 2, gl_VertexIndex & 2);
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
  three = u64vec3(base, base + 1ul, base * base);
  two[0] = i64vec2(-int64_t(base), 7l);
  two[1] = i64vec2(int64_t(base) << 3, -1l);
}
