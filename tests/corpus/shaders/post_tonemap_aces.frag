// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 64 2e-6
#version 450
layout(location = 0) in vec4 hdr;
layout(location = 0) out vec4 color;
void main() {
  vec3 x = hdr.rgb;
  color = vec4(clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0), 1.0);
}
