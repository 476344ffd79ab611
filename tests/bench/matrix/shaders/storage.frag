#version 450
// Storage buffers and atomics from fragments.
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
layout(std430, binding = 0) buffer Data { vec4 data[]; };
layout(std430, binding = 1) buffer Counts { uint counts[]; };
void main() {
  const uint at = uint(gl_FragCoord.y) * 512u + uint(gl_FragCoord.x);
#if KIND == 1
  color = data[at] + vec4(coord, 1.0) * 0.5;
#elif KIND == 2
  data[at] = vec4(coord, 1.0);
  color = vec4(coord, 1.0);
#elif KIND == 3
  atomicAdd(counts[at & 255u], 1u);
  color = vec4(coord, 1.0);
#endif
}
