#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) flat out uint bits;
layout(push_constant) uniform Push { float base; };
void main() {
  const vec2 place = vec2(gl_VertexIndex << 1 & 2, gl_VertexIndex & 2);
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
  const int8_t byte = int8_t(gl_VertexIndex) * int8_t(50) + int8_t(100);
  bits = packFloat2x16(f16vec2(float16_t(base) / float16_t(3), 0.0hf)) | uint(uint8_t(byte + int8_t(100))) << 16;
}
