#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat out dvec3 three;
layout(location = 2) flat out double one;
layout(push_constant) uniform Push { double base; };
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex << 1 & 2, gl_VertexIndex & 2) * 2.0 - 1.0, 0.0, 1.0);
  three = dvec3(base, base / 3.0lf, -base);
  one = sqrt(base);
}
