// SPDX-License-Identifier: MIT
// range: 0.001 1
// precision: 128 2e-5
#version 450
layout(location = 0) in vec4 linear;
layout(location = 0) out vec4 color;
void main() {
  vec3 low = linear.rgb * 12.92, high = 1.055 * pow(linear.rgb, vec3(1.0 / 2.4)) - 0.055;
  color = vec4(mix(high, low, lessThanEqual(linear.rgb, vec3(0.0031308))), linear.a);
}
