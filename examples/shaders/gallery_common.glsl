// SPDX-License-Identifier: MIT
// What the pictures of the gallery share.
layout(location = 0) in vec2 uv;
layout(push_constant) uniform Push { vec4 place; } push;  // xy: pixel size in uv, z: time, w: aspect
layout(location = 0) out vec4 out_color;
const float kTurn = 6.2831853;
// A cyclic palette: smooth in t, dark where `depth` is near 0.
vec3 palette(float t, vec3 phase) { return 0.5 + 0.5 * cos(kTurn * (t + phase)); }
vec2 centred() { return (uv - 0.5) * vec2(push.place.w, 1.0) * 2.0; }
mat2 rotation(float a) { return mat2(cos(a), sin(a), -sin(a), cos(a)); }
