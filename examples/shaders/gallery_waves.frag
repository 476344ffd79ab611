#version 450
#extension GL_GOOGLE_include_directive : enable
// SPDX-License-Identifier: MIT
// Ripples of five sources; the slope of the water bends the light.
#include "gallery_common.glsl"
void main() {
  vec2 p = centred(), slope = vec2(0.0);
  float height = 0.0;
  for (int i = 0; i < 5; ++i) {
    float k = float(i) * 1.2566;
    vec2 d = p - 0.8 * vec2(cos(k + 0.4), sin(k * 1.5));
    float r = length(d) + 0.02, wave = r * 24.0 - push.place.z * 5.0, fade = 1.0 / (1.0 + 2.5 * r);
    height += fade * sin(wave);
    slope += fade * cos(wave) * d / r;
  }
  vec3 n = normalize(vec3(slope * 0.8, 1.0));
  float light = max(dot(n, normalize(vec3(-0.55, -0.65, 0.55))), 0.0);
  vec3 water = mix(vec3(0.01, 0.07, 0.22), vec3(0.16, 0.85, 0.78), clamp(0.5 + 0.45 * height, 0.0, 1.0));
  out_color = vec4(water * (0.35 + 0.9 * light) + vec3(1.0, 0.93, 0.75) * 0.8 * pow(light, 9.0), 1.0);
}
