#version 450
// Texels of 64 bits.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint64_t old[32]; uint64_t seen[16]; };
layout(set = 0, binding = 1, r64ui) coherent uniform u64image2D image;
layout(set = 0, binding = 2, r64i) coherent uniform i64imageBuffer texels;
// The test makes a uniform texel buffer of it, for which GLSL has no type.
layout(set = 0, binding = 3, r64ui) uniform u64imageBuffer given;
void main() {
  uint n = gl_LocalInvocationIndex;
  uint64_t x = uint64_t(n) + 0xFFFFFFF0ul;
  old[n] = imageAtomicAdd(image, ivec2(0, 0), x);
  imageAtomicMin(image, ivec2(1, 0), x << 8);
  imageAtomicMax(image, ivec2(2, 0), x << 8);
  imageAtomicOr(image, ivec2(3, 0), 1ul << (2u * n));
  imageAtomicXor(image, ivec2(0, 1), x);
  imageAtomicAnd(image, ivec2(1, 1), ~(1ul << (2u * n)));
  imageAtomicAdd(image, ivec2(4, 0), x);  // outside
  imageAtomicMin(texels, 0, -int64_t(x));
  imageAtomicMax(texels, 1, -int64_t(x));
  int64_t before = imageLoad(texels, 2).x;
  for (;;) {
    int64_t was = imageAtomicCompSwap(texels, 2, before, before * 3l + 1l);
    if (was == before) break;
    before = was;
  }
  if (n < 2u) imageStore(image, ivec2(2u + n, 1), u64vec4(x * 0x100000001ul));
  memoryBarrierImage();
  barrier();
  if (n != 0u) return;
  seen[0] = imageAtomicExchange(image, ivec2(3, 0), 0x123456789ABCDEF0ul);
  seen[1] = imageAtomicAdd(image, ivec2(0, 2), 5ul);  // outside
  u64vec4 whole = imageLoad(image, ivec2(3, 0)), outside = imageLoad(image, ivec2(-1, 0)), third = imageLoad(given, 2), none = imageLoad(given, 3);
  for (int i = 0; i < 4; ++i) seen[2 + i] = i == 0 ? whole.x : i == 1 ? whole.y : i == 2 ? whole.z : whole.w;
  seen[6] = outside.x, seen[7] = outside.w;
  seen[8] = third.x, seen[9] = third.y, seen[10] = third.w;
  seen[11] = none.x, seen[12] = none.w;
  seen[13] = uint64_t(imageSize(given));
}
