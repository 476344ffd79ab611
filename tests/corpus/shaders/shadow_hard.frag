// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 lit;
layout(binding = 0) uniform sampler2DShadow map;
layout(location = 0) out vec4 color;
void main() { color = lit * (0.25 + 0.75 * texture(map, place.xyz)); }
