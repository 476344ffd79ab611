// SPDX-License-Identifier: MIT
// Pixels of odd columns are discarded (of odd rows, too, by what two of their quad agree on) before the others count who is left.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(location = 0) out vec4 color;
void main() {
  uvec2 p = uvec2(gl_FragCoord.xy);
  uint before = subgroupBallotBitCount(subgroupBallot(true));
  if ((p.x & 1u) != 0u) discard;
  uint between = subgroupAdd(1u);
  if ((p.y & 1u) != 0u && between == 2u) discard;
  color = vec4(float(before), float(between), float(subgroupBallotBitCount(subgroupBallot(true))), 4.0) / 4.0;
}
