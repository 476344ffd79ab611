// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 64 2e-6
#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 scene;
layout(binding = 0) uniform sampler2D blurred;
layout(location = 0) out vec4 color;
void main() {
  vec3 b = max(texture(blurred, uv).rgb - 0.3, 0.0) * 1.5;
  color = vec4(1.0 - (1.0 - clamp(scene.rgb, 0.0, 1.0)) * (1.0 - clamp(b, 0.0, 1.0)), 1.0);
}
