#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
struct Item { vec3 color; int kind; };
layout(set = 0, binding = 0) uniform Block { float scale; int count; uint flags; bool on; Item items[4]; } block;
layout(push_constant) uniform Push { vec4 tint; float z; int number; } push;
void main() {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < block.count; ++i)
    if (block.items[i].kind != push.number) sum += block.items[i].color;
  result = vec4(sum * block.scale, block.on && (block.flags & 4u) != 0u ? 1.0 : 0.0);
}
