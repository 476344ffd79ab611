// SPDX-License-Identifier: MIT
// range: 0.05 1
// precision: 4 1e-6
#version 450
layout(location = 0) in vec4 c;
layout(location = 0) out vec4 color;
const float bayer[4] = float[](0.125, 0.625, 0.875, 0.375);
void main() {
  int i = int(mod(gl_FragCoord.x, 2.0)) + int(mod(gl_FragCoord.y, 2.0)) * 2;
  color = step(vec4(bayer[i]), c);
}
