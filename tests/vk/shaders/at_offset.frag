#version 450
// SPDX-License-Identifier: MIT
// 1 where the value at the offset tint.xy is the pixel's plus the offset, to less than half of 1/256.
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 result;
layout(push_constant) uniform Push { vec4 tint; float z; } push;
void main() {
  vec2 error = abs(interpolateAtOffset(place, push.tint.xy) - gl_FragCoord.xy - push.tint.xy);
  result = vec4(lessThan(error, vec2(1.0 / 1024.0)), 0.0, 1.0);
}
