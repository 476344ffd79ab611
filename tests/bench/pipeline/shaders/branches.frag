#version 450
// SPDX-License-Identifier: MIT
// Many branches: a switch, early returns, nested ifs, a loop with break and continue.
layout(constant_id = 0) const float unique = 1.0;
layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 color;
vec3 ramp(float x) {
  if (x < 0.25) return vec3(0.0, 4.0 * x, 1.0);
  if (x < 0.5) return vec3(0.0, 1.0, 1.0 + 4.0 * (0.25 - x));
  if (x < 0.75) return vec3(4.0 * (x - 0.5), 1.0, 0.0);
  return vec3(1.0, 1.0 + 4.0 * (0.75 - x), 0.0);
}
vec4 kind(int k) {
  switch (k) {
    case 0: return vec4(ramp(uv.x), 1.0);
    case 1: return texture(picture, uv);
    case 2: {
      if (normal.x > normal.y) {
        if (normal.y > normal.z) return vec4(normal.zyx, 1.0);
        return vec4(normal.yzx, 0.5);
      } else if (normal.z > 0.0) {
        return vec4(ramp(normal.z), 1.0);
      }
      return vec4(0.1);
    }
    case 3: return vec4(sqrt(abs(uv)), 0.0, 1.0);
    default: break;
  }
  vec2 z = uv;
  float n = 0.0;
  for (int i = 0; i < 12; ++i) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + uv * unique;
    if (dot(z, z) > 4.0) break;
    if (z.x < 0.0) continue;
    n += 1.0;
  }
  return vec4(ramp(n / 12.0), 1.0);
}
void main() {
  int k = int(floor(uv.y * 5.0));
  vec4 c = kind(k);
  if (c.a < 0.2) discard;
  color = c;
}
