// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 128 1e-5
#version 450
layout(location = 0) in vec3 normal;
layout(binding = 0) uniform U { vec3 sky; vec3 ground; } u;
layout(location = 0) out vec4 color;
void main() { color = vec4(mix(u.ground, u.sky, normalize(normal).y * 0.5 + 0.5), 1.0); }
