#version 450
// Group operations of 8 and 16 bits.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { int o[]; };
void main() {
  uint n = gl_LocalInvocationIndex;
  int8_t b = int8_t(int(n) * 37 - 100);
  uint8_t ub = uint8_t(n * 37u + 5u);
  int16_t s = int16_t(int(n) * 4099 - 30000);
  float16_t h = float16_t(float(n) * 0.25 + 0.5);
  int64_t l = int64_t(n) << 33;
  uint at = n * 12u;
  o[at] = int(subgroupAdd(b));
  o[at + 1u] = int(subgroupMin(b));
  o[at + 2u] = int(subgroupExclusiveMin(b));
  o[at + 3u] = int(subgroupExclusiveMax(s));
  o[at + 4u] = int(subgroupExclusiveMin(ub));
  o[at + 5u] = int(subgroupInclusiveAdd(s));
  o[at + 6u] = int(subgroupMul(ub));
  o[at + 7u] = int(float(subgroupAdd(h)) * 16.0);
  o[at + 8u] = int(float(subgroupShuffle(h, gl_SubgroupInvocationID ^ 1u)) * 16.0);
  o[at + 9u] = int(subgroupAdd(l) >> 33);
  o[at + 10u] = int(subgroupClusteredMax(s, 4u));
  o[at + 11u] = int(subgroupOr(ub));
}
