#version 450
// SPDX-License-Identifier: MIT
// Outputs with more components than vec2_in.frag reads (VK_KHR_maintenance4).
layout(location = 0) out vec4 wide;
layout(location = 1) out vec3 third;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 2.0 : 0.0, gl_VertexIndex == 2 ? 2.0 : 0.0);
  wide = vec4(0.2, 0.4, 0.6, 0.8);
  third = vec3(1.0, 0.5, 0.25);
  gl_Position = vec4(p * 2.0 - 1.0, 0.5, 1.0);
}
