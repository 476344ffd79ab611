// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 64 1e-5
#version 450
layout(location = 0) in vec3 hsv;
layout(location = 0) out vec4 color;
void main() {
  vec3 p = abs(fract(hsv.xxx + vec3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0);
  color = vec4(hsv.z * mix(vec3(1.0), clamp(p - 1.0, 0.0, 1.0), hsv.y), 1.0);
}
