#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 out_color;
void main() { out_color = texture(image, uv * 1.37); }
