// SPDX-License-Identifier: MIT
// range: 0.05 7.95
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() { color = vec4(mod(floor(p.x) + floor(p.y), 2.0) < 0.5 ? 1.0 : 0.0); }
