#version 450
// SPDX-License-Identifier: MIT
// The end of the chain: picture and glow together, colours fringed towards the corners, a film curve, a vignette.
layout(location = 0) in vec2 uv;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform sampler2D glow;
layout(location = 0) out vec4 out_color;
void main() {
  vec2 from_middle = uv - 0.5;
  float corner = dot(from_middle, from_middle);
  vec2 fringe = from_middle * corner * 0.012;
  vec3 color = vec3(texture(image, uv - fringe).r, texture(image, uv).g, texture(image, uv + fringe).b);
  color += 0.9 * texture(glow, uv).rgb;
  color = color * (1.0 + 0.35 * color) / (1.0 + 0.55 * color);
  out_color = vec4(color * (1.08 - 0.7 * corner), 1.0);
}
