// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 4e-5
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(binding = 0) uniform Spot { vec3 position; float inner; vec3 direction; float outer; } spot;
layout(location = 0) out vec4 color;
void main() {
  vec3 to = normalize(spot.position + 2.5 - position);
  float cone = smoothstep(-0.5 - spot.outer, 0.5 + spot.inner, dot(to, normalize(spot.direction)));
  color = vec4(vec3(cone * max(dot(normalize(normal), to), 0.0)), cone);
}
