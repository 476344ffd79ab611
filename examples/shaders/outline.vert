#version 450
// SPDX-License-Identifier: MIT
// The same mesh, pushed outwards along its normals by light.w.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 model; vec4 light; } scene;
void main() { gl_Position = scene.view_projection * scene.model * vec4(position + normal * scene.light.w, 1.0); }
