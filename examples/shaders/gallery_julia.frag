#version 450
#extension GL_GOOGLE_include_directive : enable
// SPDX-License-Identifier: MIT
// A Julia set, coloured by how soon a point leaves, in smooth steps, and inside by how near it came to the middle.
#include "gallery_common.glsl"
void main() {
  vec2 z = centred() * 1.2;
  float angle = 1.92 + 0.2 * sin(push.place.z * 0.7);
  vec2 c = 0.757 * vec2(cos(angle), sin(angle));
  float d = dot(z, z), rounds = 0.0, nearest = 4.0;
  for (int i = 0; i < 40; ++i) {
    if (d < 64.0) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
      d = dot(z, z);
      rounds += 1.0;
      nearest = min(nearest, d);
    }
  }
  float smoothed = rounds - log2(0.5 * log2(max(d, 4.0)));
  vec3 outside = palette(0.32 + 0.021 * smoothed, vec3(0.30, 0.18, 0.05)) * smoothstep(-2.0, 16.0, smoothed);
  vec3 inside = vec3(0.95, 0.55, 0.25) * 0.6 * sqrt(nearest);
  out_color = vec4(d < 64.0 ? inside : outside, 1.0);
}
