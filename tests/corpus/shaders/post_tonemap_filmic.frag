// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 64 2e-6
#version 450
layout(location = 0) in vec4 hdr;
layout(location = 0) out vec4 color;
vec3 curve(vec3 x) { return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.0667; }
void main() { color = vec4(curve(hdr.rgb * 2.0) / curve(vec3(11.2)), 1.0); }
