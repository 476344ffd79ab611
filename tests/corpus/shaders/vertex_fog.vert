// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 128 1e-5
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out float fog;
void main() {
  gl_Position = position;
  fog = clamp(exp2(-length(position.xyz) * 1.5), 0.0, 1.0);
}
