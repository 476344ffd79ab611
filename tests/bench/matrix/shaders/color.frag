#version 450
// An interpolated colour; integers from 0 to 200.
layout(location = 0) in vec3 coord;
layout(location = 0) out OUT color;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
void main() { color = OUT(vec4(coord, extra.x) * SCALE); }
