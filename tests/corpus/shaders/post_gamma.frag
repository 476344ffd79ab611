// SPDX-License-Identifier: MIT
// range: 0.01 2
// precision: 128 2e-5
#version 450
layout(location = 0) in vec4 linear;
layout(location = 0) out vec4 color;
void main() { color = vec4(pow(linear.rgb, vec3(1.0 / 2.2)), linear.a); }
