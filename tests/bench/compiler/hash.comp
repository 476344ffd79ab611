// SPDX-License-Identifier: MIT
#version 450
// The rounds of SHA-256 without its message schedule, written out: about a thousand integer instructions without a branch.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Words { uint words[]; };

uint rotate(uint x, int n) { return x >> n | x << (32 - n); }

#define ROUND(a, b, c, d, e, f, g, h, k)                                                                                       \
  {                                                                                                                            \
    uint t = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + words[i * 16u + (k & 15u)] + k * 2654435761u; \
    d += t;                                                                                                                    \
    h = t + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));                                    \
  }
#define EIGHT(k)                                                                                                               \
  ROUND(a, b, c, d, e, f, g, h, k + 0u) ROUND(h, a, b, c, d, e, f, g, k + 1u) ROUND(g, h, a, b, c, d, e, f, k + 2u)            \
  ROUND(f, g, h, a, b, c, d, e, k + 3u) ROUND(e, f, g, h, a, b, c, d, k + 4u) ROUND(d, e, f, g, h, a, b, c, k + 5u)            \
  ROUND(c, d, e, f, g, h, a, b, k + 6u) ROUND(b, c, d, e, f, g, h, a, k + 7u)

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au, e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
  EIGHT(0u) EIGHT(8u) EIGHT(16u) EIGHT(24u)
  words[i * 16u] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
