// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 64 1e-5
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(binding = 0) uniform U { mat4 transform; vec4 light; } u;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = u.transform * position;
  float d = dot(normalize(normal), normalize(u.light.xyz)) * 0.5 + 0.5;
  color = vec4(d * d);
}
