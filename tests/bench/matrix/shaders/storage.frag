#version 450
// Storage buffers and atomics from fragments.
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
#if KIND == 4
layout(std430, binding = 0) readonly buffer Data { vec4 lights[]; };
#else
layout(std430, binding = 0) buffer Data { vec4 data[]; };
#endif
layout(std430, binding = 1) buffer Counts { uint counts[]; };
void main() {
  const uint at = uint(gl_FragCoord.y) * 512u + uint(gl_FragCoord.x);
#if KIND == 1
  color = data[at] + vec4(coord, 1.0) * 0.5;
#elif KIND == 2
  data[at] = vec4(coord, 1.0);
  color = vec4(coord, 1.0);
#elif KIND == 4
  // The same place for all pixels, in a loop that is not unrolled.
  const vec3 n = normalize(vec3(coord.xy - 0.5, 0.6));
  float sum = 0.1;
  const uint count = min(uint(lights.length()), 16u);
  for (uint k = 0u; k < count; ++k) {
    const vec4 light = lights[k];
    sum += light.w * max(dot(n, normalize(light.xyz + vec3(0.03 * float(k), 0.0, 1.0) - coord)), 0.0);
  }
  color = vec4(sum * 0.2, sum * 0.15, sum * 0.1, 1.0);
#elif KIND == 3
  atomicAdd(counts[at & 255u], 1u);
  color = vec4(coord, 1.0);
#endif
}
