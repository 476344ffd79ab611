#version 450
// The whole target by one triangle; the coordinate is affine in the position, or in the perspective of extra.w.
layout(location = 0) in vec2 position;
layout(location = 0) out vec3 coord;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
void main() {
  const vec3 p = vec3(position, 1.0);
  coord = vec3(dot(u.xyz, p), dot(v.xyz, p), dot(w.xyz, p));
  gl_Position = vec4(position, extra.z, 1.0);
}
