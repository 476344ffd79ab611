#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 model; vec4 light; } scene;
layout(location = 0) out vec3 out_normal;
void main() {
  out_normal = mat3(scene.model) * normal;
  gl_Position = scene.view_projection * scene.model * vec4(position, 1.0);
}
