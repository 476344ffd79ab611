// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 64 4e-3
#version 450
layout(location = 0) in vec2 p;
layout(binding = 0) uniform sampler2D noise;
layout(location = 0) out vec4 color;
void main() {
  float t = texture(noise, p).r + texture(noise, p * 2.0).r * 0.5;
  color = mix(vec4(0.1, 0.1, 0.2, 1.0), vec4(0.9), 0.5 + 0.5 * sin(p.x * 2.0 + t));
}
