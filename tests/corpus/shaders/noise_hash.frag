// SPDX-License-Identifier: MIT
// range: 0 8
// precision: 64 1e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
float hash(vec2 c) { return mod((c.x * 7.0 + c.y * 11.0) * (c.x + 3.0) + 5.5, 31.0); }
void main() { color = vec4(hash(floor(p)), hash(floor(p) + 1.0), hash(floor(p.yx)), 1.0) / 31.0; }
