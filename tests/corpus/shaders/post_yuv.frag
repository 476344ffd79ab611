// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 16 1e-6
#version 450
layout(location = 0) in vec3 yuv;
layout(location = 0) out vec4 color;
const mat3 matrix = mat3(1.0, 1.0, 1.0, 0.0, -0.39465, 2.03211, 1.13983, -0.58060, 0.0);
void main() { color = vec4(matrix * (yuv - vec3(0.0, 0.5, 0.5)), 1.0); }
