#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 light_projection; vec4 to_light; vec4 eye; vec4 fog; } scene;
layout(push_constant) uniform Object { mat4 model; vec4 color; } object;
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec3 out_to_eye;
layout(location = 2) out vec3 out_shadow;  // place in the shadow map, depth there
layout(location = 3) out vec2 out_uv;
void main() {
  vec4 world = object.model * vec4(position, 1.0);
  vec4 in_light = scene.light_projection * world;  // parallel light: w is 1
  out_normal = mat3(object.model) * normal;
  out_to_eye = scene.eye.xyz - world.xyz;
  out_shadow = vec3(in_light.xy * 0.5 + 0.5, in_light.z);
  out_uv = uv;
  gl_Position = scene.view_projection * world;
}
