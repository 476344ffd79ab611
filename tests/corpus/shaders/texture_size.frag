// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 0 0
#version 450
layout(location = 0) in vec2 p;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = vec4(vec2(textureSize(image, 0)), p); }
