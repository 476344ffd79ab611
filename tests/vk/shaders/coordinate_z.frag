#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out float z;
void main() { z = gl_FragCoord.z; }
