// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 4 1e-6
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in ivec2 which;
layout(location = 2) in uint count;
layout(binding = 0) uniform U { vec4 k[4]; } u;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = position * float(count);
  color = u.k[which.x] + vec4(float(which.y));
}
