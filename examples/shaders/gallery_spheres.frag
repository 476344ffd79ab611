#version 450
#extension GL_GOOGLE_include_directive : enable
// SPDX-License-Identifier: MIT
// Ray marching: a distance field of blended balls over a floor, lit.
#include "gallery_common.glsl"
float field(vec3 p) {
  float sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    float k = float(i) * 1.7 + push.place.z;
    vec3 at = vec3(0.85 * sin(k), 0.28 + 0.35 * sin(k * 1.3), 0.75 * cos(k * 0.9));
    sum += exp2(-7.0 * (length(p - at) - 0.38));
  }
  return -log2(sum + exp2(-7.0 * (p.y + 0.45))) / 7.0;
}
void main() {
  vec3 eye = vec3(0.0, 0.75, -3.2), ray = normalize(vec3(centred() * vec2(1.0, -1.0) * 0.62, 1.35) - vec3(0.0, 0.22, 0.0));
  float t = 1.2;
  for (int i = 0; i < 22; ++i) t = min(t + 0.92 * field(eye + ray * t), 9.0);
  vec3 p = eye + ray * t;
  float e = 0.02, here = field(p);
  vec3 n = normalize(vec3(field(p + vec3(e, 0, 0)), field(p + vec3(0, e, 0)), field(p + vec3(0, 0, e))) - here + 1e-6);
  vec3 l = normalize(vec3(0.5, 0.8, -0.55));
  float open = clamp(field(p + n * 0.35) / 0.35, 0.0, 1.0), diffuse = max(dot(n, l), 0.0);
  vec3 body = mix(vec3(0.24, 0.26, 0.3), palette(0.35 * p.y + 0.25 * p.x, vec3(0.0, 0.25, 0.55)), smoothstep(-0.42, -0.1, p.y));
  float gloss = pow(max(dot(reflect(ray, n), l), 0.0), 32.0);
  vec3 lit = body * (0.2 + 0.3 * open + 0.8 * diffuse * open) + 0.7 * gloss;
  out_color = vec4(mix(lit, vec3(0.05, 0.06, 0.1), smoothstep(4.0, 8.5, t)), 1.0);
}
