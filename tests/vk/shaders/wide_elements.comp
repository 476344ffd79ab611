#version 450
// Elements of uniform texel buffers with one to four components of 64 bits.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { u64vec4 seen[5]; uint64_t elements; };
// The test makes a uniform texel buffer of it, for which GLSL has no type.
layout(set = 0, binding = 1, r64ui) uniform u64imageBuffer given;
void main() {
  uint n = gl_LocalInvocationIndex;
  seen[n] = imageLoad(given, int(n));
  if (n != 0u) return;
  seen[4] = imageLoad(given, 0x60000001);
  elements = uint64_t(imageSize(given));
}
