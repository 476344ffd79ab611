#version 450
// SPDX-License-Identifier: MIT
// A Gaussian of 13 texels in one direction, by seven lookups between texels.
layout(location = 0) in vec2 uv;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Push { vec4 place; } push;  // xy: a step
layout(location = 0) out vec4 out_color;
const float kOffset[3] = float[](1.41, 3.29, 5.18);
const float kWeight[3] = float[](0.2969, 0.0945, 0.0104);
void main() {
  vec3 sum = texture(image, uv).rgb * 0.1964;
  for (int i = 0; i < 3; ++i)
    sum += (texture(image, uv + kOffset[i] * push.place.xy).rgb + texture(image, uv - kOffset[i] * push.place.xy).rgb) * kWeight[i];
  out_color = vec4(sum, 1.0);
}
