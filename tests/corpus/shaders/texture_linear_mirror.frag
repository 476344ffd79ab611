// SPDX-License-Identifier: MIT
// range: -4 4
// precision: 64 1e-5
// texture: 32x16 linear mirror
#version 450
layout(location = 0) in vec4 in_a;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D t;
void main() {
  vec2 size = vec2(textureSize(t, 0));
  color = 0.5 * texture(t, in_a.xy) + 0.25 * (texture(t, in_a.xy + vec2(1.0, 0.0) / size) + texture(t, in_a.xy - vec2(0.0, 1.0) / size));
}
