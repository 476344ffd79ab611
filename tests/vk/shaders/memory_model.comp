// SPDX-License-Identifier: MIT
// The Vulkan memory model: values of other invocations of the workgroup, behind flags and behind a barrier.
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) nonprivate buffer Out { uint payload[64]; uint flag[64]; uint seen[64]; };
shared uint tile[16];
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  payload[i] = i * 7 + 1;
  atomicStore(flag[i], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  tile[l] = i * 3;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  uint other = gl_WorkGroupID.x * 16 + (l + 5) % 16;
  uint got = 0;
  if (atomicLoad(flag[other], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 1u) got = payload[other];
  seen[i] = got + tile[(l + 9) % 16] * 65536;
}
