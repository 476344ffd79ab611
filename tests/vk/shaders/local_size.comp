#version 450
// SPDX-License-Identifier: MIT
// A workgroup whose size the pipeline says.
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(set = 0, binding = 0) buffer Out { uint count; };
void main() { atomicAdd(count, 1u); }
