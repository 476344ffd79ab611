// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 64 4e-3
#version 450
layout(location = 0) in vec4 start;
layout(location = 1) in vec4 velocity;
layout(push_constant) uniform P { float time; vec3 gravity; } push;
layout(location = 0) out vec4 color;
void main() {
  float age = fract(push.time + start.w);
  gl_Position = vec4(start.xyz + velocity.xyz * age - 0.5 * push.gravity * age * age, 1.0);
  color = vec4(1.0 - age, sin(age), cos(age), age < 0.5 ? 1.0 : 0.5);
}
