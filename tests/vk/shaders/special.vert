#version 450
// SPDX-License-Identifier: MIT
// A triangle over everything, whose varying depends on constants of the pipeline.
layout(constant_id = 0) const float shift = 0.0;
layout(constant_id = 1) const float scale = 1.0;
layout(location = 0) out vec2 v;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 2.0 : 0.0, gl_VertexIndex == 2 ? 2.0 : 0.0);
  v = p * scale + shift;
  gl_Position = vec4(p * 2.0 - 1.0, 0.5, 1.0);
}
