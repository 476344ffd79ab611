// SPDX-License-Identifier: MIT
// range: 0.05 3.95
// precision: 256 1e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
vec2 point(vec2 c) { return vec2(mod(c.x * 3.0 + c.y * 5.0, 7.0), mod(c.x * 5.0 + c.y * 2.0, 7.0)) / 8.0; }
void main() {
  vec2 i = floor(p), f = fract(p);
  float nearest = 8.0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) {
      vec2 o = vec2(float(x), float(y));
      vec2 d = o + point(i + o + 1.0) - f;
      nearest = min(nearest, dot(d, d));
    }
  color = vec4(sqrt(nearest));
}
