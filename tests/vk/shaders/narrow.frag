#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) flat in uint bits;
layout(location = 0) out vec4 color;
void main() {
  const float16_t factor = unpackFloat2x16(bits).x, x = float16_t(gl_FragCoord.x) * factor;
  const uint code = packFloat2x16(f16vec2(x * x + 1.0hf, 0.0hf));
  const uint8_t byte = uint8_t(gl_FragCoord.y) * uint8_t(37) + uint8_t(bits >> 16);
  color = vec4(uvec3(code & 0xFFu, code >> 8 & 0xFFu, byte), dFdx(float(x)) > 0.0 ? 255.0 : 0.0) / 255.0;
}
