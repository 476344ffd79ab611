#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(push_constant) uniform Push { mat4 transform; } push;
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_uv;
void main() {
  out_normal = normal;
  out_uv = uv;
  gl_Position = push.transform * vec4(position, 1.0);
}
