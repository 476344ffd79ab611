#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec3 coord;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
void main() {
  const vec4 p = vec4(position.xyz, 1.0);
  coord = p.xyz * 0.5 + 0.5;
  gl_Position = vec4(dot(u, p), dot(v, p), dot(w, p) * 0.25 + 0.5, 1.0);
}
