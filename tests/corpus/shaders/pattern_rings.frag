// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 64 1e-5
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() { color = vec4(step(0.5, fract(length(p) * 8.0))); }
