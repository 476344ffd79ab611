// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
  if (uv.x > 0.0) color = texture(image, uv);
  else color = texture(image, uv.yx) * 0.5;
}
