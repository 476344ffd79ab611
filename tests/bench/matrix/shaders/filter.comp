#version 450
// 5x5 taps of an image to another: from a storage image, from a sampled one, or by texelFetch; or atomics on an image.
layout(local_size_x = 8, local_size_y = 8) in;
#if KIND == 1
layout(binding = 0, rgba8) uniform readonly image2D from;
#else
layout(binding = 0) uniform sampler2D from;
#endif
#if KIND == 4
layout(binding = 1, r32ui) uniform uimage2D to;
#else
layout(binding = 1, rgba8) uniform writeonly image2D to;
#endif
void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
#if KIND == 4
  imageAtomicMax(to, at & 255, uint(texelFetch(from, at, 0).x * 255.0));
#else
  vec4 sum = vec4(0.0);
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) {
#if KIND == 1
      sum += imageLoad(from, clamp(at + ivec2(x, y), ivec2(0), ivec2(511)));
#elif KIND == 2
      sum += textureLod(from, (vec2(at + ivec2(x, y)) + 0.25) * (1.0 / 512.0), 0.0);
#else
      sum += texelFetch(from, clamp(at + ivec2(x, y), ivec2(0), ivec2(511)), 0);
#endif
    }
  imageStore(to, at, sum * 0.04);
#endif
}
