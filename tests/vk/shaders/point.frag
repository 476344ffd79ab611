#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 result;
void main() { result = vec4(gl_PointCoord, 0.0, 1.0); }
