#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform Block { vec4 color[2]; } block;
void main() { result = uv.x < 0.5 ? block.color[0] : block.color[1]; }
