// SPDX-License-Identifier: MIT
// range: 0.3 2
// precision: 4 1e-6
#version 450
layout(location = 0) in vec4 p;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = textureProj(image, p.xyz) + textureProj(image, p); }
