#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) buffer Block { vec4 color; } block;
void main() { result = block.color; }
