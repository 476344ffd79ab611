#version 450
// SPDX-License-Identifier: MIT
// First step of the glow: four texels become one, and only what is bright stays.
layout(location = 0) in vec2 uv;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Push { vec4 place; } push;  // xy: a texel of the image
layout(location = 0) out vec4 out_color;
void main() {
  vec3 sum = vec3(0.0);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x) sum += texture(image, uv + (vec2(x, y) - 0.5) * 2.0 * push.place.xy).rgb;
  sum *= 0.25;
  float luma = dot(sum, vec3(0.3, 0.59, 0.11));
  out_color = vec4(sum * smoothstep(0.45, 0.85, luma), 1.0);
}
