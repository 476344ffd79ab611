// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 4e-5
#version 450
struct Light { vec4 position; vec3 color; float radius; };
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 position;
layout(binding = 0) uniform Lights { Light light[4]; vec4 ambient; } lights;
layout(location = 0) out vec4 color;
void main() {
  vec3 n = normalize(normal), sum = lights.ambient.rgb;
  for (int i = 0; i < 4; i++) {
    vec3 to = lights.light[i].position.xyz - position + 3.0;
    float distance2 = dot(to, to);
    sum += lights.light[i].color * max(dot(n, to * inversesqrt(distance2)), 0.0) / (1.0 + distance2 * lights.light[i].radius);
  }
  color = vec4(sum, 1.0);
}
