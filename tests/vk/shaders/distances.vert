#version 450
// SPDX-License-Identifier: MIT
// As many clip and cull distances as there are; the one called `number` cuts the left half off (0..7) or culls (8..15).
layout(push_constant) uniform Push { vec4 tint; float z; int number; } push;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[8]; float gl_CullDistance[8]; };
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
  gl_Position = vec4(p, push.z, 1.0);
  for (int i = 0; i < 8; ++i) {
    gl_ClipDistance[i] = i == push.number ? p.x : 1.0;
    gl_CullDistance[i] = i + 8 == push.number ? -1.0 : float(i);
  }
}
