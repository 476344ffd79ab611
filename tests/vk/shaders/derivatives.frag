#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 result;
void main() { result = vec4(dFdx(v), dFdy(v)); }
