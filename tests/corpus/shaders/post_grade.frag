// SPDX-License-Identifier: MIT
// range: 0.05 1
// precision: 256 2e-5
#version 450
layout(location = 0) in vec4 c;
layout(binding = 0) uniform Grade { vec3 lift; vec3 gamma; vec3 gain; float saturation; } grade;
layout(location = 0) out vec4 color;
void main() {
  vec3 x = pow(c.rgb * grade.gain + grade.lift, 1.0 / (grade.gamma + 0.5));
  float l = dot(x, vec3(0.2126, 0.7152, 0.0722));
  color = vec4(mix(vec3(l), x, grade.saturation), c.a);
}
