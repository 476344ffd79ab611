#version 450
layout(location = 0) in vec2 where;
layout(binding = 0) uniform Tint { vec4 tint; float strength; };
layout(location = 0) out vec4 color;
void main() {
  vec3 base = vec3(where, 1.0 - where.x);
  color = vec4(mix(base, base * tint.rgb, strength), 1.0);
}
