#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(location = 0) flat in u64vec3 three;
layout(location = 2) flat in i64vec2 two[2];
layout(location = 4) in vec2 place;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { uint64_t base; };
void main() {
  const bool right = three == u64vec3(base, base + 1ul, base * base) && two[0] == i64vec2(-int64_t(base), 7l) && two[1].x == int64_t(base * 8ul) && two[1].y == -1l;
  const uint64_t x = uint64_t(gl_FragCoord.x) + (three.x << 32);
  color = vec4(right ? 1.0 : 0.0, float(x % 1000000007ul % 251ul) / 255.0, place.x > 0.0 ? 1.0 : 0.0, 1.0);
}
