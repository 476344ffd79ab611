#version 450
// Dispatches over words: reduction, scan, histogram, atomics, sorting. KIND: see make_shaders.py.
layout(local_size_x = 256) in;
layout(std430, binding = 0) buffer A { uint a[]; };
layout(std430, binding = 1) buffer B { uint b[]; };

#define REDUCE 1
#define SCAN 2
#define HISTOGRAM 3
#define ATOMIC_ONE 4
#define ATOMIC_MANY 5
#define SORT 6
#define EXCHANGE 7

shared uint tile[256];

void main() {
  const uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x, g = gl_WorkGroupID.x;
#if KIND == REDUCE
  uint sum = 0u;
  for (uint k = 0u; k < 16u; ++k) sum += a[g * 4096u + k * 256u + l];
  tile[l] = sum;
  barrier();
  for (uint k = 128u; k > 0u; k >>= 1) {
    if (l < k) tile[l] += tile[l + k];
    barrier();
  }
  if (l == 0u) b[g] = tile[0];
#elif KIND == SCAN
  tile[l] = a[i];
  barrier();
  for (uint k = 1u; k < 256u; k <<= 1) {
    const uint add = l >= k ? tile[l - k] : 0u;
    barrier();
    tile[l] += add;
    barrier();
  }
  b[i] = tile[l];
#elif KIND == HISTOGRAM
  tile[l] = 0u;
  barrier();
  for (uint k = 0u; k < 16u; ++k) atomicAdd(tile[a[g * 4096u + k * 256u + l] & 255u], 1u);
  barrier();
  atomicMax(b[l], tile[l]);
#elif KIND == ATOMIC_ONE
  atomicMax(b[0], a[i]);
#elif KIND == ATOMIC_MANY
  atomicOr(b[a[i] & 1023u], 1u << (i & 31u));
#elif KIND == SORT
  tile[l] = a[i];
  barrier();
  for (uint size = 2u; size <= 256u; size <<= 1)
    for (uint k = size >> 1; k > 0u; k >>= 1) {
      const uint other = l ^ k;
      if (other > l) {
        const uint x = tile[l], y = tile[other];
        if ((x > y) == ((l & size) == 0u)) {
          tile[l] = y;
          tile[other] = x;
        }
      }
      barrier();
    }
  b[i] = tile[l];
#elif KIND == EXCHANGE
  atomicMin(b[1024u + (a[i] & 1023u)], i);
  atomicMax(b[a[i] & 1023u], i);
#endif
}
