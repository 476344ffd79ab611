// SPDX-License-Identifier: MIT
// range: -1.5 1.5
// precision: 64 4e-3
#version 450
layout(location = 0) in vec3 position;
layout(push_constant) uniform P { float time; float height; } push;
layout(location = 0) out vec3 normal;
void main() {
  float a = position.x + push.time;
  gl_Position = vec4(position.x, position.y + sin(a) * push.height, position.z, 1.0);
  normal = normalize(vec3(-cos(a) * push.height, 1.5, 0.25));
}
