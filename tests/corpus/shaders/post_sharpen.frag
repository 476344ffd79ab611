// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 64 2e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
  vec4 c = texture(image, uv) * 5.0;
  c -= texture(image, uv + vec2(0.25, 0.0)) + texture(image, uv - vec2(0.25, 0.0)) + texture(image, uv + vec2(0.0, 0.25)) + texture(image, uv - vec2(0.0, 0.25));
  color = clamp(c, 0.0, 1.0);
}
