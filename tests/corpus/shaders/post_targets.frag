// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 albedo;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec2 motion;
layout(location = 3) out float roughness;
void main() {
  albedo = a * 0.5 + 0.5;
  normal = a * b;
  motion = a.xy - b.zw;
  roughness = abs(b.x);
}
