// SPDX-License-Identifier: MIT
// range: 0.3 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 place;
layout(binding = 0) uniform sampler2DShadow map;
layout(location = 0) out vec4 color;
void main() { color = vec4(textureProj(map, place)); }
