// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 tint;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
  vec4 c = texture(image, uv) * tint;
  if (c.a < 0.3) discard;
  color = c;
}
