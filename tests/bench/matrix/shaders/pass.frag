#version 450
// Fragments of the pass structures. KIND: 1 samples a pass before, 2 input attachment, 3 shadow compare, 4 writes four targets, 5 reads them,
// 6 object in a light's view.
#if KIND == 4
layout(location = 0) out vec4 target0;
layout(location = 1) out vec4 target1;
layout(location = 2) out vec4 target2;
layout(location = 3) out vec4 target3;
#else
layout(location = 0) out vec4 color;
#endif
layout(location = 0) in vec3 coord;
layout(push_constant) uniform Push { vec4 u, v, w, extra; };
#if KIND == 1
layout(binding = 0) uniform sampler2D before;
void main() { color = texture(before, coord.xy) * 0.9 + vec4(coord.yx, 0.5, 1.0) * 0.1; }
#elif KIND == 2
layout(input_attachment_index = 0, binding = 0) uniform subpassInput before;
void main() { color = subpassLoad(before).zyxw * 0.8 + 0.1; }
#elif KIND == 3
layout(binding = 0) uniform sampler2DShadow shadow;
void main() { color = vec4(coord, 1.0) * (0.3 + 0.7 * texture(shadow, vec3(gl_FragCoord.xy * (1.0 / 512.0), 0.45))); }
#elif KIND == 4
void main() {
  target0 = vec4(coord, 1.0);
  target1 = vec4(normalize(coord - 0.4) * 0.5 + 0.5, 1.0);
  target2 = vec4(coord.zx, 0.5, 0.25);
  target3 = vec4(1.0 - coord, 1.0);
}
#elif KIND == 5
layout(binding = 0) uniform sampler2D image0;
layout(binding = 1) uniform sampler2D image1;
layout(binding = 2) uniform sampler2D image2;
layout(binding = 3) uniform sampler2D image3;
void main() {
  const vec3 base = texture(image0, coord.xy).xyz, n = texture(image1, coord.xy).xyz * 2.0 - 1.0;
  const vec4 other = texture(image2, coord.xy);
  vec3 sum = texture(image3, coord.xy).xyz * 0.1;
  for (int i = 0; i < 4; ++i) sum += base * max(dot(n, normalize(vec3(float(i) - 1.5, 1.0, 1.0))), 0.0) * (0.2 + other.w);
  color = vec4(sum, 1.0);
}
#endif
