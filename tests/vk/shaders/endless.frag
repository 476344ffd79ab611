#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() {
  float x = uv.x;
  for (int i = 0; i < 200; ++i)
    for (int k = 0; k < 200; ++k)
      for (int m = 0; m < 200; ++m) x = x * 0.999 + uv.y;
  result = vec4(x);
}
