// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 64 1e-5
// texture: 16x8 linear
#version 450
layout(location = 0) in vec4 in_a;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D t;
void main() {
  color = vec4(texture(t, in_a.xy * 0.37).xyz, texture(t, in_a.zw * 0.57).w);
}
