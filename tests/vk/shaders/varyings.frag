#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 v0; layout(location = 1) in vec4 v1; layout(location = 2) in vec4 v2; layout(location = 3) in vec4 v3;
layout(location = 4) in vec4 v4; layout(location = 5) in float v5; layout(location = 6) in vec4 v6; layout(location = 7) flat in vec4 v7;
layout(location = 8) in vec2 v8; layout(location = 9) in vec4 v9;
layout(location = 0) out vec4 result;
void main() {
  float sum = v0.x + 2.0 * v1.x + 3.0 * v2.y + 4.0 * v3.z + 5.0 * v4.w + 6.0 * v5 + 7.0 * v6.x + 8.0 * v7.x + 9.0 * v8.x + 10.0 * v9.x;
  result = vec4(sum / 385.0, v8.y / 90.0, v9.w / 100.0, v6.w / 3.0);
}
