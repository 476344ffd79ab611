// SPDX-License-Identifier: MIT
// Bytes of one surface into another.
#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer From { uint8_t from[]; };
layout(set = 0, binding = 1) writeonly buffer To { uint8_t to[]; };
layout(push_constant) uniform Push {
  uvec2 size;       // elements
  uint from_pitch, from_step;  // bytes from one row, one element to the next
  uint to_pitch, to_step;
};
void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(p, size))) return;
  to[p.y * to_pitch + p.x * to_step] = from[p.y * from_pitch + p.x * from_step];
}
