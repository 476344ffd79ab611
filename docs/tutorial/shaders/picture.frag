#version 450
layout(location = 0) in vec2 where;
layout(binding = 1) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = texture(image, where * 2.0).bgra; }
