// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 16 4e-6
#version 450
layout(location = 0) in vec3 center;
layout(location = 1) in vec2 corner;
layout(binding = 0) uniform U { vec4 right; vec4 up; mat4 transform; } u;
layout(location = 0) out vec2 uv;
void main() {
  gl_Position = u.transform * vec4(center + u.right.xyz * corner.x + u.up.xyz * corner.y, 1.0);
  uv = corner * 0.5 + 0.5;
}
