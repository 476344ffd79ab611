// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 64 4e-6
#version 450
layout(location = 0) in vec2 p;
layout(location = 1) in vec4 c;
layout(location = 0) out vec4 color;
void main() { color = c * smoothstep(1.5, 0.4, length(p)); }
