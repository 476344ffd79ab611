#version 450
// SPDX-License-Identifier: MIT
// The pixel eight to the right of an image, which may be the target.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform sampler2D image;
void main() { result = texelFetch(image, ivec2(gl_FragCoord.xy) + ivec2(8, 0), 0) * color; }
