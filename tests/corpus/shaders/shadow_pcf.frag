// SPDX-License-Identifier: MIT
// range: 0.1 1
// precision: 16 1e-6
#version 450
layout(location = 0) in vec3 place;
layout(binding = 0) uniform sampler2DShadow map;
layout(location = 0) out vec4 color;
void main() {
  float sum = 0.0;
  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 2; x++) sum += texture(map, vec3(place.xy + vec2(float(x), float(y)) * 0.25, place.z));
  color = vec4(sum * 0.25);
}
