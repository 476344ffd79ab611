// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 place;
layout(binding = 0) uniform C { vec4 split; vec4 scale[4]; } cascade;
layout(binding = 1) uniform sampler2D map;
layout(location = 0) out vec4 color;
void main() {
  vec4 s = cascade.scale[3];
  if (place.z < 0.5) s = cascade.scale[0];
  else if (place.z < 1.0) s = cascade.scale[1];
  else if (place.z < 1.5) s = cascade.scale[2];
  color = vec4(texture(map, place.xy + floor(s.xy)).r > place.w * 0.4 ? 1.0 : 0.0, s.zw, 1.0);
}
