// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 2e-5
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 view;
layout(location = 2) in vec3 to_light;
layout(binding = 0) uniform Material { vec3 ambient; vec3 diffuse; vec3 specular; float shininess; } material;
layout(location = 0) out vec4 color;
void main() {
  vec3 n = normalize(normal), l = normalize(to_light), v = normalize(view);
  vec3 r = reflect(-l, n);
  float s = pow(max(dot(r, v), 0.01), material.shininess * 8.0);
  color = vec4(material.ambient + material.diffuse * max(dot(n, l), 0.0) + material.specular * s, 1.0);
}
