#version 450
// A list whose nodes are anywhere in memory, and a block that is written by its address.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 16) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { Node next; uint value; uint pad; vec4 v[2]; };
layout(push_constant) uniform Push { Node first; uvec2 to; };
layout(buffer_reference, std430) buffer Words { uint w[]; };
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint n = gl_LocalInvocationIndex, sum = 0u;
  float f = 0.0;
  Node at = first;
  for (uint i = 0u; i <= n; ++i) {
    sum += at.value;
    f += at.v[i & 1u].z;
    at = at.next;
  }
  o[n] = sum;
  o[16u + n] = uint(f);
  Words words = Words(to);
  words.w[n] = sum * 2u;
  atomicAdd(words.w[16], n);
  uvec2 next = uvec2(at);
  o[32u + n] = next.y;
  // Nothing is there.
  Words none = Words(uvec2(64u, 1u));
  o[48u + n] = none.w[n] + 7u;
  none.w[n] = 1u;
}
