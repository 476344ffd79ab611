// SPDX-License-Identifier: MIT
// range: 0.1 1
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = vec4(texture(image, uv + vec2(0.25, 0.0)).r, texture(image, uv).g, texture(image, uv - vec2(0.25, 0.0)).b, 1.0); }
