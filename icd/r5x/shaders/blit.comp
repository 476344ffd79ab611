// SPDX-License-Identifier: MIT
// One plane of a blit. INTS, UINTS: of integers. VOLUME: the source has three dimensions.
#version 450
#extension GL_EXT_shader_image_load_formatted : require
#if defined(INTS)
#define OF(name) i##name
#elif defined(UINTS)
#define OF(name) u##name
#else
#define OF(name) name
#endif
layout(local_size_x = 8, local_size_y = 8) in;
#ifdef VOLUME
layout(set = 0, binding = 0) uniform OF(sampler3D) from;
#else
layout(set = 0, binding = 0) uniform OF(sampler2D) from;
#endif
layout(set = 0, binding = 1) uniform OF(image2D) to;
layout(push_constant) uniform Push {
  ivec2 corner;     // of the rectangle in `to`
  uvec2 size;
  vec4 origin;      // coordinates of the corner's texel centre in `from`
  vec4 step;        // from one texel of `to` to the next
  uvec4 most;       // of integers: the largest value of each component; signed ones reach down to -1 - most
  uvec2 keep;       // UINTS: bits of the old texel that stay
};
void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(p, size))) return;
#ifdef VOLUME
  vec3 c = vec3(origin.xy + vec2(p) * step.xy, origin.z);
#else
  vec2 c = origin.xy + vec2(p) * step.xy;
#endif
  OF(vec4) v = textureLod(from, c, 0.0);
  ivec2 at = corner + ivec2(p);
#if defined(INTS)
  v = clamp(v, -1 - ivec4(most), ivec4(most));
#elif defined(UINTS)
  v = min(v, most);
  if (keep != uvec2(0)) v.xy = (imageLoad(to, at).xy & keep) | (v.xy & ~keep);
#endif
  imageStore(to, at, v);
}
