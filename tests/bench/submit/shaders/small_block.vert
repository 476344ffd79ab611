#version 450
layout(location = 0) in vec2 position;
layout(set = 0, binding = 0) uniform Block {
  vec4 place;
  vec4 color;
} block;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = vec4(position * block.place.zw + block.place.xy, 0, 1);
  color = block.color;
}
