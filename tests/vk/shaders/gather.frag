#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Push { vec4 tint; float z; int number; } push;
void main() {
  vec2 p = uv * push.tint.xy + push.tint.zw;
  if (push.number == 0)
    result = textureGather(image, p);
  else
    result = textureGatherOffset(image, p, ivec2(1, -2), 1);
}
