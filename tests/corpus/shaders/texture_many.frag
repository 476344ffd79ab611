// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 16 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D t0;
layout(binding = 1) uniform sampler2D t1;
layout(binding = 2) uniform sampler2D t2;
layout(binding = 3) uniform sampler2D t3;
layout(location = 0) out vec4 color;
void main() { color = texture(t0, uv) * 0.1 + texture(t1, uv.yx) * 0.2 + texture(t2, uv + 0.25) * 0.3 + texture(t3, uv * 2.0) * 0.4; }
