// SPDX-License-Identifier: MIT
// Dwords of one surface into another: the bits that `keep` leaves out, shifted. Without a source: a value.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1) buffer To { uint to[]; };
layout(push_constant) uniform Push {
  uvec2 size;       // elements
  uint from_pitch, from_step;  // dwords from one row, one element to the next
  uint to_pitch, to_step;
  uint keep;
  int shift;        // to the left; negative: to the right
  uint fills, value;
};
void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(p, size))) return;
  uint v = value;
  if (fills == 0u) {
    v = from[p.y * from_pitch + p.x * from_step];
    v = shift < 0 ? v >> -shift : v << shift;
  }
  uint at = p.y * to_pitch + p.x * to_step;
  to[at] = keep == 0u ? v : (to[at] & keep) | (v & ~keep);
}
