#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// SPDX-License-Identifier: MIT
// A triangle over everything per instance, each in a layer of its own.
layout(location = 0) out vec4 color;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 2.0 : 0.0, gl_VertexIndex == 2 ? 2.0 : 0.0);
  color = vec4(float(gl_InstanceIndex + 1) / 255.0, 0.0, 0.0, 1.0);
  gl_Layer = gl_InstanceIndex;
  gl_ViewportIndex = 0;
  gl_Position = vec4(p * 2.0 - 1.0, 0.5, 1.0);
}
