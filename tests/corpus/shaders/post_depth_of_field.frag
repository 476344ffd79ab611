// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 64 4e-6
#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in float depth;
layout(binding = 0) uniform sampler2D sharp;
layout(location = 0) out vec4 color;
void main() {
  float blur = clamp(abs(depth - 1.0) * 2.0, 0.0, 1.0);
  vec4 near = texture(sharp, uv), far = (texture(sharp, uv + 0.25) + texture(sharp, uv - 0.25)) * 0.5;
  color = mix(near, far, blur);
}
