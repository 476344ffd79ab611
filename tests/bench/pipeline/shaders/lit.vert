#version 450
// SPDX-License-Identifier: MIT
// Two directional lights and one point light at each vertex.
layout(constant_id = 0) const float unique = 1.0;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 model; vec4 light[3]; vec4 color[3]; vec4 ambient; } scene;
layout(location = 0) out vec4 out_color;
vec3 lit(vec3 n, vec3 to_light, vec3 color) { return max(dot(n, normalize(to_light)), 0.0) * color; }
void main() {
  vec4 world = scene.model * vec4(position, 1.0);
  vec3 n = normalize(mat3(scene.model) * normal);
  vec3 sum = scene.ambient.rgb * unique;
  sum += lit(n, scene.light[0].xyz, scene.color[0].rgb);
  sum += lit(n, scene.light[1].xyz, scene.color[1].rgb);
  vec3 d = scene.light[2].xyz - world.xyz;
  sum += lit(n, d, scene.color[2].rgb) / (1.0 + dot(d, d));
  out_color = vec4(sum, 1.0);
  gl_Position = scene.view_projection * world;
}
