#version 450
// Dispatches of 64 invocations a group over buffers `a` (read) and `b` (written). KIND: see make_shaders.py.
layout(local_size_x = 64) in;
#if KIND == 11
#define VECTOR vec2
#else
#define VECTOR vec4
#endif
layout(std430, binding = 0) buffer A { VECTOR a[]; };
layout(std430, binding = 1) buffer B { VECTOR b[]; };
layout(push_constant) uniform Push { uint count; uint other; };

#define CHAIN 1
#define INTEGER 2
#define TRANSCENDENTAL 3
#define COPY 4
#define TRIAD 5
#define NBODY 6
#define GATHER 7
#define FRACTAL 8
#define LDS 9
#define DOUBLE 10
#define PAIRS 11

#if KIND == NBODY || KIND == LDS
shared vec4 tile[64];
#endif

void main() {
  const uint i = gl_GlobalInvocationID.x;
#if KIND == CHAIN
  vec4 x = a[i], y = x.yzwx;
  for (int k = 0; k < 256; ++k) {
    x = x * 0.9 + y * 0.05;
    y = y * 0.8 + x * 0.1;
  }
  b[i] = x + y;
#elif KIND == INTEGER
  uvec4 x = uvec4(a[i] * 1000.0) + i;
  for (int k = 0; k < 64; ++k) {
    x = x * 1664525u + 1013904223u;
    x ^= x.yzwx >> 11;
  }
  b[i] = vec4(x >> 20) * (1.0 / 4096.0);
#elif KIND == TRANSCENDENTAL
  vec4 x = a[i];
  for (int k = 0; k < 16; ++k) x = 0.3 * sin(x) + 0.2 * exp(x * 0.5) + 0.1 * log(x + 1.5) + 0.1 * sqrt(x + 1.0);
  b[i] = x;
#elif KIND == COPY
  b[i] = a[i];
#elif KIND == TRIAD
  b[i] = a[i] * 1.5 + a[i + count];
#elif KIND == NBODY
  const vec4 me = a[i];
  vec3 force = vec3(0.0);
  for (uint base = 0u; base < count; base += 64u) {
    tile[gl_LocalInvocationID.x] = a[base + gl_LocalInvocationID.x];
    barrier();
    for (uint k = 0u; k < 64u; ++k) {
      const vec4 it = tile[k];
      const vec3 d = it.xyz - me.xyz;
      const float r = inversesqrt(dot(d, d) + 0.01);
      force += d * (it.w * r * r * r);
    }
    barrier();
  }
  b[i] = vec4(force / float(count), me.w);
#elif KIND == GATHER
  uint at = i;
  vec4 sum = vec4(0.0);
  for (int k = 0; k < 8; ++k) {
    at = (at * 1664525u + 1013904223u) & (count - 1u);
    sum += a[at];
  }
  b[i] = sum * 0.125;
#elif KIND == FRACTAL
  const vec2 c = vec2(float(i & 511u), float(i >> 9)) * vec2(0.0047, 0.0039) - vec2(1.8, 1.0);
  vec2 z = vec2(0.0);
  uint n = 0u;
  while (n < 128u && dot(z, z) < 4.0) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    ++n;
  }
  b[i] = vec4(float(n) / 128.0);
#elif KIND == LDS
  const uint l = gl_LocalInvocationID.x;
  vec4 x = a[i];
  for (uint k = 1u; k < 64u; k <<= 1) {
    tile[l] = x;
    barrier();
    x = x * 0.5 + tile[l ^ k] * 0.5;
    barrier();
  }
  b[i] = x;
#elif KIND == DOUBLE
  dvec2 x = dvec2(a[i].xy), y = dvec2(a[i].zw);
  for (int k = 0; k < 64; ++k) {
    x = x * 0.9 + y * 0.05;
    y = y * 0.8 + x.yx * 0.1;
  }
  b[i] = vec4(x, y);
#elif KIND == PAIRS
  const vec2 x = a[i], y = a[i + count];
  b[i] = vec2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
#endif
}
