#version 450
// Integers in a fragment program: multiply, shift, xor, divide.
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
void main() {
  uint x = uint(gl_FragCoord.x), y = uint(gl_FragCoord.y);
#if KIND == 1
  for (int i = 0; i < N; ++i) {
    x = x * 1664525u + 1013904223u;
    y ^= x >> 13;
    y *= 2654435761u;
    x += y << 3;
  }
  color = vec4(x & 255u, x >> 8 & 255u, y & 255u, y >> 8 & 255u) / 255.0;
#elif KIND == 2
  uint sum = 0u;
  for (uint i = 1u; i <= uint(N); ++i) sum += x * 37u / (i + 2u) + y % (i + 6u);
  color = vec4(sum & 255u, sum >> 4 & 255u, sum >> 2 & 255u, 255u) / 255.0;
#elif KIND == 3
  uint sum = 0u;
  for (int i = 0; i < N; ++i) {
    sum += uint(bitCount(x * 77u + uint(i))) + uint(findMSB(y * 31u + 1u)) + bitfieldExtract(x, 2, 5);
    x = bitfieldReverse(x) >> 20;
  }
  color = vec4(sum & 255u, sum >> 1 & 255u, x & 255u, 255u) / 255.0;
#endif
}
