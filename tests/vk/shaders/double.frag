#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat in dvec3 three;
layout(location = 2) flat in double one;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { double base; };
void main() {
  const bool right = three == dvec3(base, base / 3.0lf, -base) && one == sqrt(base);
  color = vec4(right ? 1.0 : 0.0, float(double(gl_FragCoord.x - 0.5) / 255.0lf), float(one * one == base ? 0.0lf : 1.0lf), 1.0);
}
