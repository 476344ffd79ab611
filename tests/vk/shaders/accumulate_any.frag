#version 450
#extension GL_EXT_nonuniform_qualifier : require
// SPDX-License-Identifier: MIT
// accumulate.frag, through a descriptor of which the code does not know the number.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before[2];
layout(push_constant) uniform Push { vec4 tint; float z; int number; } push;
void main() { result = vec4(2.0 * subpassLoad(before[push.number]).rgb + vec3(1.0 / 16.0), color.a); }
