// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 64 1e-5
#version 450
layout(location = 0) in vec3 v;
layout(location = 1) in vec4 q;
void main() { gl_Position = vec4(v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v), 1.0); }
