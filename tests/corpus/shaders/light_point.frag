// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 128 1e-5
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(push_constant) uniform Push { vec4 light; vec3 attenuation; } push;
layout(location = 0) out vec4 color;
void main() {
  vec3 to = push.light.xyz + 3.0 - position;
  float d = length(to);
  float a = 1.0 / (push.attenuation.x + push.attenuation.y * d + push.attenuation.z * d * d);
  color = vec4(vec3(max(dot(normalize(normal), to / d), 0.0) * a), 1.0);
}
