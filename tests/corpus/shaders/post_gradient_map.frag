// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 64 4e-6
#version 450
layout(location = 0) in float t;
layout(binding = 0) uniform G { vec4 stop[4]; } gradient;
layout(location = 0) out vec4 color;
void main() {
  vec4 c = mix(gradient.stop[0], gradient.stop[1], smoothstep(0.0, 0.33, t));
  c = mix(c, gradient.stop[2], smoothstep(0.33, 0.66, t));
  color = mix(c, gradient.stop[3], smoothstep(0.66, 1.0, t));
}
