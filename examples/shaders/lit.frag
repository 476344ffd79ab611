#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 normal;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 model; vec4 light; } scene;
layout(location = 0) out vec4 out_color;
void main() {
  float diffuse = max(dot(normalize(normal), scene.light.xyz), 0.0);
  out_color = vec4(vec3(0.15, 0.18, 0.22) + diffuse * vec3(0.85, 0.65, 0.35), 1.0);
}
