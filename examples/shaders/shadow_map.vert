#version 450
// SPDX-License-Identifier: MIT
// The scene as the light sees it: depth alone.
layout(location = 0) in vec3 position;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 light_projection; vec4 to_light; vec4 eye; vec4 fog; } scene;
layout(push_constant) uniform Object { mat4 model; vec4 color; } object;
void main() { gl_Position = scene.light_projection * (object.model * vec4(position, 1.0)); }
