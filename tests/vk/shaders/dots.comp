#version 450
// Dot products of integers.
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint in_[96]; uint o[]; };
#define DOT(N, NAME, R, V, W) spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6016, 6017, 6019], id = N) R NAME(V a, W b);
#define PACKED(N, NAME, R) spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = N) R NAME(uint a, uint b, spirv_literal int f);
#define SAT(N, NAME, R, V, W) spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6016, 6017, 6019], id = N) R NAME(V a, W b, R c);
#define PSAT(N, NAME, R) spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = N) R NAME(uint a, uint b, R c, spirv_literal int f);
PACKED(4450, sdot, int)
PACKED(4451, udot, uint)
PACKED(4452, sudot, int)
PSAT(4453, sdot_sat, int)
PSAT(4454, udot_sat, uint)
PSAT(4455, sudot_sat, int)
DOT(4450, sdot8, int, i8vec4, i8vec4)
SAT(4453, sdot16_sat, int16_t, i8vec4, i8vec4)
SAT(4453, sdot64_sat, int64_t, i16vec2, i16vec2)
SAT(4454, udot64_sat, uint64_t, u16vec2, u16vec2)
DOT(4450, sdot32, int, ivec3, ivec3)
DOT(4452, sudot64, int64_t, ivec2, uvec2)
void main() {
  uint n = gl_LocalInvocationIndex, at = n * 16u;
  uint a = in_[n], b = in_[32u + n], c = in_[64u + n];
  o[at] = uint(sdot(a, b, 0));
  o[at + 1u] = udot(a, b, 0);
  o[at + 2u] = uint(sudot(a, b, 0));
  o[at + 3u] = uint(sdot_sat(a, b, int(c), 0));
  o[at + 4u] = udot_sat(a, b, c, 0);
  o[at + 5u] = uint(sudot_sat(a, b, int(c), 0));
  i8vec4 a8 = unpack8(int(a)), b8 = unpack8(int(b));
  o[at + 6u] = uint(sdot8(a8, b8));
  o[at + 7u] = uint(int(sdot16_sat(a8, b8, int16_t(c))));
  int64_t wide = sdot64_sat(unpack16(int(a)), unpack16(int(b)), int64_t(c) << 32 | int64_t(0xFFFFFFFFu));
  o[at + 8u] = uint(wide);
  o[at + 9u] = uint(wide >> 32);
  uint64_t uwide = udot64_sat(unpack16(a), unpack16(b), uint64_t(c) << 32 | 0xFFFFFFFFul);
  o[at + 10u] = uint(uwide);
  o[at + 11u] = uint(uwide >> 32);
  o[at + 12u] = uint(sdot32(ivec3(a, b, c), ivec3(c, a, 3)));
  int64_t product = sudot64(ivec2(a, c), uvec2(b, 1u));
  o[at + 13u] = uint(product);
  o[at + 14u] = uint(product >> 32);
}
