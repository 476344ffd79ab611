#version 450
// SPDX-License-Identifier: MIT
// Ten varyings, the most the chip has.
layout(location = 0) out vec4 v0; layout(location = 1) out vec4 v1; layout(location = 2) out vec4 v2; layout(location = 3) out vec4 v3;
layout(location = 4) out vec4 v4; layout(location = 5) out float v5; layout(location = 6) out vec4 v6; layout(location = 7) flat out vec4 v7;
layout(location = 8) out vec2 v8; layout(location = 9) out vec4 v9;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 2.0 : 0.0, gl_VertexIndex == 2 ? 2.0 : 0.0);
  v0 = vec4(1, 0, 0, 0); v1 = vec4(2, 0, 0, 1); v2 = vec4(3); v3 = vec4(4); v4 = vec4(5); v5 = 6.0; v6 = vec4(7, 1, 2, 3);
  v7 = vec4(8.0 + p.x); v8 = vec2(9, 90); v9 = vec4(10, 0, 0, 100);
  gl_Position = vec4(p * 2.0 - 1.0, 0.5, 1.0);
}
