// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 64 2e-5
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 tint;
layout(binding = 0) uniform U { mat4 model; mat4 view; mat4 projection; } u;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = u.projection * (u.view * (u.model * position));
  color = tint;
}
