#version 450
// SPDX-License-Identifier: MIT
// Two targets with a second source each.
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 first_share;
layout(location = 1, index = 0) out vec4 second;
layout(location = 1, index = 1) out vec4 second_share;
void main() {
  first = second = vec4(0.0, 0.0, 1.0, 1.0);
  first_share = vec4(0.2, 0.4, 0.6, 0.2);
  second_share = vec4(0.8, 1.0, 0.4, 1.0);
}
