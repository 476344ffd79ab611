#version 450
// Each column of pixels has a stencil value of its own.
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) out vec4 result;
void main() {
  gl_FragStencilRefARB = int(gl_FragCoord.x) * 16 + int(gl_FragCoord.y);
  result = vec4(0.0, 0.0, 0.0, 1.0);
}
