#version 450
// A small triangle somewhere.
layout(location = 0) in vec2 position;
layout(push_constant) uniform Push {
  vec4 place;  // offset, scale
  vec4 color;
} push;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = vec4(position * push.place.zw + push.place.xy, 0, 1);
  color = push.color;
}
