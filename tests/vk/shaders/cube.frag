#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform samplerCube image;
layout(push_constant) uniform Push { vec4 direction; float z; } push;
void main() { result = texture(image, push.direction.xyz); }
