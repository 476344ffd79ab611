// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 16 4e-6
#version 450
layout(location = 0) in vec3 p0;
layout(location = 1) in vec3 p1;
layout(location = 2) in vec3 p2;
layout(binding = 0) uniform U { vec4 weight; } u;
void main() { gl_Position = vec4(p0 + (p1 - p0) * u.weight.x + (p2 - p0) * u.weight.y, 1.0); }
