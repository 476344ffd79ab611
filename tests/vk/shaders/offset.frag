#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform sampler2D image;
void main() { result = textureOffset(image, uv, ivec2(1, -2)); }
