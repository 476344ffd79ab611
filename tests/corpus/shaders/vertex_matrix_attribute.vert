// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 16 4e-6
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in mat4 model;
layout(location = 5) in mat2 uv_matrix;
layout(location = 0) out vec2 uv;
void main() {
  gl_Position = model * position;
  uv = uv_matrix * position.xy;
}
