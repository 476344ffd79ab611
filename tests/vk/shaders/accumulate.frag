#version 450
// SPDX-License-Identifier: MIT
// Twice what is there, and a sixteenth more: blending in the program.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
void main() { result = vec4(2.0 * subpassLoad(before).rgb + vec3(1.0 / 16.0), color.a); }
