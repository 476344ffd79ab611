#version 450
layout(location = 0) in vec2 position;
layout(push_constant) uniform Place { vec2 scale, offset; };
layout(location = 0) out vec2 where;
void main() {
  where = position * 0.5 + 0.5;
  gl_Position = vec4(position * scale + offset, 0.0, 1.0);
}
