#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(push_constant) uniform Push { mat4 transform; } push;
layout(location = 0) out vec3 direction;
void main() {
  direction = position;
  gl_Position = push.transform * vec4(position, 1.0);
}
