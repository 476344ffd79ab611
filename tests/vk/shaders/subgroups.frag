// SPDX-License-Identifier: MIT
// Operations of subgroups in fragment programs: each pixel of the triangle stores 24 words. Groups are quads (docs/r5x.md rule 4), helpers take no part.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(set = 0, binding = 0) buffer Out { uint elected; uint waterfalls; uint o[]; };
layout(location = 0) out vec4 color;
uint place;
void put(uint k, uint v) { o[place + k] = v; }
void main() {
  uvec2 p = uvec2(gl_FragCoord.xy);
  uint i = p.x + 16 * p.y, lane = gl_SubgroupInvocationID, v = i * i + 3;
  float f = float(v) + 0.25;
  place = i * 24;
  uvec4 here = subgroupBallot(true), b = subgroupBallot(i % 3 == 0);
  if (subgroupElect()) atomicAdd(elected, subgroupBallotBitCount(here));
  put(0, gl_SubgroupSize | lane << 8 | 1u << 16);
  put(1, here.x | here.y | here.z | here.w);
  put(2, uint(subgroupElect()) | uint(subgroupAll(i < 60)) << 1 | uint(subgroupAny(i == 35)) << 2 | uint(subgroupAllEqual(p.x / 2)) << 3 |
             uint(subgroupAllEqual(i)) << 4);
  put(3, b.x);
  put(4, subgroupAdd(v));
  put(5, subgroupInclusiveAdd(v));
  put(6, subgroupExclusiveAdd(v));
  put(7, subgroupMin(v));
  put(8, subgroupMax(v));
  put(9, subgroupXor(v));
  put(10, subgroupBroadcastFirst(v));
  put(11, subgroupShuffleXor(v, 1));
  put(12, floatBitsToUint(subgroupAdd(f)));
  put(13, floatBitsToUint(subgroupMul(f)));
  put(14, floatBitsToUint(subgroupExclusiveMax(f)));
  put(15, floatBitsToUint(subgroupInclusiveAdd(f)));
  put(16, subgroupQuadBroadcast(v, 2));
  put(17, subgroupClusteredAdd(v, 2));
  put(18, subgroupClusteredAdd(v, 16));
  uint odd = 0;
  if (i % 2 == 1) odd = subgroupAdd(v) + subgroupBallotBitCount(subgroupBallot(true));
  put(19, odd);
  // Ends for helpers, too.
  uint turns = 0;
  for (bool done = false; !done; ++turns) {
    uint first = subgroupBroadcastFirst(v);
    if (first == v) {
      if (subgroupElect()) atomicAdd(waterfalls, 1);
      done = true;
    }
  }
  put(20, turns);
  color = vec4(float(subgroupAdd(1u)) / 4.0, float(lane) / 3.0, 0, 1);
}
