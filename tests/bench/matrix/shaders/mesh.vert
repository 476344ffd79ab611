#version 450
// Four attributes, of any format: position, normal, texture coordinate, colour. KIND: 0 plain, 1 per instance, 2 long arithmetic, 3 skinned,
// 4 a loop of lights.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 uv;
layout(location = 3) in vec4 tint;
#if KIND == 1
layout(location = 4) in vec4 place;
#endif
#if KIND == 3
layout(binding = 0) uniform Bones { vec4 bones[96]; };
#endif
layout(location = 0) out vec3 coord;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
void main() {
  vec4 p = vec4(position.xyz, 1.0);
  vec3 n = normal.xyz;
  vec3 c = tint.xyz * (0.3 + 0.7 * max(dot(n, vec3(0.3, 0.5, 0.8)), 0.0)) + vec3(uv.xy, 0.0) * 0.05;
#if KIND == 1
  p.xyz = p.xyz * place.w + place.xyz;
#elif KIND == 2
  for (int i = 0; i < 48; ++i) c = c * 0.9 + n.yzx * 0.02 + 0.03;
#elif KIND == 3
  const vec4 weight = vec4(0.4, 0.3, 0.2, 0.1);
  vec3 q = vec3(0.0);
  for (int i = 0; i < 4; ++i) {
    const int b = (int(uv.z) + i * 7) % 32 * 3;
    q += weight[i] * vec3(dot(bones[b], p), dot(bones[b + 1], p), dot(bones[b + 2], p));
  }
  p.xyz = q;
#elif KIND == 4
  for (int i = 0; i < 8; ++i) {
    const vec3 to = vec3(float(i) - 3.5, 2.0, 3.0) - p.xyz;
    c += 0.05 * max(dot(n, to), 0.0) * inversesqrt(dot(to, to) + 0.1);
  }
#endif
  coord = c;
  gl_Position = vec4(dot(u, p), dot(v, p), dot(w, p) * 0.25 + 0.5, 1.0);
}
