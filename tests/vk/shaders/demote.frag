#version 450
#extension GL_EXT_demote_to_helper_invocation : require
// SPDX-License-Identifier: MIT
// Every second column is demoted before the derivative is taken, which is right all the same.
layout(location = 0) out vec4 result;
void main() {
  const bool odd = (int(gl_FragCoord.x) & 1) != 0;
  if (odd) demote;
  const float x = gl_FragCoord.x * gl_FragCoord.x;
  result = vec4(dFdx(x) / 64.0, helperInvocationEXT() ? 1.0 : 0.0, 0.0, 1.0);
}
