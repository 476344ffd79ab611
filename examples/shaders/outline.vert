#version 450
// SPDX-License-Identifier: MIT
// The same mesh, grown from its centre (the origin) by the factor 1 + light.w: its faces stay joined at the edges, as they would not if
// they were pushed outwards along their normals.
layout(location = 0) in vec3 position;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 model; vec4 light; } scene;
void main() { gl_Position = scene.view_projection * scene.model * vec4(position * (1.0 + scene.light.w), 1.0); }
