#version 450
#extension GL_GOOGLE_include_directive : enable
// SPDX-License-Identifier: MIT
// A tunnel: the screen in polar coordinates, 1/r runs along it.
#include "gallery_common.glsl"
void main() {
  vec2 p = centred();
  p += 0.18 * vec2(sin(push.place.z), cos(push.place.z * 1.3));
  float r = length(p) + 0.02, along = 0.55 / r + push.place.z * 0.8, around = atan(p.y, p.x) / kTurn + 0.06 * along;
  vec2 cell = abs(fract(vec2(along * 2.0, around * 12.0)) - 0.5);
  float rings = smoothstep(0.30, 0.46, max(cell.x, cell.y));
  vec3 wall = palette(along * 0.13 + 0.1, vec3(0.5, 0.63, 0.8)) * (0.22 + 0.6 * rings);
  vec3 lamp = vec3(1.0, 0.7, 0.3) * smoothstep(0.1, 0.0, abs(fract(along * 0.5) - 0.5)) * smoothstep(0.9, 0.3, r);
  out_color = vec4((wall + lamp) * smoothstep(0.03, 0.6, r), 1.0);
}
