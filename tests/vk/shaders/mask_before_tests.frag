#version 450
// SPDX-License-Identifier: MIT
layout(early_fragment_tests) in;
layout(push_constant) uniform Push { vec4 tint; float z; int number; } push;
layout(set = 0, binding = 0) buffer Masks { int masks[]; };
layout(location = 0) out vec4 result;
void main() {
  masks[(push.number * 16 + int(gl_FragCoord.y)) * 16 + int(gl_FragCoord.x)] = gl_SampleMaskIn[0];
  result = push.tint;
}
