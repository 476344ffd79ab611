#version 450
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uvec2 a = clock2x32ARB(), d = clockRealtime2x32EXT();
  uint x = gl_LocalInvocationIndex;
  for (uint i = 0u; i < 100u; ++i) x = x * 1664525u + o[200u + (x & 3u)] + 1013904223u;
  uvec2 b = clock2x32ARB();
  uint n = gl_LocalInvocationIndex * 8u;
  o[n] = a.x; o[n + 1u] = a.y; o[n + 2u] = b.x; o[n + 3u] = b.y;
  o[n + 4u] = d.x; o[n + 5u] = d.y; o[n + 6u] = x;
}
