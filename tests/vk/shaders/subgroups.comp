// SPDX-License-Identifier: MIT
// Operations of subgroups, 32 words for each invocation; the last subgroup is half full.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 40) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void put(uint k, uint v) { o[gl_LocalInvocationIndex * 32 + k] = v; }
void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, v = i * i + 3;
  put(0, gl_SubgroupSize | lane << 8 | gl_SubgroupID << 16 | gl_NumSubgroups << 24);
  put(1, uint(subgroupElect()) | gl_SubgroupLtMask.x << 1);
  put(2, uint(subgroupAll(i < 32)) | uint(subgroupAny(i == 3)) << 1 | uint(subgroupAllEqual(i / 16)) << 2 | uint(subgroupAllEqual(i)) << 3);
  put(3, subgroupAdd(v));
  put(4, subgroupMul(i | 1));
  put(5, subgroupMin(v));
  put(6, subgroupMax(v));
  put(7, subgroupAnd(v | 0xF00));
  put(8, subgroupOr(v));
  put(9, subgroupXor(v));
  put(10, subgroupInclusiveAdd(v));
  put(11, subgroupExclusiveAdd(v));
  uvec4 b = subgroupBallot(i % 3 == 0);
  put(12, b.x | b.y | b.z | b.w);
  put(13, subgroupBallotBitCount(b));
  put(14, subgroupBallotExclusiveBitCount(b));
  put(15, subgroupBallotInclusiveBitCount(b));
  put(16, subgroupBallotFindLSB(b) | subgroupBallotFindMSB(b) << 8 | uint(subgroupInverseBallot(b)) << 16 | uint(subgroupBallotBitExtract(b, 5)) << 17);
  put(17, subgroupBroadcast(v, 2));
  put(18, subgroupBroadcastFirst(v));
  put(19, subgroupShuffle(v, lane * 5 % 8));
  put(20, subgroupShuffleXor(v, 1));
  uint up = subgroupShuffleUp(v, 1), down = subgroupShuffleDown(v, 1);
  put(21, lane > 0 ? up : 0);
  put(22, lane < 7 ? down : 0);
  put(23, subgroupClusteredAdd(v, 4));
  put(24, subgroupQuadBroadcast(v, 1));
  put(25, subgroupQuadSwapHorizontal(v));
  put(26, subgroupQuadSwapVertical(v));
  put(27, subgroupQuadSwapDiagonal(v));
  put(28, uint(subgroupAdd(float(i)) * 2.0));
  uint odd = 0;
  if (i % 2 == 1) odd = subgroupAdd(v) + subgroupBallotBitCount(subgroupBallot(true));
  put(29, odd);
  put(30, uint(subgroupMin(int(i) - 20)));
  put(31, gl_WorkGroupID.x);
}
