#version 450
// Blocks of workgroup memory are the same memory.
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 16) in;
layout(std430) shared Words { uint w[16]; };
layout(std430) shared Bytes { uint8_t b[64]; };
layout(std430) shared Other { layout(offset = 8) uint16_t h[16]; layout(offset = 48) vec2 v; };
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint n = gl_LocalInvocationIndex;
  w[n] = n * 0x01030507u;
  barrier();
  o[n] = uint(b[63u - n]);
  o[16u + n] = uint(h[n]);
  barrier();
  if (n == 0u) v = vec2(1.0, 2.0), b[3] = uint8_t(0x12);
  barrier();
  o[32u + n] = w[n];
}
