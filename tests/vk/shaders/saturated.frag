// SPDX-License-Identifier: MIT
// Integers that components of 8 bits cannot hold.
#version 450
layout(location = 0) out ivec4 signed_out;
layout(location = 1) out uvec4 unsigned_out;
void main() {
  signed_out = ivec4(200, -200, 5, 0x80000000);
  unsigned_out = uvec4(300, 255, 0xFFFFFFFFu, 7);
}
