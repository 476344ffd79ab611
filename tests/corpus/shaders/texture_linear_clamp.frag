// SPDX-License-Identifier: MIT
// range: -1 2
// precision: 64 1e-5
// texture: 8x32 linear clamp
#version 450
layout(location = 0) in vec4 in_a;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D t;
void main() {
  color = mix(texture(t, in_a.xy), textureProj(t, vec3(in_a.zw, 2.0)), 0.25);
}
