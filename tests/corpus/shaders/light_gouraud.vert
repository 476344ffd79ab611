// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 4e-5
#version 450
struct Light { vec4 position; vec4 color; };
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(binding = 0) uniform U { mat4 transform; Light light[3]; float shininess; } u;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = u.transform * position;
  vec3 n = normalize(normal);
  color = vec4(0.1);
  for (int i = 0; i < 3; i++) {
    vec3 l = normalize(u.light[i].position.xyz + 3.0 - position.xyz);
    float d = max(dot(n, l), 0.0);
    color += u.light[i].color * (d + pow(d + 0.1, u.shininess));
  }
}
