#version 450
// A product of square matrices of `n` columns: TILED by 16x16 in shared memory, or each element by itself.
layout(local_size_x = SIDE, local_size_y = SIDE) in;
layout(std430, binding = 0) buffer A { float a[]; };
layout(std430, binding = 1) buffer B { float b[]; };
layout(push_constant) uniform Push { uint n; uint other; };
#if TILED
shared float left[16][16];
shared float right[16][16];
#endif
void main() {
  const uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  float sum = 0.0;
#if TILED
  const uint lx = gl_LocalInvocationID.x, ly = gl_LocalInvocationID.y;
  for (uint base = 0u; base < n; base += 16u) {
    left[ly][lx] = a[y * n + base + lx];
    right[ly][lx] = a[(base + ly) * n + x];
    barrier();
    for (uint k = 0u; k < 16u; ++k) sum += left[ly][k] * right[k][lx];
    barrier();
  }
#else
  for (uint k = 0u; k < n; ++k) sum += a[y * n + k] * a[k * n + x];
#endif
  b[y * n + x] = sum / float(n);
}
