// SPDX-License-Identifier: MIT
// Resolves a rectangle of a plane: the average of the samples, of integers sample 0. INTS, UINTS: of integers.
#version 450
#if defined(INTS)
#define OF(name) i##name
#elif defined(UINTS)
#define OF(name) u##name
#else
#define OF(name) name
#endif
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform OF(sampler2DMS) from;
layout(set = 0, binding = 1) writeonly uniform OF(image2D) to;
layout(push_constant) uniform Push {
  ivec2 from_corner, to_corner;
  uvec2 size;
  int samples;
};
void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(p, size))) return;
  ivec2 at = from_corner + ivec2(p);
  OF(vec4) v = texelFetch(from, at, 0);
#ifdef AVERAGE
  for (int i = 1; i < samples; ++i) v += texelFetch(from, at, i);
  v /= float(samples);
#endif
  imageStore(to, to_corner + ivec2(p), v);
}
