#version 450
// SPDX-License-Identifier: MIT
layout(constant_id = 0) const float unique = 1.0;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec3 out_normal;
void main() {
  out_uv = uv * unique;
  out_normal = normal;
  gl_Position = vec4(position, 1.0);
}
