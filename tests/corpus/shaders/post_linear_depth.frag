// SPDX-License-Identifier: MIT
// range: 0.05 0.95
// precision: 64 1e-6
#version 450
layout(location = 0) in float z;
layout(location = 0) out vec4 color;
void main() { color = vec4(2.0 * 0.1 / (10.0 + 0.1 - z * (10.0 - 0.1))); }
