// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 4 1e-6
#version 450
layout(location = 0) in vec4 c;
layout(location = 0) out vec4 color;
void main() { color = vec4(c.rgb * c.a, c.a); }
