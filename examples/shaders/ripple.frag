#version 450
// SPDX-License-Identifier: MIT
// Second pass: shows the picture of the first one through moving water.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Push { float time; } push;
void main() {
  vec2 offset = vec2(sin(uv.y * 20.0 + push.time), cos(uv.x * 20.0 + push.time)) * 0.012;
  vec3 color = texture(image, uv + offset).rgb;
  float edge = smoothstep(0.0, 0.1, min(min(uv.x, 1.0 - uv.x), min(uv.y, 1.0 - uv.y)));
  out_color = vec4(color * edge, 1.0);
}
