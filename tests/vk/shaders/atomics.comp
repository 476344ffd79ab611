#version 450
// Atomics of 64 bits and of floats.
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint64_t l[8]; float f[4]; uint64_t old[32]; float fold[32]; uint texel[4]; };
layout(set = 0, binding = 1, r32f) uniform image2D image;
shared uint64_t s;
shared float t;
void main() {
  uint n = gl_LocalInvocationIndex;
  uint64_t x = uint64_t(n) + 0xFFFFFFF0ul;
  old[n] = atomicAdd(l[0], x);
  atomicMin(l[1], x << 8);
  atomicMax(l[2], x << 8);
  atomicOr(l[3], 1ul << (2u * n));
  atomicXor(l[4], x);
  uint64_t seen = l[5];
  for (;;) {
    uint64_t was = atomicCompSwap(l[5], seen, seen * 3ul + 1ul);
    if (was == seen) break;
    seen = was;
  }
  if (n == 0u) s = 1ul << 40, t = 0.5;
  barrier();
  atomicAdd(s, 1ul << 32);
  atomicAdd(t, 0.25);
  barrier();
  if (n == 0u) l[6] = s, f[1] = t, l[7] = atomicExchange(s, 5ul) + s;
  fold[n] = atomicAdd(f[0], 0.5);
  imageAtomicAdd(image, ivec2(1, 0), 2.0);
  if (n == 3u) f[2] = atomicExchange(f[3], 9.5), imageAtomicExchange(image, ivec2(0, 0), 1.5);
}
