#version 450
// screen.vert with its rows in a uniform block.
layout(location = 0) in vec2 position;
layout(location = 0) out vec3 coord;
layout(binding = 0) uniform Block { vec4 u, v, w, extra; };
void main() {
  const vec3 p = vec3(position, 1.0);
  coord = vec3(dot(u.xyz, p), dot(v.xyz, p), dot(w.xyz, p));
  gl_Position = vec4(position, extra.z, 1.0);
}
