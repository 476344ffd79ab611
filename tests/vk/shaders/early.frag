#version 450
// SPDX-License-Identifier: MIT
layout(early_fragment_tests) in;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() {
  if (uv.x < 0.5) discard;
  gl_FragDepth = 0.9;  // without effect
  result = vec4(1.0, 0.0, 0.0, 1.0);
}
