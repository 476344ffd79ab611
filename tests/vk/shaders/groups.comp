// SPDX-License-Identifier: MIT
// Workgroups, local memory, barriers and atomics.
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Out { uint sum; uint most; uint cell[]; };
shared uint part[32];
void main() {
  uint i = gl_LocalInvocationIndex;
  part[i] = gl_WorkGroupID.x * 32 + i;
  barrier();
  for (uint step = 16; step > 0; step /= 2) {
    if (i < step) part[i] += part[i + step];
    barrier();
  }
  if (i == 0) {
    atomicAdd(sum, part[0]);
    atomicMax(most, gl_WorkGroupID.x + 1000 * gl_NumWorkGroups.x);
  }
  uvec3 at = gl_GlobalInvocationID;
  uint width = gl_NumWorkGroups.x * 8;
  cell[at.y * width + at.x] = at.x | at.y << 16;
}
