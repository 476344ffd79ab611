#version 450
// SPDX-License-Identifier: MIT
// Arrays of every type without a size; each invocation chooses its own element.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) buffer Out { uint result[]; };
layout(set = 0, binding = 1) uniform Uniform { uint x; } uniforms[];
layout(set = 0, binding = 2, std430) buffer Storage { uint x, sum; } storages[];
layout(set = 0, binding = 3) uniform utextureBuffer texels[];
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer words[];
layout(set = 0, binding = 5) uniform usampler2D textures[];
layout(set = 0, binding = 6, r32ui) uniform uimage2D images[];
layout(set = 0, binding = 7) uniform utexture2D pictures[];
layout(set = 0, binding = 8) uniform sampler samplers[];
layout(set = 1, binding = 65534, std430) buffer Variable { uint x; } variable[];
layout(push_constant) uniform Push { uint first, count, variable_count; };
void main() {
  const uint i = gl_GlobalInvocationID.x, k = first + i * 7u % count, v = i % variable_count;
  result[i * 8u + 0u] = uniforms[nonuniformEXT(k)].x;
  result[i * 8u + 1u] = storages[nonuniformEXT(k)].x;
  result[i * 8u + 2u] = texelFetch(texels[nonuniformEXT(k)], 1).x;
  result[i * 8u + 3u] = imageAtomicAdd(words[nonuniformEXT(k)], 2, 1u) & 0xFFFF0000u;
  result[i * 8u + 4u] = textureLod(textures[nonuniformEXT(k)], vec2(0.75, 0.25), 0.0).x;
  imageStore(images[nonuniformEXT(k)], ivec2(i, 0), uvec4(i + 1000u));
  result[i * 8u + 5u] = textureLod(usampler2D(pictures[nonuniformEXT(k)], samplers[nonuniformEXT(k)]), vec2(1.3, 0.25), 0.0).x;
  result[i * 8u + 6u] = variable[nonuniformEXT(v)].x;
  result[i * 8u + 7u] = atomicAdd(storages[nonuniformEXT(k)].sum, 1u) & 0xFFFF0000u;
}
