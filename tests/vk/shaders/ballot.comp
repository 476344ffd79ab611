#version 450
// Ballots and votes of ARB.
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_group_vote : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint n = gl_LocalInvocationIndex;
  bool odd = (n & 1u) != 0u;
  uvec2 b = unpackUint2x32(ballotARB(odd));
  o[n * 4u] = b.x;
  o[n * 4u + 1u] = readInvocationARB(n * 3u, 5u) + 1000u * readFirstInvocationARB(n);
  o[n * 4u + 2u] = uint(anyInvocationARB(odd)) | uint(allInvocationsARB(odd)) << 1 | uint(allInvocationsEqualARB(n < 100u)) << 2;
  o[n * 4u + 3u] = uint(unpackUint2x32(gl_SubGroupLtMaskARB).x);
}
