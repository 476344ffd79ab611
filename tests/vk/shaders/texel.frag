#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Push { vec4 tint; float z; } push;
void main() { result = textureLod(image, uv * push.tint.xy + push.tint.zw, 0.0); }
