// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 64 1e-5
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0 - smoothstep(0.4, 0.6, length(p))); }
