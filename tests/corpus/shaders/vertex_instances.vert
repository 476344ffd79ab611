// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 4 1e-6
#version 450
layout(location = 0) in vec4 position;
layout(binding = 0) uniform U { vec4 offset[4]; } u;
void main() { gl_Position = position + u.offset[gl_InstanceIndex] + vec4(float(gl_VertexIndex)); }
