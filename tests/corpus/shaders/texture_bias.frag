// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = texture(image, uv, 0.5); }
