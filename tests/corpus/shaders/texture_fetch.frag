// SPDX-License-Identifier: MIT
// range: 0 3.9
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 p;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(image, ivec2(p), 0); }
