#version 450
// SPDX-License-Identifier: MIT
// 256 dynamic uniform buffers and 256 dynamic storage buffers of one set.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Read { uint value; } from[256];
layout(set = 0, binding = 1) buffer Written { uint value; } to[256];
void main() { to[gl_GlobalInvocationID.x].value = from[gl_GlobalInvocationID.x].value * 3u; }
