#version 450
#extension GL_GOOGLE_include_directive : enable
// SPDX-License-Identifier: MIT
// A plane folded again and again: each fold mirrors, turns and scales it.
#include "gallery_common.glsl"
void main() {
  vec2 p = centred() * rotation(0.2 * push.place.z) * 1.1;
  vec3 color = vec3(0.0);
  float scale = 1.0;
  for (int i = 0; i < 6; ++i) {
    p = abs(p) - 0.52;
    p = p * rotation(0.62 + 0.12 * push.place.z) * 1.22;
    scale *= 1.22;
    float d = abs(length(p) - 0.42) / scale;
    color += palette(float(i) * 0.13 + 0.1 * push.place.z, vec3(0.9, 0.2, 0.45)) * (0.011 / (d + 0.012));
  }
  out_color = vec4(color * color * 0.32 + vec3(0.03, 0.02, 0.06), 1.0);
}
