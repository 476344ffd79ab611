#version 450
// SPDX-License-Identifier: MIT
// Number -1: the left half shows image 0, the right half image 1; the upper half through sampler 0, the lower half through sampler 1.
// Otherwise image number % 2 through sampler number / 2.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform texture2D images[2];
layout(set = 0, binding = 3) uniform sampler samplers[2];
layout(push_constant) uniform Push { vec4 tint; float z; int number; } push;
vec4 look(texture2D image, sampler s) { return texture(sampler2D(image, s), uv * 2.0); }
void main() {
  if (push.number >= 0) {
    result = look(images[push.number % 2], samplers[push.number / 2]);
    return;
  }
  vec4 upper = uv.x < 0.5 ? look(images[0], samplers[0]) : look(images[1], samplers[0]);
  vec4 lower = uv.x < 0.5 ? look(images[0], samplers[1]) : look(images[1], samplers[1]);
  result = uv.y < 0.5 ? upper : lower;
}
