#version 450
// SPDX-License-Identifier: MIT
// What the rasterizer hands on of them: sums, the one that varies left out.
layout(push_constant) uniform Push { vec4 tint; float z; int number; } push;
in float gl_ClipDistance[8];
in float gl_CullDistance[8];
layout(location = 0) out vec4 result;
void main() {
  float clips = 0.0, culls = 0.0;
  for (int i = 0; i < 8; ++i) {
    clips += i == push.number ? 0.0 : gl_ClipDistance[i];
    culls += gl_CullDistance[i];
  }
  result = vec4(clips / 255.0, culls / 255.0, 0.0, 1.0);
}
