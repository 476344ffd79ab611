#version 450
// SPDX-License-Identifier: MIT
layout(constant_id = 2) const float gain = 1.0;
layout(constant_id = 3) const float more = 0.0;
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 color;
void main() { color = vec4(v * gain + more, more, 1.0); }
