// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 16 2e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
float luma(vec2 o) { return dot(texture(image, uv + o * 0.25).rgb, vec3(0.299, 0.587, 0.114)); }
void main() {
  float m = luma(vec2(0.0)), n = luma(vec2(0.0, -1.0)), s = luma(vec2(0.0, 1.0)), e = luma(vec2(1.0, 0.0)), w = luma(vec2(-1.0, 0.0));
  float low = min(m, min(min(n, s), min(e, w))), high = max(m, max(max(n, s), max(e, w)));
  color = vec4(high - low, low, high, high - low > 0.1 ? 1.0 : 0.0);
}
