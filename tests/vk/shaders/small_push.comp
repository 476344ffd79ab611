#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(push_constant) uniform Small {
  int8_t a;
  uint8_t b;
  i8vec2 c;
  int16_t d;
  u8vec3 e;
  uint8_t f[3];
};
layout(std430, set = 0, binding = 0) buffer Out { int result[]; };
void main() {
  int n = 0;
  result[n++] = int(a);
  result[n++] = int(uint(b));
  result[n++] = int(c.x);
  result[n++] = int(c.y);
  result[n++] = int(d);
  for (int i = 0; i < 3; ++i) result[n++] = int(uvec3(e)[i]);
  for (int i = 0; i < 3; ++i) result[n++] = int(uint(f[i]));
}
