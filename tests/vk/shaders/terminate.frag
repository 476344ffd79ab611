#version 450
#extension GL_EXT_terminate_invocation : require
// SPDX-License-Identifier: MIT
layout(location = 0) out vec4 result;
void main() {
  result = vec4(1.0, 0.0, 0.0, 1.0);
  if ((int(gl_FragCoord.y) & 1) != 0) terminateInvocation;
  result.y = 1.0;
}
