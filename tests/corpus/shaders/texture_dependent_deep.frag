// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
  vec2 p = uv;
  for (int i = 0; i < 6; i++) p = floor(texture(image, p).xy * 16.0) * 0.0625 + 0.03125;
  color = vec4(p, 0.0, 1.0);
}
