// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 hdr;
layout(location = 0) out vec4 color;
void main() {
  float l = dot(hdr.rgb, vec3(0.2126, 0.7152, 0.0722));
  color = vec4(hdr.rgb / (1.0 + l), hdr.a);
}
