// SPDX-License-Identifier: MIT
// Every kind of buffer descriptor into one storage buffer: what a set holds is what the program reads.
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(set = 0, binding = 1) uniform Block { uvec4 value; } block[2];
layout(set = 0, binding = 3) readonly buffer In { uint value[]; } source;
layout(set = 1, binding = 0) uniform Moved { uvec4 value; } moved;
layout(push_constant) uniform Push { uint first; uint second; } push;
layout(constant_id = 7) const uint special = 1;
void main() {
  uint i = gl_LocalInvocationIndex;
  result[i] = block[0].value[i];
  result[4 + i] = block[1].value[i];
  result[8 + i] = source.value[i];
  result[12 + i] = moved.value[i];
  if (i == 0) {
    result[16] = push.first;
    result[17] = push.second;
    result[18] = special;
    result[19] = source.value.length();
  }
}
