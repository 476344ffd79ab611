#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 out_color;
layout(push_constant) uniform Push { vec4 tint; float z; } push;
void main() {
  out_color = color;
  gl_PointSize = push.tint.x;
  gl_Position = vec4(position, 0.5, 1.0);
}
