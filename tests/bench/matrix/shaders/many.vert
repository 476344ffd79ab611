#version 450
// Eight attributes of four floats.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 a1;
layout(location = 2) in vec4 a2;
layout(location = 3) in vec4 a3;
layout(location = 4) in vec4 a4;
layout(location = 5) in vec4 a5;
layout(location = 6) in vec4 a6;
layout(location = 7) in vec4 a7;
layout(location = 0) out vec3 coord;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
void main() {
  const vec4 p = vec4(position.xyz, 1.0);
  coord = (a1 + a2 + a3 + a4 + a5 + a6 + a7).xyz * 0.14;
  gl_Position = vec4(dot(u, p), dot(v, p), dot(w, p) * 0.25 + 0.5, 1.0);
}
