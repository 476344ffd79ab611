#version 450
// One fetch, or TAPS in a row: SAMPLER and what of the coordinate it takes are the variant's. With CUT pixels of low alpha are discarded.
layout(binding = 0) uniform SAMPLER image;
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
#ifndef TAPS
#define TAPS 1
#endif
void main() {
#if TAPS == 1
  color = vec4(texture(image, COORD)) * SCALE;
#ifdef CUT
  if (color.a < 0.5) discard;
#endif
#else
  vec4 sum = vec4(0.0);
  for (int i = 0; i < TAPS; ++i) sum += vec4(texture(image, coord.xy + vec2(float(i % 5) - 2.0, float(i / 5) - 2.0) * extra.xy));
  color = sum * (1.0 / float(TAPS));
#endif
}
