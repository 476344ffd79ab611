// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 256 1e-4
#version 450
layout(location = 0) in vec3 p;
layout(location = 0) out vec4 color;
void main() {
  float r = fract(length(p.xy) * 4.0 + p.z);
  color = vec4(mix(vec3(0.6, 0.3, 0.1), vec3(0.9, 0.7, 0.4), smoothstep(0.2, 0.8, r)), 1.0);
}
