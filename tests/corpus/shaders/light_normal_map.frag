// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 2e-5
// r300: 65536 0.02
#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 tangent;
layout(location = 2) in vec3 normal;
layout(location = 3) in vec3 light;
layout(binding = 0) uniform sampler2D normals;
layout(location = 0) out vec4 color;
void main() {
  vec3 n = normalize(normal), t = normalize(tangent - n * dot(n, tangent) * 0.5), b = cross(n, t);
  vec3 m = texture(normals, uv).xyz * 2.0 - 1.0;
  color = vec4(vec3(max(dot(normalize(mat3(t, b, n) * m), normalize(light)), 0.0)), 1.0);
}
