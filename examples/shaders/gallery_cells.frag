#version 450
#extension GL_GOOGLE_include_directive : enable
// SPDX-License-Identifier: MIT
// Cells around moving points: the distances to the nearest and the second nearest make glass with leaded joints.
#include "gallery_common.glsl"
void main() {
  vec2 p = centred() * 2.4, base = floor(p);
  float first = 8.0, second = 8.0, tone = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      vec2 cell = base + vec2(x, y);
      vec2 random = fract(sin(vec2(dot(cell, vec2(2.17, 3.11)), dot(cell, vec2(1.69, 2.83)))) * 7.3);
      vec2 d = cell + 0.5 + 0.38 * sin(push.place.z + kTurn * random) - p;
      float near = dot(d, d);
      second = min(second, max(near, first));
      tone = near < first ? random.x + 0.37 * random.y : tone;
      first = min(first, near);
    }
  float joint = smoothstep(0.03, 0.13, sqrt(second) - sqrt(first));
  vec3 glass = palette(tone, vec3(0.0, 0.33, 0.67)) * (0.9 - 0.55 * first);
  out_color = vec4(glass * joint + vec3(0.9, 0.8, 0.6) * 0.28 * smoothstep(0.06, 0.0, abs(sqrt(first) - 0.12)), 1.0);
}
