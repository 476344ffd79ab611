// SPDX-License-Identifier: MIT
// range: -3 3
// precision: 64 1e-5
// texture: 64x16 mirror
#version 450
layout(location = 0) in vec4 in_a;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D t;
void main() {
  color = texture(t, in_a.xy) - texture(t, in_a.zw).wzyx;
}
