#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 to_eye;
layout(location = 2) in vec3 shadow;
layout(location = 3) in vec2 uv;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; mat4 light_projection; vec4 to_light; vec4 eye; vec4 fog; } scene;
layout(set = 0, binding = 1) uniform sampler2DShadow shadow_map;
layout(set = 1, binding = 0) uniform sampler2D surface;
layout(push_constant) uniform Object { mat4 model; vec4 color; } object;  // color.w: gloss
layout(location = 0) out vec4 out_color;

// The part of the light that arrives: 16 texels around, so that the edges of shadows are soft.
float light() {
  float sum = 0.0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      sum += texture(shadow_map, vec3(shadow.xy + (vec2(x, y) - 1.5) * scene.to_light.w, shadow.z));
  return sum / 16.0;
}

void main() {
  vec3 n = normalize(normal), v = normalize(to_eye), l = scene.to_light.xyz;
  vec3 color = texture(surface, uv).rgb * object.color.rgb;
  color *= color;  // textures are made for the eye, light adds up linearly
  float arrives = light();
  float diffuse = max(dot(n, l), 0.0) * arrives;
  float gloss = pow(max(dot(n, normalize(l + v)), 0.0), 48.0) * object.color.w * arrives;
  vec3 ambient = mix(vec3(0.16, 0.13, 0.11), vec3(0.22, 0.28, 0.38), n.y * 0.5 + 0.5);
  vec3 shaded = color * (ambient + diffuse * vec3(1.35, 1.2, 0.95)) + gloss * vec3(1.0, 0.93, 0.8);
  float distance = length(to_eye);
  float haze = clamp((distance - 9.0) * 0.055, 0.0, 1.0);
  out_color = vec4(mix(sqrt(shaded), scene.fog.rgb, haze * haze * (3.0 - 2.0 * haze)), 1.0);
}
