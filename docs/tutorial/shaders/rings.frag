#version 450
layout(location = 0) in vec2 where;
layout(location = 0) out vec4 color;
void main() {
  float d = 0.0;
  if (where.x > 0.5) {
    for (int i = 0; i < 20; ++i) d += sin(where.y * float(i));
  }
  color = vec4(vec3(d), 1.0);
}
