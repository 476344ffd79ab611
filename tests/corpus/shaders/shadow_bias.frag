// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 64 1e-5
#version 450
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 light;
layout(binding = 0) uniform sampler2D map;
layout(location = 0) out vec4 color;
void main() {
  float d = dot(normalize(normal), normalize(light)), bias = max(0.05 * (1.0 - d), 0.005);
  float stored = texture(map, place.xy).r;
  color = vec4(place.z * 0.5 - bias > stored ? 0.3 : 1.0);
}
