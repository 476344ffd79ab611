#version 450
// SPDX-License-Identifier: MIT
// A texture, a normal and two lights with specular for each pixel.
layout(constant_id = 0) const float unique = 1.0;
layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 model; vec4 light[3]; vec4 color[3]; vec4 ambient; } scene;
layout(set = 0, binding = 1) uniform sampler2D albedo;
layout(location = 0) out vec4 color;
vec3 shade(vec3 n, vec3 view, vec3 to_light, vec3 light_color, vec3 base) {
  vec3 l = normalize(to_light);
  float diffuse = max(dot(n, l), 0.0);
  float specular = 0.0;
  if (diffuse > 0.0) specular = pow(max(dot(n, normalize(l + view)), 0.0), 32.0 * unique);
  return light_color * (base * diffuse + vec3(0.5) * specular);
}
void main() {
  vec4 base = texture(albedo, uv);
  vec3 n = normalize(normal), view = vec3(0.0, 0.0, 1.0);
  vec3 sum = scene.ambient.rgb * base.rgb;
  for (int i = 0; i < 2; ++i) sum += shade(n, view, scene.light[i].xyz, scene.color[i].rgb, base.rgb);
  color = vec4(sum, base.a);
}
