#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 position;        // a corner, the same for every instance
layout(location = 1) in vec4 placement;       // x, y, size, angle: one per instance
layout(location = 2) in vec3 color;           // one per instance
layout(location = 0) out vec3 out_color;
void main() {
  float c = cos(placement.w), s = sin(placement.w);
  vec2 p = mat2(c, s, -s, c) * position * placement.z + placement.xy;
  // Every other instance is darker: gl_InstanceIndex counts them.
  out_color = color * (mod(float(gl_InstanceIndex), 2.0) < 0.5 ? 1.0 : 0.6);
  gl_Position = vec4(p, 0.0, 1.0);
}
