#version 450
// SPDX-License-Identifier: MIT
// Counts the invocations.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint n; };
void main() { atomicAdd(n, 1u); }
