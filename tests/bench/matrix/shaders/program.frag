#version 450
// Programs of one kind each (KIND), of length N.
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
#define CHAIN 1
#define WIDE 2
#define TRANSCENDENTAL 3
#define LIGHTS 4
#define BRANCH_UNIFORM 5
#define BRANCH_COHERENT 6
#define BRANCH_DIVERGENT 7
#define LOOP_FIXED 8
#define LOOP_UNIFORM 9
#define LOOP_PIXEL 10
#define FETCHES 11
#define DEPENDENT 12
#define DISCARD 13
#define DERIVATIVES 14
#define NOISE 15
#define SELECTS 16
#define MATRICES 17
#define CHOSEN 18

#ifdef IMAGE
#if KIND == CHOSEN
layout(binding = 0) uniform sampler2D images[4];
#else
layout(binding = 0) uniform sampler2D image;
#endif
#endif

vec4 long_way(vec4 x, int n) {
  for (int i = 0; i < n; ++i) x = x * x.yzwx + vec4(0.3, 0.2, 0.1, 0.05) - x * 0.5;
  return x;
}

// Without a sine of large numbers: drivers round those differently.
float hash(vec2 p) {
  vec3 q = fract(p.xyx * 0.1031);
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}

#if KIND == LIGHTS
// Distribution, shadowing and Fresnel terms of rough metal for each light.
vec3 light(vec3 n, vec3 eye, vec3 to, vec3 base, float rough) {
  const vec3 h = normalize(to + eye);
  const float nl = max(dot(n, to), 0.0), nv = max(dot(n, eye), 0.001), nh = max(dot(n, h), 0.0), vh = max(dot(eye, h), 0.0);
  const float a2 = rough * rough * rough * rough, d = nh * nh * (a2 - 1.0) + 1.0, k = (rough + 1.0) * (rough + 1.0) * 0.125;
  const float g = nl / (nl * (1.0 - k) + k) * (nv / (nv * (1.0 - k) + k));
  const vec3 f = base + (1.0 - base) * pow(1.0 - vh, 5.0);
  return (a2 / (3.14159 * d * d) * g / (4.0 * nv * max(nl, 0.001)) * f + (1.0 - f) * base * 0.3183) * nl;
}
#endif

void main() {
  vec4 x = vec4(coord.xy, coord.x * coord.y, 0.5);
#if KIND == CHAIN
  for (int i = 0; i < N; ++i) x = x * vec4(0.9, 0.8, 0.7, 0.6) + u;
#elif KIND == WIDE
  vec4 a = x, b = x.yzwx, c = x.zwxy, d = x.wxyz;
  for (int i = 0; i < N / 4; ++i) {
    a = a * 0.9 + u;
    b = b * 0.8 + v;
    c = c * 0.7 + a;
    d = d * 0.6 + b;
  }
  x = (a + b + c + d) * 0.1;
#elif KIND == TRANSCENDENTAL
  for (int i = 0; i < N; ++i) x.x = 0.3 * sin(x.x) + 0.2 * exp2(x.y - 1.0) + 0.1 * log2(x.x + 1.5) + 0.1 * inversesqrt(x.y + 1.0) + 0.1 * pow(x.z + 0.1, 1.7);
#elif KIND == LIGHTS
  const vec3 n = normalize(vec3(coord.xy - 0.5, 0.6)), eye = normalize(vec3(0.5 - coord.xy, 2.0));
  vec3 sum = vec3(0.03);
  for (int i = 0; i < N; ++i) sum += light(n, eye, normalize(vec3(float(i) - 1.5, 1.0 - float(i) * 0.4, 1.0 + extra.x)), vec3(0.6, 0.4, 0.2), 0.3 + 0.4 * coord.x);
  x = vec4(sum / (sum + 1.0), 1.0);
#elif KIND == BRANCH_UNIFORM
  if (extra.x > 0.25) x = long_way(x, N); else x = long_way(x.wzyx, N) * 0.5;
#elif KIND == BRANCH_COHERENT
  if (coord.x > 0.5) x = long_way(x, N); else x = long_way(x.wzyx, N) * 0.5;
#elif KIND == BRANCH_DIVERGENT
  if (fract(coord.x * 113.0) + fract(coord.y * 97.0) > 1.0) x = long_way(x, N); else x = long_way(x.wzyx, N) * 0.5;
#elif KIND == LOOP_FIXED
  for (int i = 0; i < N; ++i) x = x * vec4(0.9, 0.8, 0.7, 0.6) + u * float(i & 1);
#elif KIND == LOOP_UNIFORM
  for (float i = 0.0; i < extra.y; i += 1.0) x = x * vec4(0.9, 0.8, 0.7, 0.6) + u;
#elif KIND == LOOP_PIXEL
  // An escape-time fractal: a count of its own per pixel.
  vec2 z = vec2(0.0);
  const vec2 c = coord.xy * vec2(2.4, 2.0) - vec2(1.8, 1.0);
  float count = 0.0;
  for (int i = 0; i < N; ++i) {
    if (dot(z, z) > 4.0) break;
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    count += 1.0;
  }
  x = vec4(count / float(N), z * 0.1 + 0.5, 1.0);
#elif KIND == FETCHES
  vec4 sum = vec4(0.0);
  for (int i = 0; i < N; ++i) sum += texture(image, coord.xy + vec2(float(i % 8), float(i / 8)) * 0.003);
  x = sum * (1.0 / float(N));
#elif KIND == CHOSEN
  vec4 sum = vec4(0.0);
  for (int i = 0; i < N; ++i) sum += texture(images[(int(extra.y) + i) % 4], coord.xy + vec2(float(i % 8), float(i / 8)) * 0.003);
  x = sum * (1.0 / float(N));
#elif KIND == DEPENDENT
  x = texture(image, coord.xy);
  for (int i = 1; i < N; ++i) x = texture(image, coord.xy + x.xy * 0.05);
#elif KIND == DISCARD
  if (fract(coord.x * 16.0) > 0.5) discard;
  x = long_way(x, N);
#elif KIND == DERIVATIVES
  for (int i = 0; i < N; ++i) x = x * 0.8 + abs(dFdx(x)) * 4.0 + abs(dFdy(x)) * 3.0 + 0.02;
#elif KIND == NOISE
  float sum = 0.0, weight = 0.5;
  vec2 p = coord.xy * 8.0;
  for (int i = 0; i < N; ++i) {
    const vec2 cell = floor(p), f = p - cell, s = f * f * (3.0 - 2.0 * f);
    sum += weight * mix(mix(hash(cell), hash(cell + vec2(1.0, 0.0)), s.x), mix(hash(cell + vec2(0.0, 1.0)), hash(cell + 1.0), s.x), s.y);
    p = p * 2.0 + 1.0;
    weight *= 0.5;
  }
  x = vec4(sum, sum * 0.8, sum * 0.5, 1.0);
#elif KIND == SELECTS
  for (int i = 0; i < N; ++i) x = mix(x.yzwx * 0.9 + 0.05, x * 1.1 - 0.02, vec4(greaterThan(x, vec4(0.5))));
#elif KIND == MATRICES
  const mat4 m = mat4(u, v, w, extra) * 0.4;
  for (int i = 0; i < N; ++i) x = m * x + vec4(0.1);
#endif
  color = clamp(x, 0.0, 1.0);
}
