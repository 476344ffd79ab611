// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 2e-5
// r300: 131072 0.02
#version 450
layout(location = 0) in vec3 place;
layout(binding = 0) uniform sampler2D map;
layout(location = 0) out vec4 color;
void main() {
  vec2 m = texture(map, place.xy).rg;
  float variance = max(m.y - m.x * m.x, 0.02), d = place.z * 0.5 - m.x;
  float most = variance / (variance + d * d);
  color = vec4(d <= 0.0 ? 1.0 : most);
}
