#version 450
// Dispatches of 64 invocations a group over memory at addresses. KIND: see make_shaders.py.
#extension GL_EXT_buffer_reference : require
#define TRIAD 1
#define GATHER 2
#define ATOMIC 3
#if KIND == ATOMIC
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors { vec4 v[]; };
#if KIND == ATOMIC
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Numbers { uint64_t n[]; };
#else
#define Numbers Vectors
#endif
layout(push_constant) uniform Push { Vectors a; Numbers b; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
#if KIND == TRIAD
  b.v[i] = a.v[i] * 1.5 + a.v[i + count];
#elif KIND == GATHER
  uint at = i;
  vec4 sum = vec4(0.0);
  for (int k = 0; k < 8; ++k) {
    at = (at * 1664525u + 1013904223u) & (count - 1u);
    sum += a.v[at];
  }
  b.v[i] = sum * 0.125;
#elif KIND == ATOMIC
  atomicOr(b.n[uint(a.v[i].x * 1024.0)], uint64_t(1) << (i & 63u));
#endif
}
