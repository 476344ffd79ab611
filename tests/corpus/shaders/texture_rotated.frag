// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 4 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(push_constant) uniform P { vec2 offset; } push;
layout(location = 0) out vec4 color;
void main() { color = texture(image, vec2(-uv.y, uv.x)).bgra * push.offset.xyxy; }
