// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 128 1e-5
#version 450
layout(location = 0) in vec4 c;
layout(location = 1) in float distance;
layout(binding = 0) uniform Fog { vec4 color; float density; } fog;
layout(location = 0) out vec4 color;
void main() {
  float d = distance * fog.density;
  color = mix(fog.color, c, clamp(exp(-d * d), 0.0, 1.0));
}
