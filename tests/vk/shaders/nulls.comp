#version 450
#extension GL_EXT_samplerless_texture_functions : require
// SPDX-License-Identifier: MIT
// Reads and writes through descriptors of every kind, which are null: all of `to` becomes 0.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { vec4 texel[8]; ivec4 size[4]; uint done; } to;
layout(set = 0, binding = 1) buffer Storage { vec4 value[]; } storage;
layout(set = 0, binding = 2) uniform Uniform { vec4 value; } uniforms;
layout(set = 0, binding = 3) uniform samplerBuffer texels;
layout(set = 0, binding = 4, rgba8) uniform imageBuffer stored_texels;
layout(set = 0, binding = 5) uniform sampler2D sampled;
layout(set = 0, binding = 6, rgba8) uniform image2D image;
layout(set = 0, binding = 7) uniform texture2D separate;
void main() {
  storage.value[3] = vec4(1.0);
  imageStore(stored_texels, 1, vec4(1.0));
  imageStore(image, ivec2(0), vec4(1.0));
  to.texel[0] = storage.value[3];
  to.texel[1] = uniforms.value;
  to.texel[2] = texelFetch(texels, 2);
  to.texel[3] = imageLoad(stored_texels, 1);
  to.texel[4] = textureLod(sampled, vec2(0.5), 0.0);
  to.texel[5] = imageLoad(image, ivec2(0));
  to.texel[6] = texelFetch(sampled, ivec2(0), 0);
  to.texel[7] = texelFetch(separate, ivec2(0), 0);
  to.size[0] = ivec4(storage.value.length(), textureSize(texels), imageSize(stored_texels), 0);
  to.size[1] = ivec4(textureSize(sampled, 0), imageSize(image));
  to.size[2] = ivec4(textureSize(separate, 0), 0, 0);
  to.size[3] = ivec4(0);
  to.done = 1u;
}
