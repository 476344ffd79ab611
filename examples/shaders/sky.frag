#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 direction;
layout(location = 0) out vec4 out_color;
layout(set = 0, binding = 0) uniform samplerCube sky;
void main() { out_color = texture(sky, direction); }
