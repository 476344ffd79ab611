#version 450
// SPDX-License-Identifier: MIT
// A matrix and a colour for each draw come as push constants.
layout(location = 0) in vec3 position;
layout(push_constant) uniform Push { mat4 transform; vec4 color; } push;
layout(location = 0) out vec4 out_color;
void main() {
  out_color = push.color;
  gl_Position = push.transform * vec4(position, 1.0);
}
