// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 512 1e-4
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 n;
layout(binding = 0) uniform U { mat4 model; } u;
layout(location = 0) out vec3 normal;
void main() {
  gl_Position = u.model * position;
  normal = normalize(transpose(inverse(mat3(u.model) + mat3(4.0))) * n);
}
