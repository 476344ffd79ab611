#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 narrow;
layout(location = 1) in float first;
layout(location = 0) out vec4 result;
void main() { result = vec4(narrow, first, 1.0); }
