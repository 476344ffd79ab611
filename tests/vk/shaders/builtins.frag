#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 result;
void main() { result = vec4(gl_FragCoord.x / 16.0, gl_FragCoord.y / 16.0, gl_FragCoord.z, gl_FrontFacing ? 1.0 : 0.0); }
