// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 c;
layout(location = 0) out vec4 color;
void main() {
  color = vec4(dot(c.rgb, vec3(0.393, 0.769, 0.189)), dot(c.rgb, vec3(0.349, 0.686, 0.168)), dot(c.rgb, vec3(0.272, 0.534, 0.131)), c.a);
}
