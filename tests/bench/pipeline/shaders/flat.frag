#version 450
// SPDX-License-Identifier: MIT
layout(constant_id = 0) const float unique = 1.0;
layout(location = 0) out vec4 color;
void main() { color = vec4(0.2, 0.4, unique, 1.0); }
