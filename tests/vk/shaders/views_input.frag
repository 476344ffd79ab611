#version 450
#extension GL_EXT_multiview : require
// SPDX-License-Identifier: MIT
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(before) + vec4(0, 0, gl_ViewIndex, 0) / 255.0; }
